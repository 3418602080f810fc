import { conformanceSuite } from '../testing/conformance-suite.ts';
import { sampledSelection } from './selection.ts';

conformanceSuite('teams', sampledSelection('teams'));

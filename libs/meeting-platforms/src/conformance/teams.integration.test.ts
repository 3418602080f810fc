import { conformanceSuite } from '../testing/conformance-suite.ts';
import { sampledOfThisCommit } from '../testing/commit.ts';

conformanceSuite('teams', sampledOfThisCommit('teams'));

import { conformanceSuite } from '../testing/conformance-suite.ts';
import { sampledOfThisCommit } from '../testing/commit.ts';

conformanceSuite('meet', sampledOfThisCommit('meet'));

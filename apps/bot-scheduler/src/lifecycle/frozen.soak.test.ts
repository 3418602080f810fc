import { testFreezes } from '../testing/frozen-suite.ts';

// The settings of a deployment; takes ten minutes.
testFreezes({ timeToLiveMs: 90_000, renewMs: 3_000, freezeMs: 60_000 });

import { testFreezes } from '../testing/frozen-suite.ts';

// Longer than the time to live: no time in which renewals cannot be recorded counts.
testFreezes({ timeToLiveMs: 4_000, renewMs: 300, freezeMs: 6_000 });

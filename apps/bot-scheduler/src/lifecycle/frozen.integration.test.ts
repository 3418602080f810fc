import { testFreezes } from '../testing/frozen-suite.ts';

// Longer than the time to live: time without recorded renewals does not count.
testFreezes({ timeToLiveMs: 4_000, renewMs: 300, freezeMs: 6_000 });

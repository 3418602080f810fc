import { testBurst } from '../testing/burst-suite.ts';

testBurst({ bots: 100, createsPerSecond: 20 });

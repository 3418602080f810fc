// 1,000 pods twice: minutes of a whole machine.
import { testBurst } from '../testing/burst-suite.ts';

const share = Number(process.env['SOAK_SHARE'] ?? '1');
const scaled = (bots: number): number => Math.max(100, Math.round(bots * share));

testBurst({ bots: scaled(1_000), createsPerSecond: 20 });
testBurst({ bots: scaled(1_000), createsPerSecond: 100 });

// 1,000 pods twice: minutes on a dedicated machine.
import { testBurst } from '../testing/burst-suite.ts';
import { openClusterScheduler } from '../testing/cluster-scheduler.ts';

const share = Number(process.env['SOAK_SHARE'] ?? '1');
const bots = Math.max(100, Math.round(1_000 * share));
const server = 'real control plane';

testBurst({ bots, createsPerSecond: 20, server, open: openClusterScheduler });
testBurst({ bots, createsPerSecond: 100, server, open: openClusterScheduler });

// 10,000 runners in one process: minutes on a dedicated machine.
import { testBurst } from '../testing/burst-suite.ts';
import { openFakeClusterScheduler } from '../testing/cluster-scheduler.ts';

const share = Number(process.env['SOAK_SHARE'] ?? '1');
const server = 'fake API server';
/** Renewal interval that one process can sustain for all runners. */
const leases = { LEASE_RENEW_MS: '10000' };
const on = (createsPerSecond: number) => (settings: Record<string, string>) =>
  openFakeClusterScheduler(createsPerSecond, { ...settings, ...leases });

testBurst({ bots: Math.max(100, Math.round(1_000 * share)), createsPerSecond: 20, server, open: on(20) });
testBurst({ bots: Math.max(100, Math.round(10_000 * share)), createsPerSecond: 100, server, open: on(100) });

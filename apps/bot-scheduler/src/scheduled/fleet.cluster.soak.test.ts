// 10,000 pods at the same time: half an hour on a dedicated machine.
import { testFleet } from '../testing/fleet-suite.ts';

const share = Number(process.env['SOAK_SHARE'] ?? '1');
/** Fewer where the machine has other work. */
const duePerSecond = Number(process.env['FLEET_PER_SECOND'] ?? '12');

testFleet({
  bots: Math.max(100, Math.round(10_000 * share)),
  duePerSecond,
  stayMs: 120_000,
  endsPerSecond: duePerSecond,
  keepEndedMs: 60_000,
});

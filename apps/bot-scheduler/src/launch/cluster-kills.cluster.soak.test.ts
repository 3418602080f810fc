// 1,000 pods and 200 restarts: half an hour on a dedicated machine.
import { testClusterKills } from '../testing/cluster-kills-suite.ts';

const share = Number(process.env['SOAK_SHARE'] ?? '1');
const seed = Number(process.env['SOAK_SEED'] ?? '1');

testClusterKills({ bots: Math.max(30, Math.round(1_000 * share)), kills: Math.max(20, Math.round(200 * share)), seed });

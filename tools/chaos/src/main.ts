// A campaign on the command line; exit code 1 when a bot was lost, duplicated or reported wrongly.
import { parseArgs } from 'node:util';
import { runCampaign } from './campaign.ts';
import { openParts } from './open-parts.ts';
import { planChaos } from './inject-fault.ts';
import { judgeRealBots, sendRealBots } from './real-bots.ts';

const { values } = parseArgs({
  options: {
    bots: { type: 'string', default: '40' },
    kills: { type: 'string', default: '200' },
    freezes: { type: 'string', default: '100' },
    wipes: { type: 'string', default: '50' },
    'network-faults': { type: 'string', default: '100' },
    'at-once': { type: 'string', default: '1' },
    'freeze-ms': { type: 'string', default: '60000' },
    'real-bots': { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
  },
});
const say = (text: string): void => void process.stdout.write(`${new Date().toISOString()} ${text}\n`);
const realBots = Number(values['real-bots']);
const parts = await openParts(say, realBots > 0);
let inOrder = false;
try {
  const faults = planChaos({
    seed: Number(values.seed),
    kills: Number(values.kills),
    freezes: Number(values.freezes),
    wipes: Number(values.wipes),
    networkFaults: Number(values['network-faults']),
    longestFreezeMs: Number(values['freeze-ms']),
  });
  const real = await sendRealBots(parts, realBots);
  const report = await runCampaign(parts, {
    bots: Number(values.bots),
    firstNumber: 1,
    faults,
    atOnce: Number(values['at-once']),
  });
  const problems = [...report.problems, ...(await judgeRealBots(parts, real))];
  for (const problem of problems) say(problem);
  const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
  say(
    `seed ${values.seed}: ${report.bots} bots and ${realBots} with a browser, ${report.faults} faults, ${problems.length} problems, last bot accepted ${seconds(report.acceptedAfterMs)} s after the last fault, all settled ${seconds(report.settledAfterMs)} s later`,
  );
  inOrder = problems.length === 0;
  process.exitCode = inOrder ? 0 : 1;
} finally {
  await parts.stop({ keepFolder: !inOrder });
}

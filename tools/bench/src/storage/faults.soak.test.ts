import { expect, test } from '@jest/globals';
import { runFaultCampaign } from './faults.ts';

// Two hundred recordings with faults take more than ten minutes.
const seed = Number(process.env['SOAK_SEED'] ?? 1);
const times = Math.max(1, Math.round(200 * Number(process.env['SOAK_SHARE'] ?? 1)));

test(`${times} recordings in a team's bucket that fails lose no fragment and leave no dead link`, async () => {
  const { faultyRequests, held, problems } = await runFaultCampaign({ times, seed });
  process.stdout.write(`seed ${seed}: ${times} runs, ${faultyRequests} faulty requests, ${held} objects held\n`);
  expect(problems).toEqual([]);
  expect(faultyRequests).toBeGreaterThan(times);
}, 7_200_000);

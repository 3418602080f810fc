import { expect, test } from '@jest/globals';
import { runStorageKills } from './kills.ts';

// Fragments close every four seconds, so fifty kills take minutes.
const seed = Number(process.env['SOAK_SEED'] ?? 1);
const share = Number(process.env['SOAK_SHARE'] ?? 1);
/** In which a fragment is stored and committed on a machine that is loaded. */
const uploadMostMs = 1_500;
const runnerKills = Math.max(1, Math.round(40 * share));
const serviceKills = Math.max(1, Math.round(10 * share));

test(`${runnerKills} killed runners and ${serviceKills} kills of storage-config lose at most a fragment of 4 s and what is being uploaded, and leave no upload`, async () => {
  const { lostMs, ...outcome } = await runStorageKills({ runnerKills, serviceKills, seed });
  const longestMs = Math.max(...lostMs);
  process.stdout.write(
    `seed ${seed}: at most ${longestMs} ms lost, ${outcome.abortedUploads} abandoned uploads aborted\n`,
  );
  expect(outcome).toEqual({
    runnerKills,
    serviceKills,
    lostFragments: 0,
    unfinishedArtifacts: 0,
    abortedUploads: expect.any(Number),
    uploadsLeft: 0,
  });
  expect(longestMs).toBeLessThanOrEqual(4_000 + uploadMostMs);
}, 3_600_000);

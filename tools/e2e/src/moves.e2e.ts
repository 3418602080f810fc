import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { runCommand } from './command-line.ts';
import { createOwnTeam } from './shared-stack.ts';
import type { OwnTeam } from './shared-stack.ts';

let team: OwnTeam;
beforeAll(async () => {
  team = await createOwnTeam();
}, 180_000);

interface Integrity {
  readonly durationMs: number;
  readonly endedCleanly: boolean;
  readonly gaps: readonly { readonly startMs: number; readonly endMs: number; readonly reason: string }[];
}
interface Step {
  readonly kind: string;
  readonly who: string;
}

/** Long enough for the first run to have stored whole fragments, and for the second. */
const recordingMs = 9_000;
/** A fragment and what else is lost where two recordings meet. */
const mostMissingMs = 5_000;

test('a bot that is moved during a meeting records it in one piece, with at most 5 s missing', async () => {
  const { api, simulator, dataFolder } = team;
  const room = await simulator.startRoom({ speakers: 2 });
  const stepsOf = async (kind: string): Promise<number> =>
    ((await simulator.log(room.code)) as { readonly log: readonly Step[] }).log.filter(
      (step) => step.kind === kind && step.who === 'Guest',
    ).length;
  const botId = await api.createBot({ bot_name: 'Guest', meeting_url: room.url });
  await api.waitForStatus(botId, ['in_call_recording'], 60_000);
  await sleep(recordingMs);

  await runCommand(dataFolder, ['bots', 'move', botId]);
  await waitFor(async () => ((await stepsOf('admitted')) === 2 ? true : null), {
    what: 'the second run to be admitted',
  });
  await waitFor(async () => ((await stepsOf('left')) === 1 ? true : null), {
    what: 'the first run to leave',
  });
  await sleep(recordingMs);
  await api.sdk.leaveBot({ bot_id: botId });
  const bot = await api.waitForStatus(botId, ['completed', 'failed'], 90_000);
  expect(bot).toMatchObject({ status: 'completed', end_reason: 'API_REQUEST' });

  const { durationMs, endedCleanly, gaps } = (await (await fetch(bot.integrity ?? '')).json()) as Integrity;
  expect(endedCleanly).toBe(true);
  expect(gaps.filter(({ reason }) => reason !== 'between_attempts')).toEqual([]);
  const missingMs = gaps.reduce((total, { startMs, endMs }) => total + endMs - startMs, 0);
  expect(missingMs).toBeLessThanOrEqual(mostMissingMs);
  // One recording over both runs: the length of the meeting for its participants, not that of two recordings.
  const attendedMs = Date.parse(bot.exited_at ?? '') - Date.parse(bot.joined_at ?? '');
  expect(Math.abs(attendedMs - durationMs)).toBeLessThan(mostMissingMs);
  process.stdout.write(`moved: ${durationMs} ms recorded, ${missingMs} ms missing\n`);
}, 240_000);

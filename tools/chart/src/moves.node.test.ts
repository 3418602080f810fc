import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTrialInstallation } from './trial-installation.ts';
import type { BotPod, Room, TrialInstallation } from './trial-installation.ts';

let trial: TrialInstallation;
const moveWithinMs = 240_000;

beforeAll(async () => {
  const values = {
    'bots.disruption': 'move',
    'bots.leaveNodes': 'tainted',
    // As long as a slow machine needs to join.
    'services.bot-scheduler.settings.KUBERNETES_TERMINATION_GRACE_MS': String(moveWithinMs),
    // No transcript is needed, and the machine may have few cores.
    'whisper.enabled': false,
    'transcription.providers': [],
    'transcription.liveProviders': [],
  };
  const set = Object.entries(values).flatMap(([name, value]) => ['--set-json', `${name}=${JSON.stringify(value)}`]);
  trial = await openTrialInstallation(set);
  await trial.install();
  await trial.createTeam();
});

afterAll(async () => {
  await (trial as TrialInstallation | undefined)?.stop();
});

/** `DRAINS=20 npm run test:cluster -- --node moves` has more of them. */
const seeds = Array.from({ length: Number(process.env['DRAINS'] ?? 3) }, (_, index) => index);
const platforms = ['meet', 'teams', 'zoom'] as const;
/** A fragment and what else is lost where two recordings meet. */
const mostMissingMs = 5_000;
/** Of a spot node. */
const noticeMs = 30_000;

interface RecordingBot {
  readonly room: Room;
  readonly botId: string;
  /** Of its first run. */
  readonly pod: BotPod;
}

/** A bot that records for ten seconds, in a meeting that continues. */
async function recordingBot(options: object): Promise<RecordingBot> {
  const room = await trial.startRoom({ speakers: 2, ...options });
  const botId = await trial.sendBot(room);
  await trial.waitForRecording(botId);
  return { room, botId, pod: await trial.podOf(botId) };
}

/** Runs with a node cordoned: new pods come to the other one. */
async function withoutNode<T>(nodeName: string, work: () => Promise<T>): Promise<T> {
  await trial.node.kubectl('cordon', nodeName);
  try {
    return await work();
  } finally {
    await trial.node.kubectl('uncordon', nodeName);
  }
}

async function withTaint(nodeName: string, key: string, work: () => Promise<void>): Promise<void> {
  await trial.node.kubectl('taint', 'node', nodeName, `${key}=:NoSchedule`);
  try {
    await work();
  } finally {
    await trial.node.kubectl('taint', 'node', nodeName, `${key}-`);
  }
}

interface Report {
  readonly durationMs: number;
  readonly endedCleanly: boolean;
  readonly gapMs: number;
  readonly gaps: readonly { readonly reason: string }[];
}

/** Ends the meeting of a bot whose second run records. What it recorded is one file, and its end one event. */
async function expectMoved({ room, botId, pod }: RecordingBot, what: string, movedAfterMs: number): Promise<void> {
  expect((await trial.podOf(botId, 2)).nodeName).not.toBe(pod.nodeName);
  await trial.waitForRecording(botId);
  await trial.endRoom(room.code);
  const bot = await trial.waitForStatus(botId, ['completed']);
  const { gaps, gapMs, durationMs, endedCleanly } = await trial.readJson<Report>(bot.integrity);
  // Standard output is that of Jest's report.
  process.stderr.write(`${what}: moved after ${movedAfterMs} ms, ${gapMs} of ${durationMs} ms missing\n`);
  expect(endedCleanly).toBe(true);
  expect(gaps.filter(({ reason }) => reason !== 'between_attempts')).toEqual([]);
  expect(gapMs).toBeLessThanOrEqual(mostMissingMs);
  const attendedMs = Date.parse(bot.exited_at ?? '') - Date.parse(bot.joined_at ?? '');
  expect(Math.abs(attendedMs - durationMs)).toBeLessThan(mostMissingMs);
  const { seconds, streams } = await trial.probe(bot.video ?? '');
  expect(streams).toEqual(['audio', 'video']);
  expect(Math.abs(seconds * 1_000 - durationMs)).toBeLessThan(mostMissingMs);
  expect(await finalEventsOf(botId)).toEqual(['bot.completed']);
}

/** A message follows the change of status. */
async function finalEventsOf(botId: string): Promise<string[]> {
  for (const deadline = Date.now() + 60_000; ; await sleep(500)) {
    const events = await trial.eventsOf(botId);
    const final = events.filter((event) => ['bot.completed', 'bot.failed'].includes(event));
    if (final.length > 0 || Date.now() > deadline) return final;
  }
}

describe('a bot whose node goes', () => {
  test.each(seeds)('drain %i: one recording with at most 5 s missing, and one end', async (seed) => {
    const platform = platforms[seed % platforms.length] ?? 'meet';
    const bot = await recordingBot({ platform });
    // Moments between two fragments are different ones.
    await sleep((seed * 1_700) % 8_000);
    const beganAt = Date.now();
    const options = ['--delete-emptydir-data', '--force', '--timeout=280s', '--pod-selector=rapporteur.dev/bot'];
    await trial.node.kubectl('drain', bot.pod.nodeName, ...options);
    await trial.node.kubectl('uncordon', bot.pod.nodeName);
    await expectMoved(bot, `drain ${seed} of a bot in ${platform}`, Date.now() - beganAt);
  });

  test('leaves a spot node in the 30 s between its notice and its end', async () => {
    const [first, second] = trial.node.nodeNames;
    const bot = await withoutNode(first, () => recordingBot({ platform: 'meet' }));
    expect(bot.pod.nodeName).toBe(second);
    const beganAt = Date.now();
    let movedAfterMs = 0;
    await withTaint(second, 'cloud.google.com/impending-node-termination', async () => {
      await trial.waitForEnd(bot.pod.name, noticeMs);
      movedAfterMs = Date.now() - beganAt;
      await sleep(noticeMs - movedAfterMs);
      await trial.node.loseNode(second, [bot.pod.uid]);
      try {
        await expectMoved(bot, 'spot notice', movedAfterMs);
      } finally {
        await trial.node.recoverNode(second);
      }
    });
  });

  test('stays where its second run is refused at the lobby', async () => {
    const room = await trial.startRoom({ platform: 'meet', speakers: 2, lobby: 'wait' });
    const botId = await trial.sendBot(room);
    await trial.decideInLobby(room.code, 'admit');
    await trial.waitForRecording(botId);
    const { uid, nodeName } = await trial.podOf(botId);
    await withTaint(nodeName, 'ToBeDeletedByClusterAutoscaler', async () => {
      await trial.decideInLobby(room.code, 'refuse');
      await trial.waitForEnd((await trial.podOf(botId, 2)).name, moveWithinMs);
      expect((await trial.podOf(botId)).uid).toBe(uid);
      const { status } = await trial.waitForStatus(botId, ['in_call_recording']);
      expect(status).toBe('in_call_recording');
    });
    await trial.endRoom(room.code);
    const bot = await trial.waitForStatus(botId, ['completed']);
    expect((await trial.readJson<Report>(bot.integrity)).gaps).toEqual([]);
    expect((await trial.probe(bot.video ?? '')).streams).toEqual(['audio', 'video']);
    expect(await finalEventsOf(botId)).toEqual(['bot.completed']);
    process.stderr.write('refused at the lobby: stayed\n');
  });
});

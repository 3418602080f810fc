import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { openTrialInstallation } from './trial-installation.ts';
import type { Beeps, BotPod, Room, TrialInstallation } from './trial-installation.ts';

let trial: TrialInstallation;
const moveWithinMs = 240_000;
const foreignUser = 1_000_730_000;

beforeAll(async () => {
  const values = {
    'bots.disruption': 'move',
    'bots.leaveNodes': 'tainted',
    // As OpenShift assigns them: a user that no image has.
    'pods.securityContext': { runAsUser: foreignUser, runAsGroup: 0, fsGroup: foreignUser },
    'bots.pod.runAsUser': foreignUser,
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
  const sorted = missingMs.toSorted((left, right) => left - right);
  const median = sorted[Math.floor(sorted.length / 2)];
  report(`missing at ${sorted.length} moves: median ${median} ms, longest ${sorted.at(-1)} ms`);
  await (trial as TrialInstallation | undefined)?.stop();
});

/** Drains by seed; `DRAINS=20 npm run test:cluster -- --node moves` has more of them, and `DRAINS_FROM=9` begins with a later one. */
const [firstDrain, drains] = [Number(process.env['DRAINS_FROM'] ?? 0), Number(process.env['DRAINS'] ?? 6)];
/** Drains of one meeting, as at the upgrade of a pool: one more than there are nodes. */
const drainsPerMeeting = 3;
const meetings = Array.from({ length: Math.ceil((drains - firstDrain) / drainsPerMeeting) }, (_, index) => {
  const first = firstDrain + index * drainsPerMeeting;
  const seeds = Array.from({ length: Math.min(drainsPerMeeting, drains - first) }, (__, next) => first + next);
  return { number: Math.floor(first / drainsPerMeeting), seeds };
});
const platforms = ['meet', 'teams', 'zoom'] as const;
/** A fragment and what else is lost where two recordings meet. */
const mostMissingMs = 5_000;
/** The notice of a spot node. */
const noticeMs = 30_000;

interface RecordingBot {
  readonly platform: string;
  readonly room: Room;
  readonly botId: string;
}

const rooms: Room[] = [];
/** What is missing at each move, by the integrity reports. */
const missingMs: number[] = [];

async function startRoom(options: object): Promise<Room> {
  const room = await trial.startRoom({ speakers: 2, ...options });
  rooms.push(room);
  return room;
}

afterEach(async () => {
  // The bots of a failed test end.
  await Promise.allSettled(rooms.splice(0).map(({ code }) => trial.endRoom(code)));
});

/** A bot that records for ten seconds, in a meeting that continues. */
async function recordingBot(platform: string): Promise<RecordingBot> {
  const room = await startRoom({ platform });
  const botId = await trial.sendBot(room);
  await trial.waitForRecording(botId);
  return { platform, room, botId };
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

/** Drains the node of these bots, whose attempt of this number records, until the next ones have recorded for ten seconds. */
async function drain(bots: readonly RecordingBot[], attempt: number, what: string): Promise<void> {
  const podsOf = (number: number): Promise<BotPod[]> =>
    Promise.all(bots.map(({ botId }) => trial.podOf(botId, number)));
  const [nodeName = '', ...others] = new Set((await podsOf(attempt)).map((pod) => pod.nodeName));
  expect(others).toEqual([]);
  const beganAt = Date.now();
  const options = ['--delete-emptydir-data', '--force', '--timeout=280s', '--pod-selector=rapporteur.dev/bot'];
  try {
    await trial.node.kubectl('drain', nodeName, ...options);
  } finally {
    await trial.node.kubectl('uncordon', nodeName);
  }
  report(`${what}: ${nodeName} drained after ${Date.now() - beganAt} ms`);
  for (const pod of await podsOf(attempt + 1)) expect(pod.nodeName).not.toBe(nodeName);
  await Promise.all(bots.map(({ botId }) => trial.waitForRecording(botId)));
}

/** Standard output is that of Jest's report. */
function report(line: string): void {
  const [load = 0] = loadavg();
  process.stderr.write(`${line}, load average ${load.toFixed(1)}\n`);
}

interface Integrity {
  readonly durationMs: number;
  readonly endedCleanly: boolean;
  readonly gaps: readonly { readonly startMs: number; readonly endMs: number; readonly reason: string }[];
}

/** Ends the meeting of a bot that moved so often. What it recorded is one file, and its end one event. */
async function expectMoved({ room, botId, platform }: RecordingBot, moves: number, what: string): Promise<void> {
  await trial.endRoom(room.code);
  const bot = await trial.waitForStatus(botId, ['completed']);
  const { gaps, durationMs, endedCleanly } = await trial.readJson<Integrity>(bot.integrity);
  const { found, missing, holes } = await trial.findBeeps(bot.audio ?? '');
  const lengths = gaps.map(({ startMs, endMs }) => endMs - startMs);
  missingMs.push(...lengths, ...Array.from({ length: Math.max(0, moves - lengths.length) }, () => 0));
  const beeps = `${missing} of ${found + missing} beeps (${textOf(holes)})`;
  report(`${what} of a bot in ${platform}: ${textOf(gaps)} of ${durationMs} ms and ${beeps} missing`);
  expect(endedCleanly).toBe(true);
  expect(gaps.filter(({ reason }) => reason !== 'between_attempts')).toEqual([]);
  expect(lengths.length).toBeLessThanOrEqual(moves);
  for (const length of lengths) expect(length).toBeLessThanOrEqual(mostMissingMs);
  expect(missing * 1_000).toBeLessThanOrEqual(moves * mostMissingMs);
  const attendedMs = Date.parse(bot.exited_at ?? '') - Date.parse(bot.joined_at ?? '');
  expect(Math.abs(attendedMs - durationMs)).toBeLessThan(mostMissingMs);
  const { seconds, streams } = await trial.probe(bot.video ?? '');
  expect(streams).toEqual(['audio', 'video']);
  expect(Math.abs(seconds * 1_000 - durationMs)).toBeLessThan(mostMissingMs);
  expect(await finalEventsOf(botId)).toEqual(['bot.completed']);
}

function textOf(spans: Integrity['gaps'] | Beeps['holes']): string {
  return spans.map(({ startMs, endMs }) => `${endMs - startMs} ms from ${startMs} on`).join(', ') || 'nothing';
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
  test.each(meetings)(
    'drains $seeds: one recording, at most 5 s missing at each, and one end',
    async ({ number, seeds }) => {
      const [first, second] = trial.node.nodeNames;
      const here = [2 * number, 2 * number + 1].map((index) => platforms[index % platforms.length] ?? 'meet');
      const bots = await withoutNode(number % 2 === 0 ? second : first, () => Promise.all(here.map(recordingBot)));
      for (const [index, seed] of seeds.entries()) {
        // Moments between two fragments are different ones.
        await sleep((seed * 1_700) % 8_000);
        await drain(bots, index + 1, `drain ${seed} (${here.join(' and ')})`);
      }
      await Promise.all(bots.map((bot) => expectMoved(bot, seeds.length, `drains ${seeds.join(', ')}`)));
    },
  );

  test('leaves a spot node in the 30 s between its notice and its end', async () => {
    const [first, second] = trial.node.nodeNames;
    const bot = await withoutNode(first, () => recordingBot('meet'));
    const pod = await trial.podOf(bot.botId);
    expect(pod.nodeName).toBe(second);
    const beganAt = Date.now();
    await withTaint(second, 'cloud.google.com/impending-node-termination', async () => {
      await trial.waitForEnd(pod.name, noticeMs);
      const movedAfterMs = Date.now() - beganAt;
      await sleep(noticeMs - movedAfterMs);
      await trial.node.loseNode(second, [pod.uid]);
      try {
        expect((await trial.podOf(bot.botId, 2)).nodeName).toBe(first);
        await trial.waitForRecording(bot.botId);
        await expectMoved(bot, 1, `spot notice, left after ${movedAfterMs} ms`);
      } finally {
        await trial.node.recoverNode(second);
      }
    });
  });

  test('stays where its second run is refused at the lobby', async () => {
    const room = await startRoom({ platform: 'meet', lobby: 'wait' });
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
    expect((await trial.readJson<Integrity>(bot.integrity)).gaps).toEqual([]);
    expect((await trial.probe(bot.video ?? '')).streams).toEqual(['audio', 'video']);
    expect(await finalEventsOf(botId)).toEqual(['bot.completed']);
    report('refused at the lobby: stayed');
  });
});

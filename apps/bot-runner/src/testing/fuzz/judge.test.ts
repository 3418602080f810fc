import { describe, expect, test } from '@jest/globals';
import type { RunnerReport } from '@rapporteur/contracts';
import { sampleRoom } from './sample-room.ts';
import type { FuzzedRoom } from './sample-room.ts';
import { botName, judge } from './judge.ts';
import type { FuzzedRun } from './judge.ts';

const sampled: FuzzedRoom = {
  ...sampleRoom(1),
  lobby: 'admits',
  faults: [],
  blow: null,
  timeouts: {
    waiting_room_timeout: 12,
    no_one_joined_timeout: 15,
    silence_timeout: 20,
    grace_period: 0,
    max_recording_duration: 20,
  },
};
const at = (second: number): string => new Date(second * 1_000).toISOString();
const status = (code: string, second: number) => ({ kind: 'status', code, at: at(second) });
const ended = (code: string, second: number) => ({
  kind: 'attendance-ended',
  at: at(second),
  end: { code, message: 'Words.', recorded: true },
});
const logged = (kind: string, second: number, text?: string) => ({
  at: second * 1_000,
  kind,
  who: kind === 'fault' || kind === 'meetingEnded' ? null : botName,
  ...(text === undefined ? {} : { text }),
});

const unrecorded = { code: 'TIMEOUT_WAITING_TO_START', message: 'Words.', recorded: false };

/** A bot that joined, recorded for its 20 s and left. */
const good = {
  sampled,
  exitCode: 0 as FuzzedRun['exitCode'],
  tookMs: 30_000,
  struck: false,
  orphans: 0,
  decodeErrors: [] as string[],
  playsMs: 20_000,
  log: [logged('admitted', 5), logged('joined', 5), logged('left', 26)],
  reports: [
    status('in_waiting_room', 4),
    status('in_call_not_recording', 5),
    status('in_call_recording', 6),
    ended('RECORDING_TIMEOUT', 27),
    { kind: 'recording-stored', durationMs: 20_300 },
  ],
};
const judged = (changes: Partial<typeof good>): string[] =>
  judge({ ...good, ...changes, reports: (changes.reports ?? good.reports) as unknown as RunnerReport[] });
const endingWith = (code: string, second = 27) => [...good.reports.slice(0, 3), ended(code, second), good.reports[4]!];

describe('the judge of a fuzzed run', () => {
  test('finds nothing wrong with a bot that came, recorded and went', () => {
    expect(judged({})).toEqual([]);
  });

  test.each<[string, Partial<typeof good>, RegExp]>([
    ['hangs', { exitCode: 'hangs' }, /hangs/],
    ['fails', { exitCode: 1 }, /exit code 1/],
    ['leaves a browser behind', { orphans: 2 }, /2 processes/],
    ['ends twice', { reports: [...good.reports, ended('RECORDING_TIMEOUT', 28)] }, /2 reports of an end/],
    ['says nothing of its end', { reports: good.reports.slice(0, 3) }, /0 reports of an end/],
    ['stays too long', { reports: endingWith('RECORDING_TIMEOUT', 80) }, /stayed 74 s of 20 s/],
    ['is still there', { log: good.log.slice(0, 2) }, /are still in the call/],
    ['stores what does not play', { decodeErrors: ['broken'] }, /does not decode: broken/],
    ['stores less than it says', { playsMs: 4_000 }, /plays 4000 ms instead of 20300 ms/],
    ['says it was removed when it was not', { reports: endingWith('BOT_REMOVED') }, /ended with BOT_REMOVED/],
    ['says that it broke when nothing did', { reports: endingWith('INTERNAL_ERROR') }, /ended with INTERNAL_ERROR/],
  ])('sees that a bot %s', (_what, changes, problem) => {
    expect(judged(changes).join('; ')).toMatch(problem);
  });

  test('reports a bot that was in the call twice, but not for the moment of a page that is closing', () => {
    const twice = (seconds: number) => {
      const second = [logged('joined', 10), logged('left', 10 + seconds)];
      return [logged('joined', 5), ...second, logged('left', 26)];
    };
    expect(judged({ log: twice(15) }).join()).toMatch(/twice for 15 s/);
    expect(judged({ log: twice(3) })).toEqual([]);
  });

  test('lets a bot say what the room did', () => {
    const removed = [...good.log.slice(0, 2), logged('removed', 20)];
    expect(judged({ log: removed, reports: endingWith('BOT_REMOVED') })).toEqual([]);
    const cut = [logged('fault', 3, 'network-loss seconds=3'), ...good.log.slice(0, 1)];
    const waited = [status('in_waiting_room', 4), { ...ended('TIMEOUT_WAITING_TO_START', 17), end: unrecorded }];
    expect(judged({ log: cut, reports: waited as typeof good.reports })).toEqual([]);
    const still = [logged('fault', 3, 'page-frozen seconds=20'), ...good.log.slice(0, 1)];
    expect(judged({ log: still, reports: waited as typeof good.reports })).toEqual([]);
    expect(judged({ log: good.log.slice(0, 1), reports: waited as typeof good.reports }).join()).toMatch(
      /ended with TIME/,
    );
    const killed = { ...sampled, blow: { what: 'renderer', afterMs: 8_000 } as const };
    const lineLost = [...good.log, logged('fault', 10, 'network-loss seconds=8')];
    const lost = { sampled: killed, struck: true, reports: endingWith('INTERNAL_ERROR') };
    expect(judged({ ...lost, log: lineLost } as Partial<typeof good>)).toEqual([]);
    expect(judged(lost as Partial<typeof good>).join()).toMatch(/ended with INTERNAL_ERROR/);
    const over = [...good.log.slice(0, 2), logged('meetingEnded', 20)];
    expect(judged({ log: over, reports: endingWith('BOT_REMOVED') })).toEqual([]);
  });

  test('draws the same room for the same seed, and others for others', () => {
    expect(sampleRoom(7)).toEqual(sampleRoom(7));
    expect(new Set(Array.from({ length: 60 }, (_, seed) => sampleRoom(seed).blow?.what)).size).toBe(5);
  });
});

import { describe, expect, test } from '@jest/globals';
import { judgeFault, planOf } from './judge-fault.ts';
import type { FaultOutcome } from './judge-fault.ts';
import { campaignTable } from './kills.ts';
import { sentAtMs } from './inject-fault.ts';

/** A runner that was killed ten seconds into its recording, of which 8.5 s are stored. */
const killed: FaultOutcome = {
  plan: { fault: 'runner', seed: 1, afterMs: 10_000 },
  faultAtMs: 110_000,
  recordingSinceMs: 100_100,
  runnerDied: true,
  exitCode: 0,
  exitedAtMs: 113_000,
  ends: [],
  storedMs: 8_500,
  files: [{ key: 'artifacts/video.mp4', errors: [], lengthMs: 8_510 }],
  startedAtMs: 100_000,
  contentStartMs: 99_850,
  delayMs: 150,
  lengthMs: 8_510,
  timeJumps: 0,
  gaps: [],
};
const drained: FaultOutcome = {
  ...killed,
  plan: { ...killed.plan, fault: 'drain' },
  exitCode: 143,
  runnerDied: false,
  ends: [{ code: 'SIGTERM', recorded: true }],
  storedMs: 10_100,
  lengthMs: 10_100,
  files: [{ key: 'artifacts/video.mp4', errors: [], lengthMs: 10_100 }],
};
const away: FaultOutcome = {
  ...killed,
  plan: { ...killed.plan, fault: 'chromium' },
  runnerDied: false,
  ends: [{ code: 'API_REQUEST', recorded: true }],
  storedMs: 20_000,
  lengthMs: 20_000,
  files: [{ key: 'artifacts/video.mp4', errors: [], lengthMs: 20_000 }],
  gaps: [{ startMs: 8_500, endMs: 14_000, reason: 'page_lost' }],
};
const problemsOf = (outcome: FaultOutcome, more: Partial<FaultOutcome> = {}) =>
  judgeFault({ ...outcome, ...more }).problems;

describe('a killed runner', () => {
  test('loses what the simulator sent between the end of its file and the fault', () => {
    expect(judgeFault(killed)).toEqual({ lostMs: 1_640, awayMs: null, problems: [] });
  });

  test('may not lose more than a fragment and what is on its way', () => {
    expect(problemsOf(killed, { faultAtMs: 114_000 })).toEqual(['5640 ms are lost; at most 5000 may be']);
  });

  test('may have stored nothing while less than a fragment was recorded, and not later', () => {
    const nothing = { storedMs: null, lengthMs: null, startedAtMs: null, contentStartMs: null, files: [] };
    expect(problemsOf(killed, { ...nothing, faultAtMs: 103_000 })).toEqual([]);
    expect(problemsOf(killed, nothing)).toEqual(['9900 ms are lost; at most 5000 may be', 'no recording was stored']);
  });

  test('is judged by the recording’s own clock where no video is in it yet', () => {
    expect(judgeFault({ ...killed, contentStartMs: null }).lostMs).toBe(1_490);
    expect(problemsOf(killed, { lengthMs: null })).toContain('the stored recording has no video');
  });

  test('is found out when a file does not play, is not as long as it is said to be, or left the room’s clock', () => {
    const file = { key: 'artifacts/audio.flac', errors: ['broken'], lengthMs: 5_000 };
    expect(problemsOf(killed, { files: [file], timeJumps: 1 })).toEqual([
      'artifacts/audio.flac does not play to its end: broken',
      'artifacts/audio.flac plays 5000 ms and is said to be 8500 ms long',
      "the recording's clock and the room's moved apart 1 times",
    ]);
  });

  test('states nothing of an end itself, and the run after it ends well', () => {
    expect(problemsOf(killed, { ends: [{ code: 'SIGTERM', recorded: true }], exitCode: 4 })).toEqual([
      'the last run ended with 4',
      'a killed runner reported an end',
    ]);
  });
});

describe('a lost browser', () => {
  test('loses what was sent before the fault, and the time away is reported beside it', () => {
    expect(judgeFault(away)).toEqual({ lostMs: 1_650, awayMs: 5_500, problems: [] });
  });

  test('is found out when the recording does not state what it lacks', () => {
    expect(problemsOf(away, { gaps: [] })).toContain('the recording does not say that something is missing');
  });
});

describe('a runner requested to stop', () => {
  test('loses nothing but what was still in transit to it', () => {
    expect(judgeFault(drained)).toMatchObject({ lostMs: 0, problems: [] });
    expect(problemsOf(drained, { faultAtMs: 110_300 })).toEqual(['200 ms are lost; at most 150 may be']);
  });

  test('is found out when it takes long, or reports another end, or stores nothing', () => {
    expect(problemsOf(drained, { exitedAtMs: 136_000, ends: [] })).toEqual([
      'it took 26000 ms to end; 25000 may be',
      'its end was reported as nothing',
    ]);
    expect(problemsOf(drained, { storedMs: null })).toContain('no recording was stored');
  });
});

describe('a campaign', () => {
  test('has its fault at the same moment for the same seed, and all over the recording', () => {
    const moments = Array.from({ length: 200 }, (_, seed) => planOf('runner', seed).afterMs);
    expect(planOf('runner', 7)).toEqual(planOf('runner', 7));
    expect(Math.min(...moments)).toBeLessThan(2_000);
    expect(Math.max(...moments)).toBeGreaterThan(20_000);
    expect(new Set(moments).size).toBeGreaterThan(190);
  });

  test('reckons when the first frame was sent by the round of the room’s loop that is nearest', () => {
    expect(sentAtMs({ nearMs: 100_150, clockZeroMs: 50_000, roomAtZeroMs: 5_000 })).toBe(100_000);
    expect(sentAtMs({ nearMs: null, clockZeroMs: 50_000, roomAtZeroMs: 5_000 })).toBeNull();
  });

  test('counts what went wrong, also where nothing could be judged', () => {
    const good = { plan: killed.plan, outcome: killed, verdict: judgeFault(killed) };
    const none = { plan: killed.plan, outcome: null, verdict: { lostMs: NaN, awayMs: null, problems: ['It hung.'] } };
    expect(campaignTable(['runner'], [good, none]).at(-1)).toBe(
      '| SIGKILL of runner | 2 | 1.64 (1.64) |  | 3.00 (3.00) | 1 of 1 | 1 of 2 |',
    );
  });
});

import { describe, expect, test } from '@jest/globals';
import { compare } from './recorder.ts';
import type { Figures, Round } from './recorder.ts';
import { contendersOf } from './contenders.ts';
import { growthTable } from './growth.ts';
import { frameShareOf, jumpProblems, sizeProblems } from './judge-take.ts';
import { sizingRow } from './sizing.ts';

const take = (cpuPerMinute: number, more: Partial<Figures> = {}): Figures => ({
  cpuPerMinute,
  setupCpu: 3,
  endCpu: 1,
  peakPssMb: cpuPerMinute * 10,
  frameShare: 0.995,
  captureStrategies: ['tracks'],
  refusals: [],
  load: 1,
  ...more,
});
const round = (takes: Record<string, Figures | string>): Round => new Map(Object.entries(takes));

describe('what is measured', () => {
  test('is every view with every capture strategy, each after the reference for the same', () => {
    const names = contendersOf(['speaker_view', 'gallery_view', 'audio_only'], ['auto', 'tab']).map(({ name }) => name);
    expect(names).toEqual([
      'reference bot',
      'attends',
      'speaker_view',
      'speaker_view tab',
      'gallery_view',
      'gallery_view tab',
      'reference bot, audio',
      'audio_only',
    ]);
    expect(contendersOf(['audio_only'], ['tab']).map(({ name }) => name)).toEqual([
      'reference bot, audio',
      'audio_only',
    ]);
  });
});

describe('a comparison', () => {
  const contenders = contendersOf(['speaker_view'], ['auto']);

  test('reports the median ratio of the rounds beside its goal', () => {
    const { rows, refused } = compare(contenders, [
      round({ 'reference bot': take(40), speaker_view: take(8) }),
      round({ 'reference bot': take(20), speaker_view: take(12) }),
    ]);
    expect(refused).toEqual([]);
    expect(rows.at(-1)).toContain('0.40 (0.20 to 0.60) | ≤ 0.75: met');
  });

  test('makes no ratio of a pair in which one of both did not record what it should, and states why', () => {
    const { rows, refused } = compare(contenders, [
      round({ 'reference bot': take(40, { refusals: ['Frames are missing.'] }), speaker_view: take(8) }),
      round({ 'reference bot': take(30), speaker_view: take(24) }),
      round({ 'reference bot': take(30), speaker_view: 'The runner ended early.' }),
    ]);
    expect(refused).toEqual([
      'Round 1, reference bot: no figure. Frames are missing.',
      'Round 3, speaker_view: no figure. The runner ended early.',
    ]);
    expect(rows.at(-1)).toContain('0.80 (0.80 to 0.80) | ≤ 0.75: missed');
    expect(rows.at(-1)).toMatch(/\| 2 \|$/);
  });

  test('has no figure at all where nothing was recorded right', () => {
    const { rows } = compare(contenders, [
      round({ 'reference bot': 'It broke.', speaker_view: take(8, { refusals: ['No.'] }) }),
    ]);
    expect(rows.slice(-2).every((row) => row.includes('no figure'))).toBe(true);
  });
});

describe('a recording', () => {
  const file = { startMs: 0, durationMs: 10_000, audio: null };

  test('has the share of the frames that its length requires', () => {
    expect(frameShareOf({ file: { ...file, video: null }, video: { uniqueFrames: 245 } as never }, 25)).toBe(0.98);
    expect(frameShareOf({ file: { ...file, video: null }, video: null }, 25)).toBeNull();
  });

  test('is refused for time that is lost, not for a frame that is repeated until the next one comes', () => {
    const of = (...jumps: [number, number][]) =>
      jumpProblems({ video: { timeJumps: jumps.map(([atMs, byMs]) => ({ atMs, byMs })) } as never });
    expect(of([12_264, -288], [12_273, 270])).toEqual([]);
    expect(of([12_264, -288])).toEqual(["-288 ms of the room's time are missing at 12264 ms."]);
    expect(of([1_000, -288], [9_000, 288])).toHaveLength(2);
    expect(jumpProblems({ video: null })).toEqual([]);
  });

  test('is refused in any size but the shown and the received one', () => {
    const of = (width: number, height: number) =>
      sizeProblems({ file: { ...file, video: { codec: 'h264', width, height } } });
    expect(of(1_280, 720)).toEqual([]);
    expect(of(640, 360)).toEqual([]);
    expect(of(320, 180)).toEqual(['The video is 320x180; 1280x720 or 640x360 are right.']);
    expect(sizeProblems({ file: { ...file, video: null } })).toEqual([]);
  });
});

describe('the growth of memory', () => {
  const samples = (minutes: number) =>
    Array.from({ length: minutes * 60 }, (_, second) => ({
      atMs: second * 1_000,
      // A browser that fills its caches for two minutes, and a runner that retains a little of every minute.
      byKind: { browser: 300 + Math.min(second, 120), node: 100 + second / 60 },
      // Half of what the runner retains is pages of its program, because another process of it has ended.
      ownByKind: { browser: 100, node: 50 + second / 120 },
    }));

  test('is reported without the warming up, for each kind of process', () => {
    const table = growthTable({ samples: samples(10), fromMs: 0, untilMs: 600_000 }, 'speaker_view').join('\n');
    expect(table).toContain('| **whole tree** | 1.00 | 0.50 |');
    expect(table).toContain('| browser | 0.00 | 0.00 |');
    expect(table).toContain('after 2 of warming up');
    expect(table).toContain('Goal ≤ 0.5: missed');
  });

  test('reports it when the run was too short to warm up', () => {
    const table = growthTable({ samples: samples(1), fromMs: 0, untilMs: 60_000 }, 'x');
    expect(table[0]).toContain('warming up included');
    expect(table.at(-1)).toContain('Too short');
  });
});

describe('a row of the sizing table', () => {
  test('has cores and memory of each bot, and states when one of them recorded less than it should', () => {
    const row = sizingRow('speaker_view', 2, [take(12), take(18, { refusals: ['No.'] })]);
    expect(row).toContain('| 2 | 0.20 and 0.30 | 120 and 180 |');
    expect(row).toContain('| 1 of 2 not |');
    expect(sizingRow('audio_only', 1, ['It broke.'])).toContain('| 1 of 1 not |');
  });
});

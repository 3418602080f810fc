import { describe, expect, test } from '@jest/globals';
import { Degradation } from './degradation.page.ts';

/** Observes a lateness each 100 ms; returns the changes as [seconds, step]. */
function run(machine: Degradation, spans: readonly (readonly [seconds: number, lateMs: number])[], fromMs = 0) {
  const changes: [number, string | null][] = [];
  let nowMs = fromMs;
  for (const [seconds, lateMs] of spans)
    for (const untilMs = nowMs + seconds * 1_000; nowMs < untilMs; nowMs += 100)
      if (machine.observe(lateMs, nowMs)) changes.push([Math.round(nowMs / 1_000), machine.step]);
  return changes;
}

describe('with less CPU than it needs a recording', () => {
  test('gives up frame rate, then frame size, then incoming video, and never more', () => {
    const changes = run(new Degradation(), [[120, 400]]);
    expect(changes.map(([, step]) => step)).toEqual(['frame_rate', 'frame_size', 'incoming_video']);
    expect(changes[0]?.[0]).toBeLessThanOrEqual(5);
    expect(changes.at(-1)?.[0]).toBeLessThanOrEqual(12);
  });

  test('gives up nothing for a short stall, a usual lateness, or a machine that was suspended', () => {
    expect(
      run(new Degradation(), [
        [10, 0],
        [0.3, 900],
        [10, 0],
      ]),
    ).toEqual([]);
    expect(run(new Degradation(), [[300, 45]])).toEqual([]);
    expect(
      run(new Degradation(), [
        [10, 0],
        [0.1, 3_600_000],
        [10, 0],
      ]),
    ).toEqual([]);
  });

  test('is late before it gives up anything, while it does, and no more once CPU is free', () => {
    const machine = new Degradation();
    const lateAfter = (seconds: number, lateMs: number, fromS: number): boolean => {
      run(machine, [[seconds, lateMs]], fromS * 1_000);
      return machine.isLate;
    };
    expect(lateAfter(10, 15, 0)).toBe(false);
    expect([lateAfter(10, 50, 10), machine.step]).toEqual([true, null]);
    expect([lateAfter(2, 300, 20), machine.step]).toEqual([true, 'frame_rate']);
    expect([lateAfter(15, 5, 22), machine.step]).toEqual([true, 'frame_rate']);
    expect([lateAfter(10, 5, 37), machine.step]).toEqual([false, null]);
  });

  test('stops at the step that is enough, and stays there while the lateness is between the limits', () => {
    expect(
      run(new Degradation(), [
        [2, 300],
        [200, 45],
      ]).map(([, step]) => step),
    ).toEqual(['frame_rate']);
  });

  test('gives up video sooner where audio is impaired, and nothing for impaired audio of a machine that is not late', () => {
    const stepsOf = (lateMs: number): [number, string | null][] => {
      const machine = new Degradation();
      const changes: [number, string | null][] = [];
      for (let nowMs = 0; nowMs < 60_000; nowMs += 100)
        if (machine.observe(lateMs, nowMs, nowMs < 30_000)) changes.push([nowMs, machine.step]);
      return changes;
    };
    expect(stepsOf(50).map(([, step]) => step)).toEqual(['frame_rate', 'frame_size', 'incoming_video']);
    expect(stepsOf(50).at(-1)?.[0]).toBeLessThanOrEqual(15_000);
    expect(stepsOf(15)).toEqual([]);
    const machine = new Degradation();
    for (let nowMs = 0; nowMs < 10_000; nowMs += 100) machine.observe(0, nowMs);
    expect(
      [12_000, 12_100, 13_200, 14_000].map((nowMs) => machine.observe(nowMs === 12_000 ? 1_900 : 0, nowMs, true)),
    ).toEqual(Array(4).fill(false));
  });

  test('takes the steps back one after the other once CPU is free', () => {
    const changes = run(new Degradation(), [
      [20, 400],
      [100, 5],
    ]);
    expect(changes.slice(3).map(([, step]) => step)).toEqual(['frame_size', 'frame_rate', null]);
    const [first, second, third] = changes.slice(3).map(([atS]) => atS);
    expect(first! - 20).toBeGreaterThanOrEqual(20);
    for (const heldS of [second! - first!, third! - second!]) expect(Math.abs(heldS - 21.5)).toBeLessThan(2);
  });

  test('waits longer after it was too early, up to a limit, and as before after a quiet time', () => {
    const machine = new Degradation();
    const holds: number[] = [];
    let nowMs = 0;
    // Every recovery is followed by a relapse.
    for (let turn = 0; turn < 6; turn += 1) {
      for (; machine.step === null; nowMs += 100) machine.observe(400, nowMs);
      const degradedAtMs = nowMs;
      for (; machine.step !== null; nowMs += 100) machine.observe(0, nowMs);
      holds.push(Math.round((nowMs - degradedAtMs) / 10_000) * 10);
    }
    expect(holds.slice(0, 3)).toEqual([20, 40, 80].map((s) => expect.closeTo(s + 5, -1.3)));
    expect(holds.at(-1)).toBeLessThanOrEqual(170);
    run(machine, [[100, 0]], nowMs);
    nowMs += 100_000;
    for (; machine.step === null; nowMs += 100) machine.observe(400, nowMs);
    const degradedAtMs = nowMs;
    for (; machine.step !== null; nowMs += 100) machine.observe(0, nowMs);
    expect(nowMs - degradedAtMs).toBeLessThan(30_000);
  });
});

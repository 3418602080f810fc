import { describe, expect, test } from '@jest/globals';
import { AttendanceHarness, inCall } from '../testing/attendance-harness.ts';

// The machine's time of day is corrected while the bot attends: of a machine that has just started, or was suspended.

const minuteMs = 60_000;
const corrections = [-10, 10].map((minutes) => [minutes, minutes * minuteMs] as const);

/** Seconds until the bot leaves, when the time is corrected after the first minute. */
async function secondsUntilEnd(harness: AttendanceHarness, correctedMs: number): Promise<number> {
  for (let seconds = 0; seconds < 7_200; seconds += 1) {
    if (harness.attended !== null) return seconds;
    if (seconds === 60) harness.clock.correct(correctedMs);
    await harness.clock.advance(1_000);
  }
  throw new Error('The bot does not leave.');
}

describe.each(corrections)('a correction by %i minutes', (_minutes, correctedMs) => {
  test('in the waiting room changes nothing about how long the bot waits', async () => {
    const harness = new AttendanceHarness();
    await harness.waitInLobby();
    expect(await secondsUntilEnd(harness, correctedMs)).toBe(120);
    expect(harness.attended?.end.code).toBe('TIMEOUT_WAITING_TO_START');
  });

  test('in a meeting without participants does not end it early or late', async () => {
    const harness = await inCall();
    expect(await secondsUntilEnd(harness, correctedMs)).toBe(180);
    expect(harness.attended?.end.code).toBe('NO_ATTENDEES');
  });

  test('in a silent meeting does not end it early or late', async () => {
    const harness = await inCall();
    harness.appears('Ann');
    expect(await secondsUntilEnd(harness, correctedMs)).toBe(300);
    expect(harness.attended?.end.code).toBe('NO_SPEAKER');
  });

  test('changes neither the longest recording nor the recorded time', async () => {
    const harness = await inCall();
    harness.appears('Ann');
    harness.rms = 0.1;
    expect(await secondsUntilEnd(harness, correctedMs)).toBe(3_600);
    const { code, joinedAt, exitedAt } = harness.attended!.end;
    expect(code).toBe('RECORDING_TIMEOUT');
    // Both as the corrected time of day says.
    expect(exitedAt).toBe(new Date(harness.clock.now()).toISOString());
    expect(Date.parse(exitedAt!) - Date.parse(joinedAt!)).toBe(3_600_000);
  });

  test('before the scheduled time moves the moment to join', async () => {
    const joinAtMs = Date.UTC(2026, 0, 1) + 20 * minuteMs;
    const harness = new AttendanceHarness({}, new Date(joinAtMs).toISOString());
    await harness.clock.advance(5 * minuteMs);
    harness.clock.correct(correctedMs);
    await harness.clock.advance(joinAtMs - harness.clock.now() - 11_000);
    expect(harness.requestAtMs).toBeUndefined();
    await harness.clock.advance(1_000);
    expect(harness.requestAtMs).toBe(joinAtMs);
  });
});

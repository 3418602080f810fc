import { describe, expect, test } from '@jest/globals';
import { HealthChecks } from './health-checks.ts';
import type { Finding, FunctionObservation } from './health-checks.ts';

type Changes = Partial<Omit<FunctionObservation, 'session' | 'recorder'>> & {
  readonly session?: Partial<FunctionObservation['session']>;
  readonly recorder?: Partial<Omit<FunctionObservation['recorder'], 'audioLevel'>>;
  readonly audioLevel?: Partial<FunctionObservation['recorder']['audioLevel']>;
};

/** A bot that is in the call and records since second 0, healthy except for the changes of the test. */
function observed(second: number, changes: Changes): FunctionObservation {
  const nowMs = second * 1_000;
  return {
    nowMs,
    inCallSinceMs: 0,
    recordsSinceMs: 0,
    withVideo: true,
    mayReturn: true,
    ...changes,
    session: {
      pageRespondedAtMs: nowMs,
      rosterReadAtMs: nowMs,
      speechAtMs: null,
      certainSpeechAtMs: null,
      ...changes.session,
    },
    recorder: {
      lastVideoChunkAtMs: nowMs,
      lastAudioChunkAtMs: nowMs,
      framesReceived: 0,
      framesEncoded: 0,
      framesDropped: 0,
      fragmentsClosed: Math.floor(second / 2),
      fragmentsWaiting: 0,
      isLate: false,
      bytes: 0,
      degraded: null,
      lastError: null,
      ...changes.recorder,
      audioLevel: { peak: 0.2, rms: 0.1, tracks: 3, lastDataAtMs: nowMs, captureAlive: true, ...changes.audioLevel },
    },
  };
}

/** Polls each second from 1 to `seconds`; returns each finding with its time. */
function watch(seconds: number, changes: (second: number) => Changes): [number, Finding['trouble'], string][] {
  const watchdog = new HealthChecks();
  return Array.from({ length: seconds }, (_, index) => index + 1).flatMap((second) => {
    const finding = watchdog.poll(observed(second, changes(second)));
    return finding === null ? [] : [[second, finding.trouble, finding.action] as [number, Finding['trouble'], string]];
  });
}

const stillAt = { lastAudioChunkAtMs: 1_000, lastVideoChunkAtMs: 1_000 };

describe('the watchdog', () => {
  test('finds nothing in a bot that works, in a silent meeting without any camera, or where only sound is recorded', () => {
    expect(watch(120, () => ({}))).toEqual([]);
    expect(watch(120, () => ({ audioLevel: { peak: 0, tracks: 0 } }))).toEqual([]);
    expect(watch(120, () => ({ withVideo: false, recorder: { lastVideoChunkAtMs: null } }))).toEqual([]);
  });

  test.each<[Finding['trouble'], (second: number) => Changes]>([
    ['page-unresponsive', () => ({ session: { pageRespondedAtMs: 1_000 } })],
    ['refused-in-vain', () => ({ session: { refusalIneffectiveSinceMs: 1_000 } })],
    ['audio-frozen', () => ({ recorder: { lastAudioChunkAtMs: 1_000 } })],
    ['audio-frozen', () => ({ audioLevel: { lastDataAtMs: 1_000 } })],
    ['recording-stuck', () => ({ recorder: { fragmentsClosed: 1 } })],
    ['video-frozen', () => ({ recorder: { lastVideoChunkAtMs: 1_000 } })],
    ['audio-silent', (second) => ({ audioLevel: { peak: 0 }, session: { certainSpeechAtMs: second * 1_000 } })],
    ['roster-unreadable', () => ({ session: { rosterReadAtMs: 1_000 } })],
  ])('notices %s within 15 s', (trouble, changes) => {
    const [first] = watch(16, changes);
    expect(first?.[1]).toBe(trouble);
    expect(first?.[0]).toBeLessThanOrEqual(1 + 15);
  });

  test('blames nothing for a minute in which the runner itself was suspended, and notices what stays wrong after it', () => {
    const watchdog = new HealthChecks();
    const still = { session: { pageRespondedAtMs: 1_000 }, recorder: stillAt };
    watchdog.poll(observed(1, {}));
    expect(watchdog.poll(observed(61, still))).toBeNull();
    const found = Array.from({ length: 15 }, (_, index) => watchdog.poll(observed(62 + index, still)));
    expect(found.find((finding) => finding !== null)?.trouble).toBe('audio-frozen');
  });

  test('blames nothing while the page gets its connection back, for a minute', () => {
    const lost = { session: { connectionLostSinceMs: 1_000 }, recorder: stillAt };
    expect(watch(60, () => lost)).toEqual([]);
    const [first] = watch(90, () => lost);
    expect([first?.[1], (first?.[0] ?? 0) <= 61 + 15]).toEqual(['audio-frozen', true]);
  });

  test('goes from the gentlest remedy to the end, and gives each time to show', () => {
    const found = watch(60, () => ({ recorder: stillAt }));
    expect(found.filter(([, trouble]) => trouble === 'audio-frozen')).toEqual([
      [9, 'audio-frozen', 'renew-capture'],
      [17, 'audio-frozen', 'new-page'],
      [25, 'audio-frozen', 'new-browser'],
      [33, 'audio-frozen', 'end'],
    ]);
  });

  test('without another way back it ends with the truth, or lives with what is not worth an end', () => {
    expect(watch(30, () => ({ mayReturn: false, session: { pageRespondedAtMs: 1_000 } }))).toEqual([
      [11, 'page-unresponsive', 'end'],
    ]);
    expect(watch(60, () => ({ mayReturn: false, recorder: { lastVideoChunkAtMs: 1_000 } }))).toEqual([
      [9, 'video-frozen', 'renew-capture'],
      [17, 'video-frozen', 'bear'],
    ]);
  });

  test('does not restart a capture that gives up video for lack of CPU: that would cost audio', () => {
    const degraded = { degraded: 'frame_rate', lastVideoChunkAtMs: null } as const;
    expect(watch(120, () => ({ recorder: degraded }))).toEqual([]);
    const firstFrameAt = 25;
    expect(
      watch(120, (second) => ({
        recorder: { ...degraded, fragmentsClosed: second < firstFrameAt ? 0 : Math.floor(second / 2) },
      })),
    ).toEqual([]);
    expect(watch(31, () => ({ recorder: { ...degraded, fragmentsClosed: 0 } }))).toEqual([
      [31, 'recording-stuck', 'renew-capture'],
    ]);
    expect(watch(20, () => ({ recorder: { ...degraded, lastAudioChunkAtMs: 1_000 } }))[0]?.[1]).toBe('audio-frozen');
  });

  test('gives up no place in the call for a list of participants that is not reported', () => {
    expect(watch(60, () => ({ session: { rosterReadAtMs: 1_000 } }))).toEqual([[13, 'roster-unreadable', 'bear']]);
  });

  test('comes back once without refusing pictures, counted from when the bot was let in', () => {
    const vain = { session: { refusalIneffectiveSinceMs: -60_000 } };
    expect(watch(60, () => vain)).toEqual([
      [12, 'refused-in-vain', 'new-page'],
      [20, 'refused-in-vain', 'bear'],
    ]);
    expect(watch(60, () => ({ ...vain, mayReturn: false }))).toEqual([[12, 'refused-in-vain', 'bear']]);
  });

  test('what it lives with hides nothing worse that comes later', () => {
    const found = watch(100, (second) => ({
      mayReturn: false,
      recorder: { lastVideoChunkAtMs: 1_000, ...(second > 60 ? { lastAudioChunkAtMs: 60_000 } : {}) },
    }));
    expect(found.map(([, trouble]) => trouble)).toContain('audio-frozen');
  });

  test('does not report short speech, or speech that is recorded, as broken audio', () => {
    const now = (second: number) => ({ session: { certainSpeechAtMs: second * 1_000 } });
    expect(watch(120, (second) => ({ ...now(second), audioLevel: { peak: second % 5 === 0 ? 0.1 : 0 } }))).toEqual([]);
  });

  test('takes a voice that may be its own, or a mere guess, for no broken sound', () => {
    const guess = (second: number) => ({ session: { speechAtMs: second * 1_000 }, audioLevel: { peak: 0 } });
    expect(watch(60, guess)).toEqual([]);
  });

  test('looks at no recording that is paused, and starts anew after it', () => {
    expect(watch(60, () => ({ recordsSinceMs: null, recorder: stillAt }))).toEqual([]);
    const [first] = watch(60, () => ({ recordsSinceMs: 30_000, recorder: stillAt }));
    expect(first?.[0]).toBe(38);
  });

  test('does not come back for a list of people that this page never showed', () => {
    expect(watch(120, () => ({ session: { rosterReadAtMs: null } }))).toEqual([]);
  });

  test('begins with the first remedy again when a trouble comes back after a long time', () => {
    const broken = (second: number) => second < 12 || second > 200;
    const found = watch(215, (second) =>
      broken(second) ? { recorder: { lastAudioChunkAtMs: second < 12 ? 1_000 : 200_000 } } : {},
    );
    expect(found.map(([, , action]) => action)).toEqual(['renew-capture', 'renew-capture']);
  });
});

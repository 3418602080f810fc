import { describe, expect, test } from '@jest/globals';
import { createRecorder } from './index.ts';
import type { RecorderPage, RecordingFragment } from './index.ts';
import type { RecorderOptions } from './recorder-ports.ts';

/** A page whose capture returns what the test sets. */
class FakePage implements RecorderPage {
  readonly requested: string[] = [];
  /** Responses to evaluations, by a word in the expression. */
  responses: Readonly<Record<string, () => unknown>> = {};
  #take: (text: string) => Promise<void> = async () => undefined;

  async addInitScript(): Promise<void> {
    this.requested.push('script');
  }

  async exposeBinding(_name: string, receive: (text: string) => Promise<void>): Promise<void> {
    this.#take = receive;
  }

  async evaluate(expression: string): Promise<unknown> {
    const word = Object.keys(this.responses).find((one) => expression.includes(`rapporteurRecorder.${one}(`));
    const start = /return await globalThis\.rapporteurRecorder\.start\((.*)\);/.exec(expression)?.[1];
    if (start !== undefined) this.requested.push(`start ${start}`);
    return this.responses[word ?? '']?.() ?? {};
  }

  /** The continuation of the last start. */
  get continuation(): unknown {
    const start = this.requested.findLast((line) => line.startsWith('start '));
    return (JSON.parse(start?.slice(6) ?? '{}') as { continuation: unknown }).continuation;
  }

  /** Audio of media time `fromMs`..`toMs`. */
  async send(run: number, sequence: number, fromMs: number, toMs: number, more: object = {}): Promise<void> {
    const count = (toMs - fromMs) / 20;
    const chunks = Array.from({ length: count }, (_, index) => [1, (fromMs + index * 20) * 1_000, 20_000, 1, 3]);
    const data = Buffer.alloc(count * 3, 1).toString('base64');
    await this.#take(JSON.stringify({ run, sequence, chunks, data, stats, ...more }));
  }
}

const stats = {
  framesReceived: 10,
  framesEncoded: 10,
  framesRepeated: 0,
  framesSkippedByRateLimit: 0,
  framesUnrecorded: 0,
  framesDropped: 0,
  videoSwitches: 1,
  encoderRestarts: 0,
  audioTracks: 1,
  lastAudioDataAtMs: null,
  audioDiscontinuities: 0,
  lateAudioMs: 0,
  audioPeak: 0.5,
  audioRms: 0.1,
  audioOwnersReported: 0,
  audioSharedMs: 0,
  audioUnownedMs: 0,
  degraded: null,
  lastError: null,
};

function open(page: FakePage, keeps: Partial<Pick<RecorderOptions, 'onInit' | 'onFragment' | 'onDegraded'>> = {}) {
  const fragments: RecordingFragment[] = [];
  let nowMs = 1_000_000;
  const recorder = createRecorder({
    page,
    mode: 'audio_only',
    onInit: () => undefined,
    onFragment: async (fragment) => void fragments.push(fragment),
    ...keeps,
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
    clock: { now: () => nowMs },
    limits: { pageDeadlineMs: 50, pauseDeadlineMs: 50, fragmentDeadlineMs: 50 },
  });
  return { recorder, fragments, at: (ms: number) => (nowMs = 1_000_000 + ms) };
}

const begins = (beginsMs: number) => ({ start: () => ({ startedAtMs: 1_000_000, beginsMs, thread: 'worker' }) });

async function recordingUntil(ms: number) {
  const page = new FakePage();
  page.responses = begins(0);
  const opened = open(page);
  await opened.recorder.start();
  await page.send(2, 0, 0, ms);
  return { ...opened, page };
}

describe('a recording whose page is lost', () => {
  test('goes on in another page at its media time, and states what it missed', async () => {
    const { recorder, fragments, page } = await recordingUntil(3_000);
    const next = new FakePage();
    next.responses = begins(8_000);
    await recorder.moveTo(next);
    // Batches in transit from the lost page are discarded.
    await page.send(2, 1, 3_000, 4_000);
    await recorder.start();
    expect(next.continuation).toEqual({
      startedAtMs: 1_000_000,
      pausedMs: 0,
      pausedSinceMs: null,
      recordedMs: 3_000,
    });
    await next.send(4, 0, 8_000, 11_000);
    const summary = await recorder.stop();
    expect(fragments.map(({ sequence, startMs, endMs, gapBefore }) => [sequence, startMs, endMs, gapBefore])).toEqual([
      [1, 0, 2_000, null],
      [2, 2_000, 3_000, null],
      [3, 8_000, 10_000, 'page_lost'],
      [4, 10_000, 11_000, null],
    ]);
    expect(summary.gaps).toEqual([{ startMs: 3_000, endMs: 8_000, reason: 'page_lost' }]);
    expect(summary).toMatchObject({ startedAtMs: 1_000_000, framesReceived: 20 });
  });

  test('keeps that reason when the capture in the new page has to begin anew', async () => {
    const { recorder } = await recordingUntil(3_000);
    const next = new FakePage();
    await recorder.moveTo(next);
    await recorder.release();
    next.responses = begins(8_000);
    await recorder.start();
    const summary = await recorder.stop();
    expect(summary.gaps).toEqual([{ startMs: 3_000, endMs: 8_000, reason: 'page_lost' }]);
  });

  test('is paused and resumed while no page is there, and the new page begins in the current state', async () => {
    const { recorder, at } = await recordingUntil(3_000);
    const next = new FakePage();
    next.responses = begins(4_000);
    await recorder.moveTo(next);
    at(4_000);
    expect(await recorder.pause()).toEqual({ atMs: 1_004_000 });
    await recorder.start();
    expect(next.continuation).toMatchObject({ pausedMs: 0, pausedSinceMs: 1_004_000 });
    expect(recorder.pauses).toEqual([{ startMs: 1_004_000, endMs: null }]);
  });

  test('counts a pause that was over before the page was lost', async () => {
    const { recorder, page, at } = await recordingUntil(3_000);
    page.responses = { pause: () => ({ atMs: 1_003_000 }), resume: () => ({ atMs: 1_005_000 }) };
    await recorder.pause();
    await recorder.resume();
    const next = new FakePage();
    next.responses = begins(6_000);
    await recorder.moveTo(next);
    at(8_000);
    await recorder.start();
    expect(next.continuation).toMatchObject({ pausedMs: 2_000, pausedSinceMs: null });
  });

  test('ends without asking a page that is gone, and says that it did not end in order', async () => {
    const { recorder, fragments } = await recordingUntil(3_000);
    const next = new FakePage();
    await recorder.moveTo(next);
    const summary = await recorder.stop();
    expect(summary).toMatchObject({ endedCleanly: false, durationMs: 3_000 });
    expect(fragments).toHaveLength(2);
  });

  test('begins its capture anew in the same page, also when that does not respond at first', async () => {
    const { recorder, page, fragments } = await recordingUntil(2_000);
    page.responses = { start: () => new Promise(() => undefined) };
    await recorder.release();
    await expect(recorder.start()).rejects.toThrow('The meeting page did not start the recording');
    page.responses = begins(5_000);
    await recorder.start();
    await page.send(5, 0, 5_000, 7_000);
    const summary = await recorder.stop();
    expect(fragments.at(-1)).toMatchObject({ startMs: 5_000, endMs: 7_000, gapBefore: 'capture_restarted' });
    expect(summary.gaps).toEqual([{ startMs: 2_000, endMs: 5_000, reason: 'capture_restarted' }]);
  });

  test('goes on with another engine of the same capture, and states what the lost one still had', async () => {
    const { recorder, page, fragments } = await recordingUntil(2_000);
    await page.send(2, 1, 2_600, 4_600, { continued: { atMs: 2_600, thread: 'page' } });
    const summary = await recorder.stop();
    expect(fragments.at(-1)).toMatchObject({ startMs: 2_600, endMs: 4_600, gapBefore: 'capture_restarted' });
    expect(summary.gaps).toEqual([{ startMs: 2_000, endMs: 2_600, reason: 'capture_restarted' }]);
    expect(summary).toMatchObject({ thread: 'page', framesReceived: 20 });
  });

  test('takes what a capture sent before its page said where it begins', async () => {
    const page = new FakePage();
    const { recorder, fragments } = open(page);
    page.responses = {
      start: async () => {
        await page.send(2, 0, 0, 2_000);
        return { startedAtMs: 1_000_000, beginsMs: 0, thread: 'worker' };
      },
    };
    await recorder.start();
    await recorder.stop();
    expect(fragments.map(({ endMs }) => endMs)).toEqual([2_000]);
  });
});

describe('a video that is missing', () => {
  test('is in the summary once, however often its span was reported, also where the page was lost meanwhile', async () => {
    const { recorder, page } = await recordingUntil(2_000);
    const missing = (startMs: number, endMs: number) => ({
      videoMissing: [{ startMs, endMs, reason: 'no_frames' }],
    });
    await page.send(2, 1, 2_000, 4_000, missing(1_500, 4_000));
    await page.send(2, 2, 4_000, 6_000, missing(1_500, 5_200));
    await page.send(2, 3, 6_000, 8_000, missing(6_500, 8_000));
    const next = new FakePage();
    next.responses = begins(9_000);
    await recorder.moveTo(next);
    await recorder.start();
    const summary = await recorder.stop();
    expect(summary.videoMissing).toEqual([
      { startMs: 1_500, endMs: 5_200, reason: 'no_frames' },
      { startMs: 6_500, endMs: 8_000, reason: 'no_frames' },
    ]);
  });
});

describe('a bot with less CPU than it needs', () => {
  test('reports each change of what its recording gives up, and states the spans, also of two causes at once', async () => {
    const [page, steps] = [new FakePage(), [] as unknown[]];
    page.responses = begins(0);
    const { recorder } = open(page, { onDegraded: (step) => steps.push(step) });
    await recorder.start();
    const late = (degraded: string | null) => ({ stats: { ...stats, degraded } });
    const span = (startMs: number, endMs: number, reason: string) => ({ startMs, endMs, reason });
    const first = {
      degradations: [span(100, 500, 'frame_rate')],
      audioImpaired: [span(0, 500, 'late'), span(200, 500, 'concealed')],
    };
    await page.send(2, 0, 0, 500, { ...late('frame_rate'), ...first });
    const second = {
      degradations: [span(100, 700, 'frame_rate'), span(700, 1_000, 'frame_size')],
      audioImpaired: [span(0, 1_000, 'late'), span(200, 900, 'concealed')],
    };
    await page.send(2, 1, 500, 1_000, { ...late('frame_size'), ...second });
    await page.send(2, 2, 1_000, 1_500, late('frame_size'));
    await page.send(2, 3, 1_500, 2_000, late(null));
    expect(steps).toEqual(['frame_rate', 'frame_size', null]);
    expect(await recorder.stop()).toMatchObject(second);
  });

  test('is late as the page states it, and not once its page is lost', async () => {
    const { recorder, page } = await recordingUntil(500);
    expect(recorder.health().isLate).toBe(false);
    await page.send(2, 1, 500, 1_000, { late: true });
    expect(recorder.health().isLate).toBe(true);
    await page.send(2, 2, 1_000, 1_500);
    expect(recorder.health().isLate).toBe(false);
    await page.send(2, 3, 1_500, 2_000, { late: true });
    await recorder.release();
    expect(recorder.health().isLate).toBe(false);
  });

  test('states every second of impaired audio within bounds: beyond 500 spans the last one grows', async () => {
    const { recorder, page } = await recordingUntil(2_000);
    const spans = Array.from({ length: 600 }, (_, at) => ({ startMs: at * 3, endMs: at * 3 + 1, reason: 'concealed' }));
    await page.send(2, 1, 2_000, 4_000, { audioImpaired: spans });
    const { audioImpaired } = await recorder.stop();
    expect(audioImpaired).toHaveLength(500);
    expect(audioImpaired.at(-1)).toEqual({ startMs: 499 * 3, endMs: 599 * 3 + 1, reason: 'concealed' });
  });
});

describe('a batch that comes twice', () => {
  test('is taken once, also when others came meanwhile', async () => {
    const { recorder, page } = await recordingUntil(2_000);
    await page.send(2, 1, 2_000, 4_000, { stats: { ...stats, framesEncoded: 20 } });
    await page.send(2, 0, 0, 2_000);
    expect(recorder.health().framesEncoded).toBe(20);
    await page.send(2, 2, 4_000, 6_000, { stats: { ...stats, framesEncoded: 30 }, endMs: 6_000 });
    const summary = await recorder.stop();
    expect(summary).toMatchObject({ framesEncoded: 30, durationMs: 6_000, endedCleanly: true });
  });
});

describe('a recording that has ended', () => {
  test('takes nothing of a capture that was still beginning in another page', async () => {
    const { recorder, fragments } = await recordingUntil(3_000);
    const next = new FakePage();
    await recorder.moveTo(next);
    const begun = Promise.withResolvers<object>();
    next.responses = { start: () => begun.promise };
    const starting = recorder.start();
    const summary = await recorder.stop();
    begun.resolve({ startedAtMs: 1_000_000, beginsMs: 5_000, thread: 'worker' });
    await expect(starting).rejects.toThrow('The recording had ended before its capture began.');
    await next.send(5, 0, 5_000, 9_000);
    expect(fragments).toHaveLength(2);
    expect(await recorder.stop()).toEqual(summary);
  });

  test('takes nothing that a page sends which did not respond when it was to stop', async () => {
    const { recorder, page, fragments } = await recordingUntil(3_000);
    page.responses = { stop: () => new Promise(() => undefined) };
    await recorder.stop();
    await page.send(2, 1, 3_000, 9_000);
    expect(fragments).toHaveLength(2);
  });
});

describe('a pause while the capture is slow to begin anew', () => {
  test('is refused, because the starting capture got no pause', async () => {
    const { recorder, page } = await recordingUntil(2_000);
    const begun = Promise.withResolvers<object>();
    page.responses = { start: () => begun.promise };
    await recorder.release();
    const starting = recorder.start();
    // The page may take longer to begin than to pause.
    await expect(recorder.pause()).rejects.toThrow('Beginning to record took longer');
    expect(recorder.pauses).toEqual([]);
    begun.resolve(begins(5_000).start());
    await starting;
    page.responses = { pause: () => ({ atMs: 1_006_000 }) };
    expect(await recorder.pause()).toEqual({ atMs: 1_006_000 });
  });
});

describe('storage that fails', () => {
  const soon = () => new Promise((resolve) => setTimeout(resolve, 10));

  async function recordInto(keeps: Partial<Pick<RecorderOptions, 'onInit' | 'onFragment'>>) {
    const page = new FakePage();
    page.responses = begins(0);
    const opened = open(page, keeps);
    await opened.recorder.start();
    return { ...opened, page };
  }

  test('keeps no fragment, and health says so', async () => {
    const full = { onFragment: () => Promise.reject(new Error('disk full')) };
    const { recorder, page } = await recordInto(full);
    await page.send(2, 0, 0, 6_000);
    await soon();
    expect(recorder.health().fragmentsClosed).toBe(0);
    await recorder.stop();
  });

  test('is given the beginning again with the next fragment', async () => {
    let tries = 0;
    const onInit = async (): Promise<void> => {
      tries += 1;
      if (tries < 3) throw new Error('disk busy');
    };
    const { recorder, page, fragments } = await recordInto({ onInit });
    await page.send(2, 0, 0, 8_000);
    const summary = await recorder.stop();
    expect(tries).toBe(3);
    expect(fragments.map(({ sequence }) => sequence)).toEqual([3, 4]);
    expect(summary.gaps.map(({ startMs, reason }) => [startMs, reason])).toEqual([
      [0, 'storage_failed'],
      [2_000, 'storage_failed'],
    ]);
  });
});

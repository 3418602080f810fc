import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { PageMediaSource, PageVideo } from '@rapporteur/contracts';
import type { CaptureConfig, EngineCommand } from '../messages.ts';
import type { TabCapture } from '../sources/tab-capture.page.ts';
import { PageStrategies } from './page-strategies.page.ts';

const config = { mode: 'speaker_view', strategy: 'auto', participantAudio: false } as CaptureConfig;
const pollMs = 250;

/** A canvas of the page: `points` is what is painted on it. */
interface FakeCanvas {
  points: number;
  readonly width: number;
}

/** The inspector's own canvas: a sample of what was drawn last, dark on the left. */
const newSurface = () => {
  let drawn = 0;
  const getImageData = () => ({ data: new Uint8ClampedArray(64).map((_zero, index) => (index < 32 ? 0 : drawn)) });
  return { getContext: () => ({ drawImage: (canvas: FakeCanvas) => void (drawn = canvas.points), getImageData }) };
};
const fakes: Readonly<Record<string, unknown>> = {
  document: { querySelectorAll: () => [], createElement: newSurface },
  MediaStreamTrackProcessor: class {
    readonly readable = new ReadableStream();
  },
};
beforeEach(() => {
  for (const [name, value] of Object.entries(fakes))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
});
afterEach(() => {
  for (const name of Object.keys(fakes)) Reflect.deleteProperty(globalThis, name);
});

const canvasTrack = (canvas: FakeCanvas) =>
  ({ readyState: 'live', muted: false, id: 'track', canvas }) as unknown as MediaStreamTrack;
const videoOf = (id: string, track: MediaStreamTrack): PageVideo => ({
  id,
  track,
  participantName: null,
  kind: 'camera',
});

/** Runs the page's polls, with the signs of an engine beside them. */
function opened() {
  let nowMs = 1_000_000;
  const commands: EngineCommand[] = [];
  const requested: string[] = [];
  let shown: PageVideo | null = null;
  const tile = (id: string) => ({
    id,
    kind: 'camera' as const,
    participantName: null,
    speaking: false,
    get track() {
      requested.push(id);
      return null;
    },
  });
  const source: PageMediaSource = {
    version: 2,
    audioTracks: () => [],
    shownVideo: () => shown,
    tiles: () => [tile('camera'), tile('other')],
    onChange: () => () => undefined,
  };
  const tab = { refusal: 'none', video: null, audio: null, close: () => undefined } as unknown as TabCapture;
  const strategies = new PageStrategies(config, { now: () => nowMs, send: (command) => commands.push(command), tab });
  let frames = { count: 0, atMs: 0 };
  return {
    requested,
    show: (video: PageVideo) => (shown = video),
    /** @param arrives whether a frame of the shown video arrives between two polls */
    pass: (ms: number, arrives: boolean, each: (poll: number) => void = () => undefined) => {
      for (let poll = 0; poll * pollMs < ms; poll += 1) {
        each(poll);
        if (arrives) frames = { count: frames.count + 1, atMs: nowMs };
        strategies.onSigns({
          reachedMs: 0,
          nextSequence: 0,
          shownFrameAtMs: frames.atMs,
          shownFrames: frames.count,
          blackSinceMs: null,
          loudAtMs: null,
          degraded: null,
        });
        strategies.judge(source);
        strategies.follow(source);
        nowMs += pollMs;
      }
    },
    noFramesYet: () => (frames = { count: 0, atMs: nowMs }),
    videoCommands: () => commands.filter(({ kind }) => kind === 'video').length,
    missing: () => commands.flatMap((command) => (command.kind === 'video-missing' ? [command.reason] : [])),
  };
}

describe('a video that the page paints on a canvas', () => {
  test('is read again, and reported as missing, when it moves on the page and no frame arrives', () => {
    const page = opened();
    const canvas = { points: 100, width: 640 };
    page.show(videoOf('screen', canvasTrack(canvas)));
    page.pass(2_000, true);
    expect([page.videoCommands(), page.missing()]).toEqual([1, []]);
    page.pass(4_000, false, (poll) => (canvas.points = 100 + poll));
    expect([page.videoCommands(), page.missing()[0]]).toEqual([2, 'no_frames']);
  });

  test('may be still: its frame is recorded, and it is neither read again nor reported', () => {
    const page = opened();
    page.show(videoOf('screen', canvasTrack({ points: 100, width: 640 })));
    page.pass(2_000, true);
    page.pass(120_000, false);
    expect([page.videoCommands(), page.missing()]).toEqual([1, []]);
  });

  test('is reported as missing when it is there and no frame of it has arrived', () => {
    const page = opened();
    page.show(videoOf('screen', canvasTrack({ points: 100, width: 640 })));
    page.pass(6_000, false);
    expect(page.missing()).toEqual(['no_frames']);
  });

  test('keeps the video before it captured until its first frame', () => {
    const page = opened();
    page.show(videoOf('camera', canvasTrack({ points: 100, width: 640 })));
    page.pass(2_000, true);
    expect(page.requested).toEqual([]);
    page.show(videoOf('screen', canvasTrack({ points: 0, width: 640 })));
    page.noFramesYet();
    page.pass(10_000, false);
    expect(page.requested.length).toBeGreaterThan(30);
    expect(new Set(page.requested)).toEqual(new Set(['camera']));
    page.pass(1_000, true);
    page.requested.splice(0);
    page.pass(1_000, true);
    expect(page.requested).toEqual([]);
  });
});

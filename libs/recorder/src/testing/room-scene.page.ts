import type { PageMediaSource, PageMediaSourceGlobal, PageVideo } from '@rapporteur/contracts';

const framesPerSecond = 25;
const cells = 24;
const blockMs = 10;
const beepMs = 60;
/** A page that just opened draws its first frames late. */
const warmUpMs = 1_500;

interface SoundGlobal {
  readonly MediaStreamTrackGenerator: new (init: { kind: 'audio' }) => MediaStreamTrack & {
    readonly writable: WritableStream<AudioData>;
  };
}

export interface SceneOptions {
  /** Sizes of the two people's pictures. */
  readonly pictures: readonly { readonly width: number; readonly height: number }[];
  /** When the second sound track arrives and takes over the beeps. */
  readonly secondSoundAfterMs: number;
  /** How often the shown person changes; 0 never. */
  readonly switchEveryMs: number;
}

/** A room without a network: two people drawn with the marker of the simulator, and two tracks of beeps. */
export function install(options: SceneOptions): void {
  const zeroMs = Math.ceil(performance.now() / 1_000) * 1_000;
  const listeners = new Set<() => void>();
  const changed = (): void => listeners.forEach((listener) => listener());
  const videos = options.pictures.map((size, person): PageVideo => ({
    id: `person-${person}`,
    track: drawPerson(size, person, zeroMs),
    receiver: null,
    personName: `Person ${person}`,
    kind: 'camera',
  }));
  let beeping = 0;
  const sounds = [soundOf(0, zeroMs, () => beeping)];
  setTimeout(() => {
    sounds.push(soundOf(1, zeroMs, () => beeping));
    beeping = 1;
    changed();
  }, options.secondSoundAfterMs);
  let shown = 0;
  if (options.switchEveryMs > 0) {
    setInterval(() => {
      shown = (shown + 1) % videos.length;
      changed();
    }, options.switchEveryMs);
  }
  const source: PageMediaSource = {
    version: 2,
    audioTracks: () => sounds,
    shownVideo: () => videos[shown] ?? null,
    tiles: () =>
      videos.map(({ id, kind, personName, track }, index) => ({
        id,
        kind,
        personName,
        track,
        speaking: index === shown,
      })),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  (globalThis as PageMediaSourceGlobal).rapporteurMediaSource = source;
  setTimeout(() => (document.title = 'Room running'), zeroMs + warmUpMs - performance.now());
}

/**
 * A track that beeps on every second of the room's clock while it is its turn. Written block by block with exact times:
 * a busy machine makes it late, as a network would, but never wrong.
 */
function soundOf(voice: number, zeroMs: number, turn: () => number): MediaStreamTrack {
  const { MediaStreamTrackGenerator } = globalThis as unknown as SoundGlobal;
  const track = new MediaStreamTrackGenerator({ kind: 'audio' });
  const writer = track.writable.getWriter();
  let block = Math.ceil((performance.now() - zeroMs) / blockMs);
  setInterval(() => {
    for (; block * blockMs <= performance.now() - zeroMs; block += 1) {
      const inSecond = (((block * blockMs) % 1_000) + 1_000) % 1_000;
      const loud = turn() === voice && inSecond < beepMs;
      const data = Float32Array.from({ length: blockMs * 48 }, (_none, index) =>
        loud ? 0.25 * Math.sin((2 * Math.PI * index) / 48) : 0,
      );
      const timestamp = Math.round((zeroMs + block * blockMs) * 1_000);
      void writer.write(
        new AudioData({
          format: 'f32',
          sampleRate: 48_000,
          numberOfFrames: data.length,
          numberOfChannels: 1,
          timestamp,
          data,
        }),
      );
    }
  }, blockMs / 2);
  return track;
}

function drawPerson(size: { width: number; height: number }, person: number, zeroMs: number): MediaStreamTrack {
  const canvas = document.createElement('canvas');
  canvas.width = size.width;
  canvas.height = size.height;
  const surface = canvas.getContext('2d');
  if (!surface) throw new Error('no canvas');
  let drawn = -1;
  setInterval(() => {
    const index = Math.floor(((performance.now() - zeroMs) / 1_000) * framesPerSecond);
    if (index <= drawn || index < 0) return;
    drawn = index;
    drawMarkerOn(surface, { index, person });
  }, 5);
  const [track] = canvas.captureStream().getVideoTracks();
  if (!track) throw new Error('no track');
  return track;
}

function drawMarkerOn(surface: CanvasRenderingContext2D, marker: { index: number; person: number }): void {
  const { width, height } = surface.canvas;
  const fill = (color: string, [left, top, right, bottom]: readonly [number, number, number, number]): void => {
    surface.fillStyle = color;
    surface.fillRect(left * width, top * height, (right - left) * width, (bottom - top) * height);
  };
  fill(marker.person === 0 ? '#245' : '#523', [0, 0, 1, 1]);
  fill(marker.index % framesPerSecond < framesPerSecond / 10 ? '#fff' : '#000', [0.02, 0.04, 0.12, 0.2]);
  const counter = marker.index % 65_536;
  const nibbles = [counter & 15, (counter >> 4) & 15, (counter >> 8) & 15, (counter >> 12) & 15, marker.person];
  nibbles.push(nibbles.reduce((sum, nibble) => sum ^ nibble, 0));
  for (let cell = 0; cell < cells; cell += 1) {
    const bit = ((nibbles[cell >> 2] ?? 0) >> (cell & 3)) & 1;
    fill(bit ? '#fff' : '#000', [0.1 + (cell * 0.8) / cells, 0.7, 0.1 + ((cell + 1) * 0.8) / cells, 0.76]);
  }
}

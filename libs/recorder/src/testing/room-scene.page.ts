import type { PageMediaSource, PageMediaSourceGlobal, PageVideo } from '@rapporteur/contracts';
import { drawParticipant, audioOf } from './room-signals.page.ts';

/** A page that just opened draws its first frames late. */
const warmUpMs = 1_500;

/** A participant, or a shared screen. */
export interface SceneVideo {
  readonly width: number;
  readonly height: number;
  readonly name?: string;
  readonly kind?: 'camera' | 'screen';
  /** The changes that are possible in the room. */
  readonly present?: boolean;
  readonly camera?: boolean;
}

/** The changes that a test makes in the room, at `globalThis.rapporteurRoom`. */
export interface SceneDriver {
  change(index: number, to: { readonly present?: boolean; readonly camera?: boolean }): void;
  /** The video of this participant gives its last frame. */
  endVideo(index: number): void;
}

export interface SceneOptions {
  /** The videos of each participant, and of each shared screen. */
  readonly frames: readonly SceneVideo[];
  /** When the second audio track arrives and takes over the beeps. */
  readonly secondAudioAfterMs: number;
  /** How often the shown participant changes; 0 never. */
  readonly switchEveryMs: number;
}

/** A room without a network: two participants drawn with the marker of the simulator, and two tracks of beeps. */
export function install(options: SceneOptions): void {
  const zeroMs = Math.ceil(performance.now() / 1_000) * 1_000;
  const listeners = new Set<() => void>();
  const changed = (): void => listeners.forEach((listener) => listener());
  const videos = options.frames.map((video, participant): PageVideo => ({
    id: `person-${participant}`,
    track: drawParticipant(video, participant, zeroMs),
    participantName: video.name ?? `Person ${participant}`,
    kind: video.kind ?? 'camera',
  }));
  const state = options.frames.map(({ present = true, camera = true }) => ({ present, camera }));
  const endpoint: SceneDriver = {
    change: (index, to) => {
      Object.assign(state[index] ?? {}, to);
      changed();
    },
    endVideo: (index) => videos[index]?.track.stop(),
  };
  Object.assign(globalThis, { rapporteurRoom: endpoint });
  // Between two beeps, and by the time of the audio: written late, a beep is in its own track still.
  const secondMs = Math.round((performance.now() - zeroMs + options.secondAudioAfterMs) / 1_000) * 1_000 + 500;
  const beeping = (roomMs: number): number => (roomMs < secondMs ? 0 : 1);
  const audio = [audioOf(0, zeroMs, beeping)];
  setTimeout(
    () => {
      audio.push(audioOf(1, zeroMs, beeping));
      changed();
    },
    zeroMs + secondMs - performance.now(),
  );
  let shown = 0;
  if (options.switchEveryMs > 0) {
    setInterval(() => {
      shown = (shown + 1) % videos.length;
      changed();
    }, options.switchEveryMs);
  }
  const source: PageMediaSource = {
    version: 2,
    audioTracks: () => audio,
    shownVideo: () => videos[shown] ?? null,
    tiles: () =>
      videos.flatMap(({ id, kind, participantName, track }, index) => {
        const { present = true, camera = true } = state[index] ?? {};
        return present ? [{ id, kind, participantName, track: camera ? track : null, speaking: index === shown }] : [];
      }),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  (globalThis as PageMediaSourceGlobal).rapporteurMediaSource = source;
  setTimeout(() => (document.title = 'Room running'), zeroMs + warmUpMs - performance.now());
}

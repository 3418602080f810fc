import type { PageMediaSource, PageMediaSourceGlobal, PageVideo } from '@rapporteur/contracts';
import { drawParticipant, audioOf } from './room-signals.page.ts';

export interface LateRoomOptions {
  /** Delay after the first request until the room has a frame. */
  readonly afterMs: number;
  readonly video: { readonly width: number; readonly height: number };
}

/** A room whose call is still connecting when its recording begins. */
export function install({ afterMs, video }: LateRoomOptions): void {
  const zeroMs = Math.ceil(performance.now() / 1_000) * 1_000;
  const listeners = new Set<() => void>();
  const audio = audioOf(0, zeroMs, () => 0);
  const track = drawParticipant(video, 0, zeroMs);
  let requested = false;
  let shown: PageVideo | null = null;
  const connect = (): void => {
    shown = { id: 'participant-0', track, participantName: 'Person 0', kind: 'camera' };
    for (const listener of listeners) listener();
  };
  const source: PageMediaSource = {
    version: 2,
    audioTracks: () => [audio],
    shownVideo: () => {
      if (!requested) setTimeout(connect, afterMs);
      requested = true;
      return shown;
    },
    tiles: () => [],
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  (globalThis as PageMediaSourceGlobal).rapporteurMediaSource = source;
  setTimeout(() => (document.title = 'Room running'), zeroMs + 1_500 - performance.now());
}

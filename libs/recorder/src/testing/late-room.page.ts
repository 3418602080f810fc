import type { PageMediaSource, PageMediaSourceGlobal, PageVideo } from '@rapporteur/contracts';
import { drawPerson, soundOf } from './room-signals.page.ts';

export interface LateRoomOptions {
  /** So long after it was first asked for a picture the room has one. */
  readonly afterMs: number;
  readonly picture: { readonly width: number; readonly height: number };
}

/** A room whose call is just connecting when somebody begins to record it. */
export function install({ afterMs, picture }: LateRoomOptions): void {
  const zeroMs = Math.ceil(performance.now() / 1_000) * 1_000;
  const listeners = new Set<() => void>();
  const sound = soundOf(0, zeroMs, () => 0);
  const track = drawPerson(picture, 0, zeroMs);
  let asked = false;
  let shown: PageVideo | null = null;
  const connect = (): void => {
    shown = { id: 'person-0', track, receiver: null, personName: 'Person 0', kind: 'camera' };
    for (const listener of listeners) listener();
  };
  const source: PageMediaSource = {
    version: 2,
    audioTracks: () => [sound],
    shownVideo: () => {
      if (!asked) setTimeout(connect, afterMs);
      asked = true;
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

import type { PageMediaSource, PageMediaSourceGlobal, PageAudioChange, PageAudioNews } from '@rapporteur/contracts';

export interface ParticipantRoomOptions {
  /** Time at which the second track starts. */
  readonly secondTrackAfterMs: number;
}

/** Hertz, by participant. */
export const participantTones = [400, 700, 1_100, 1_900] as const;
/** In each second of the room clock a tone of one participant lasts this long, from the beginning of the second. */
export const toneMs = 800;
const blockMs = 10;
const reportMs = 50;

/**
 * The participants in a track in a second of the room's clock: the first passes from one to the other, and to two at
 * once.
 */
export function participantsIn(track: number, second: number): readonly number[] {
  if (track === 1) return second % 2 === 1 ? [3] : [];
  return second % 4 === 3 ? [0, 1] : [second % 4];
}

interface ToneGlobal {
  readonly MediaStreamTrackGenerator: new (init: { kind: 'audio' }) => MediaStreamTrack & {
    readonly writable: WritableStream<AudioData>;
  };
}

/** A pool of two tracks, without a network, that carry four participants. `globalThis.rapporteurZeroMs`: epoch ms of second 0. */
export function install(options: ParticipantRoomOptions): void {
  const zeroMs = Math.ceil(performance.now() / 1_000) * 1_000;
  const listeners = new Set<() => void>();
  const tracks = [toneTrack(0, zeroMs)];
  setTimeout(() => {
    tracks.push(toneTrack(1, zeroMs));
    listeners.forEach((listener) => listener());
  }, options.secondTrackAfterMs);
  const source: PageMediaSource = {
    version: 2,
    audioTracks: () => tracks,
    shownVideo: () => null,
    tiles: () => [],
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    audioOwners: { follow: (listener) => followOwners(tracks, zeroMs, listener) },
  };
  (globalThis as PageMediaSourceGlobal).rapporteurMediaSource = source;
  Object.assign(globalThis, { rapporteurZeroMs: performance.timeOrigin + zeroMs });
  document.addEventListener('DOMContentLoaded', () => (document.title = 'Room running'));
}

function followOwners(
  tracks: readonly MediaStreamTrack[],
  zeroMs: number,
  listener: (news: PageAudioNews) => void,
): () => void {
  const reported = new Map<MediaStreamTrack, number>();
  const notify = (): void => {
    const nowMs = performance.now() - zeroMs;
    const second = Math.floor(nowMs / 1_000);
    const changes = tracks.flatMap((track, index): PageAudioChange[] => {
      if (reported.get(track) === second) return [];
      reported.set(track, second);
      const participants = participantsIn(index, second).map((participant) => ({
        participantId: `p${participant}`,
        participantName: `Person ${participant}`,
      }));
      const sinceMs = performance.timeOrigin + zeroMs + second * 1_000;
      return [{ track, sinceMs, owner: participants.length > 1 ? 'several' : (participants[0] ?? null) }];
    });
    listener({ knownUntilMs: performance.timeOrigin + performance.now(), changes });
  };
  notify();
  const timer = setInterval(notify, reportMs);
  return () => clearInterval(timer);
}

function toneTrack(index: number, zeroMs: number): MediaStreamTrack {
  const { MediaStreamTrackGenerator } = globalThis as unknown as ToneGlobal;
  const track = new MediaStreamTrackGenerator({ kind: 'audio' });
  const writer = track.writable.getWriter();
  let block = Math.ceil((performance.now() - zeroMs) / blockMs);
  setInterval(() => {
    for (; block * blockMs <= performance.now() - zeroMs; block += 1) {
      const inSecond = (block * blockMs) % 1_000;
      const participants =
        inSecond >= 0 && inSecond < toneMs ? participantsIn(index, Math.floor((block * blockMs) / 1_000)) : [];
      const data = Float32Array.from({ length: blockMs * 48 }, (_none, sample) => {
        const seconds = (block * blockMs) / 1_000 + sample / 48_000;
        return participants.reduce(
          (sum, participant) => sum + 0.2 * Math.sin(2 * Math.PI * (participantTones[participant] ?? 0) * seconds),
          0,
        );
      });
      const timestamp = Math.round((zeroMs + block * blockMs) * 1_000);
      const format = { format: 'f32', sampleRate: 48_000, numberOfFrames: data.length, numberOfChannels: 1 } as const;
      void writer.write(new AudioData({ ...format, timestamp, data }));
    }
  }, blockMs / 2);
  return track;
}

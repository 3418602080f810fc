// Runs in Google Meet's page before its own scripts: observes remote tracks and the channel `collections`, detects
// speakers, offers the video to show to the recorder. Changes nothing that the page shows.
import type { PageMediaSourceGlobal } from '@rapporteur/contracts';
import { exactPageNow, pageNow, timeOriginMs } from '@rapporteur/page-scripts/page-time';
import { postThrough } from '../page-post.page.ts';
import { watchPeerConnections } from '../peer-connections.page.ts';
import { MediaOffer, createSpeechMeter, RemoteTracks } from '../web-client/media-offer.page.ts';
import type { OfferedVideo, RemoteTrack } from '../web-client/media-offer.page.ts';
import { watchPlayedAudio } from '../web-client/played-audio.page.ts';
import { isTileSpeaking, takeSnapshot, tileName } from './page-snapshot.page.ts';
import type { MeetPageSelectors } from './page-snapshot.page.ts';
import type { MeetPageSnapshot } from './page-state.ts';
import { AudioOwners } from './audio-owners.page.ts';
import type { ContributingSource } from './audio-owners.page.ts';
import { SpeechFrames } from './speech-frames.page.ts';
import { SpeechLayers } from './speech-layers.page.ts';
import type { SpeechLayer } from './speech-layers.page.ts';

export interface MeetPageOptions {
  readonly selectors: MeetPageSelectors;
  /** Name of the binding that carries posts out of the page. */
  readonly postName: string;
  readonly layers: MeetPageLayers;
}

/** Disables single signal layers, to test the others. */
export interface MeetPageLayers {
  readonly collections: boolean;
  readonly contributingSources: boolean;
  /** The channel `dcrpc`. */
  readonly speechFrames: boolean;
  readonly tiles: boolean;
  /** Makes the page use the audio stack with tracks and sources. */
  readonly nativeAudio: boolean;
}

/** Owners of the streams, from the records of the meeting; pushed into the page. */
export interface MeetStreamOwners {
  /** Audio stream id (decimal contributing source) -> participant id. */
  readonly speakers: Readonly<Record<string, string>>;
  /** Video stream id -> participant id. */
  readonly videos: Readonly<Record<string, string>>;
  /** Participant ids of shared screens. */
  readonly screens: readonly string[];
  readonly names: Readonly<Record<string, string>>;
  readonly selfId: string | null;
  /** Ids of all participants in the call except the bot, in order of arrival. */
  readonly participants: readonly string[];
}

export type MeetPost =
  /** A message of the channel of this name. */
  | { readonly kind: 'collections'; readonly base64: string; readonly atMs: number }
  | { readonly kind: 'captions'; readonly base64: string; readonly atMs: number }
  | {
      readonly kind: 'speech';
      readonly layer: SpeechLayer;
      readonly key: string;
      readonly speaking: boolean;
      readonly atMs: number;
    };

export interface MeetPageDriver {
  snapshot(): MeetPageSnapshot;
  setOwners(owners: MeetStreamOwners): void;
}

/**
 * Interval of reading the sources. Each read makes two threads wait for each other; a longer interval misses short
 * speech.
 */
const pollMs = 50;
const noOwners: MeetStreamOwners = { speakers: {}, videos: {}, screens: [], names: {}, selfId: null, participants: [] };

function contributingSourceOf({ source, timestamp, audioLevel }: RTCRtpContributingSource): ContributingSource {
  // Chromium counts from the beginning of the page, the standard from 1970.
  const atMs = timestamp < timeOriginMs() / 2 ? timeOriginMs() + timestamp : timestamp;
  return { key: String(source), atMs, level: audioLevel ?? 0 };
}

async function base64Of(data: unknown): Promise<string | null> {
  const buffer = data instanceof Blob ? await data.arrayBuffer() : data;
  if (!(buffer instanceof ArrayBuffer)) return null;
  const bytes = new Uint8Array(buffer);
  let text = '';
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
}

/** Level 1 for each participant whose tile indicates speech. */
function speakingTiles(selectors: MeetPageSelectors, selfId: string | null): Map<string, number> {
  const levels = new Map<string, number>();
  for (const tile of document.querySelectorAll(selectors.tile)) {
    const id = tile.getAttribute(selectors.tileId) ?? '';
    if (id === '' || id === selfId || tile.querySelector(selectors.selfTile) !== null) continue;
    if (isTileSpeaking(tile, selectors)) levels.set(id, 1);
  }
  return levels;
}

/** The videos in tiles, and those attributed by the records alone, by participant. */
function offeredVideos(tracks: RemoteTracks, owners: MeetStreamOwners, selectors: MeetPageSelectors): OfferedVideo[] {
  const videos = new Map<string, OfferedVideo>();
  const nameOf = (id: string): string | null => {
    const tile = document.querySelector(`${selectors.tile}[${selectors.tileId}="${CSS.escape(id)}"]`);
    return owners.names[id] ?? (tile === null ? null : tileName(tile, selectors));
  };
  const add = (id: string, { track }: RemoteTrack): void => {
    if (id === owners.selfId || track.readyState !== 'live' || track.muted || videos.has(id)) return;
    const kind = owners.screens.includes(id) ? 'screen' : 'camera';
    videos.set(id, { id, kind, participantName: nameOf(id), track: () => track });
  };
  const remote = new Map(tracks.ofKind('video').map((entry) => [entry.track.id, entry]));
  for (const video of document.querySelectorAll<HTMLVideoElement>(`${selectors.tile} video`)) {
    const stream = video.srcObject;
    const id = video.closest(selectors.tile)?.getAttribute(selectors.tileId) ?? '';
    if (id === '' || !(stream instanceof MediaStream)) continue;
    for (const track of stream.getVideoTracks()) {
      const entry = remote.get(track.id);
      if (entry !== undefined) add(id, entry);
    }
  }
  for (const entry of remote.values()) {
    const id = entry.streamIds.map((streamId) => owners.videos[streamId]).find((owner) => owner !== undefined);
    if (id !== undefined) add(id, entry);
  }
  return [...videos.values()];
}

export function install(options: MeetPageOptions): void {
  // Frames inside the page have no call of their own.
  if (globalThis.top !== globalThis.self) return;
  const { selectors, layers } = options;
  const page = globalThis as PageMediaSourceGlobal & { rapporteurMeet?: MeetPageDriver } & Record<string, unknown>;
  const tracks = new RemoteTracks(() => offer.refresh(true));
  const playedAudio = watchPlayedAudio(() => offer.refresh(true));
  const frames = new SpeechFrames();
  let owners = noOwners;
  const audioOwners = new AudioOwners((key) => {
    const participantId = owners.speakers[key];
    // The audio of a shared screen is not speech of a participant.
    if (participantId === undefined || owners.screens.includes(participantId)) return null;
    return { participantId, participantName: owners.names[participantId] ?? null };
  });
  const speechLevels = createSpeechMeter((track, sources) =>
    audioOwners.read(track, sources.map(contributingSourceOf), exactPageNow()),
  );

  const post = postThrough<MeetPost>(options.postName);

  // With this method present the page may decode audio in its own worklet, where sources do not name the speaker.
  if (layers.nativeAudio) delete (RTCRtpReceiver.prototype as { createEncodedStreams?: unknown }).createEncodedStreams;

  watchPeerConnections({
    track: (receiver, streamIds) => tracks.add(receiver, streamIds),
    channel: (channel) => {
      const { label } = channel;
      if ((label === 'collections' && layers.collections) || label === 'captions') {
        channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
          const atMs = pageNow();
          void base64Of(data).then((base64) => {
            if (base64 !== null) post({ kind: label, base64, atMs });
          });
        });
      } else if (layers.speechFrames && channel.label === 'dcrpc') {
        channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => void frames.take(data));
      }
    },
  });

  const speech = new SpeechLayers((layer, changes) => {
    for (const change of changes) post({ kind: 'speech', layer, ...change });
  });
  const offer = new MediaOffer({
    audioTracks: () => {
      const received = tracks.ofKind('audio').map(({ track }) => track);
      return received.length > 0 ? received : playedAudio();
    },
    audioReceivers: () => tracks.ofKind('audio').map(({ receiver }) => receiver),
    videos: () => offeredVideos(tracks, owners, selectors),
    participants: () => owners.participants.map((id) => ({ id, name: owners.names[id] ?? null })),
    speaking: () => [
      ...speech.speaking('sources').flatMap((key) => owners.speakers[key] ?? []),
      ...speech.speaking('frames'),
      ...speech.speaking('tiles'),
    ],
    ...(layers.contributingSources ? { audioOwners } : {}),
  });
  page.rapporteurMediaSource = offer.source;
  page.rapporteurMeet = {
    snapshot: () => takeSnapshot(selectors),
    setOwners: (next) => {
      owners = next;
      offer.refresh(false);
    },
  };

  setInterval(() => {
    if (tracks.size === 0 && document.querySelector(selectors.tile) === null) return;
    const nowMs = pageNow();
    const received = tracks.ofKind('audio');
    const withoutSelf = (levels: ReadonlyMap<string, number>) =>
      new Map([...levels].filter(([id]) => id !== owners.selfId));
    speech.observe(
      {
        sources: layers.contributingSources && received.length > 0 ? speechLevels(received) : null,
        frames: frames.fresh(nowMs) ? withoutSelf(frames.levels(nowMs)) : null,
        tiles: layers.tiles ? () => speakingTiles(selectors, owners.selfId) : null,
      },
      nowMs,
    );
    if (layers.contributingSources)
      audioOwners.notify(
        received.map(({ track }) => track),
        exactPageNow(),
      );
    offer.poll(nowMs);
  }, pollMs);
}

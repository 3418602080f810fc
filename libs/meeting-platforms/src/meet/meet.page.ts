// Stands in Google Meet's page before its own scripts: sees remote tracks and the channel `collections`, hears who
// speaks, answers what the picture of the recording is. Changes nothing that the page shows.
import type { PageMediaSource, PageMediaSourceGlobal, PageVideo } from '@rapporteur/contracts';
import { watchPeerConnections } from '../peer-connections.page.ts';
import { ShownPersonChooser } from '../shown-person.page.ts';
import type { PictureCandidate } from '../shown-person.page.ts';
import { SpeechDetector } from '../speech-detector.page.ts';
import type { SpeechChange } from '../speech-detector.page.ts';
import { isTileSpeaking, takeSnapshot, tileName } from './page-snapshot.page.ts';
import type { MeetPageSnapshot } from './page-state.ts';
import type { MeetPageSelectors } from './selectors.ts';

export interface MeetPageOptions {
  readonly selectors: MeetPageSelectors;
  /** Name of the binding that carries posts out of the page. */
  readonly postName: string;
  readonly layers: MeetPageLayers;
}

/** Each layer of signals can be taken away, to prove that the others carry on. */
export interface MeetPageLayers {
  readonly collections: boolean;
  readonly contributingSources: boolean;
  readonly tiles: boolean;
}

/** Who is behind which stream, as the records of the meeting say; pushed into the page. */
export interface MeetStreamOwners {
  /** Audio stream id (decimal contributing source) -> person id. */
  readonly voices: Readonly<Record<string, string>>;
  /** Video stream id -> person id. */
  readonly pictures: Readonly<Record<string, string>>;
  /** Person ids of shared screens. */
  readonly screens: readonly string[];
  readonly names: Readonly<Record<string, string>>;
  readonly selfId: string | null;
}

export type MeetPost =
  | { readonly kind: 'collections'; readonly base64: string; readonly atMs: number }
  | {
      readonly kind: 'speech';
      readonly layer: 'sources' | 'tiles';
      readonly key: string;
      readonly speaking: boolean;
      readonly atMs: number;
    };

export interface MeetPageDoor {
  snapshot(): MeetPageSnapshot;
  setOwners(owners: MeetStreamOwners): void;
}

interface RemoteTrack {
  readonly receiver: RTCRtpReceiver;
  readonly track: MediaStreamTrack;
  readonly streamIds: string[];
}

const pollMs = 50;
/** How often it is asked whose picture to show, unless a track changes. */
const choosePollMs = 200;
const tilePollMs = 250;
/** Tiles are asked only after the sources have been silent this long: they lag and flicker. */
const sourcesFreshMs = 2_000;
const takeOverMs = 800;
const sourceLimits = { loudLevel: 0.01, quietMs: 500 };
const tileLimits = { loudLevel: 1, quietMs: 800 };
const noOwners: MeetStreamOwners = { voices: {}, pictures: {}, screens: [], names: {}, selfId: null };

/**
 * Levels of the voices that were heard since the last call; a source's time stands still while it is silent. A voice
 * that moved to another slot stays in the old slot's list for ten seconds, so times are compared slot by slot.
 */
function createVoiceMeter(): (tracks: readonly RemoteTrack[]) => Map<string, number> {
  const lastHeard = new WeakMap<RTCRtpReceiver, Map<string, number>>();
  return (tracks) => {
    const levels = new Map<string, number>();
    for (const { receiver, track } of tracks) {
      if (track.kind !== 'audio' || track.readyState !== 'live') continue;
      const before = lastHeard.get(receiver);
      const now = new Map<string, number>();
      for (const entry of receiver.getContributingSources()) {
        const key = String(entry.source);
        now.set(key, entry.timestamp);
        if (before?.get(key) === entry.timestamp) continue;
        levels.set(key, Math.max(levels.get(key) ?? 0, entry.audioLevel ?? 0));
      }
      lastHeard.set(receiver, now);
    }
    return levels;
  };
}

export function install(options: MeetPageOptions): void {
  // Frames inside the page have no call of their own.
  if (globalThis.top !== globalThis.self) return;
  const { selectors, layers } = options;
  const page = globalThis as PageMediaSourceGlobal & { rapporteurMeet?: MeetPageDoor } & Record<string, unknown>;
  const tracks: RemoteTrack[] = [];
  const listeners = new Set<() => void>();
  let owners = noOwners;

  const post = (message: MeetPost): void => {
    const send = page[options.postName];
    if (typeof send === 'function') void (send as (message: MeetPost) => Promise<void>)(message).catch(() => undefined);
  };

  // With this method present the page may decode sound in its own worklet, where no source says who speaks.
  delete (RTCRtpReceiver.prototype as { createEncodedStreams?: unknown }).createEncodedStreams;

  const listenToCollections = (channel: RTCDataChannel): void => {
    channel.addEventListener('message', (event: MessageEvent<unknown>) => {
      void bytesOf(event.data).then((bytes) => {
        if (bytes !== null) post({ kind: 'collections', base64: bytes, atMs: Date.now() });
      });
    });
  };

  const bytesOf = async (data: unknown): Promise<string | null> => {
    const buffer = data instanceof Blob ? await data.arrayBuffer() : data;
    if (!(buffer instanceof ArrayBuffer)) return null;
    const bytes = new Uint8Array(buffer);
    let text = '';
    for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
    return btoa(text);
  };

  watchPeerConnections({
    track: (receiver, streamIds) => {
      const { track } = receiver;
      const known = tracks.findIndex((entry) => entry.track.id === track.id);
      if (known >= 0) tracks.splice(known, 1);
      tracks.push({ receiver, track, streamIds });
      track.addEventListener('ended', () => {
        const at = tracks.findIndex((entry) => entry.track === track);
        if (at >= 0) tracks.splice(at, 1);
        refresh(true);
      });
      // Receivers whose m-line stops sending say so by muting, not by ending.
      track.addEventListener('mute', () => refresh(true));
      track.addEventListener('unmute', () => refresh(true));
      refresh(true);
    },
    channel: (channel) => {
      if (layers.collections && channel.label === 'collections') listenToCollections(channel);
    },
  });

  const voicesHeard = createVoiceMeter();
  const sources = new SpeechDetector(sourceLimits);
  const tiles = new SpeechDetector(tileLimits);
  const chooser = new ShownPersonChooser(takeOverMs);
  let sourcesFreshAtMs = 0;
  let tilesPolledAtMs = 0;

  const tell = (layer: 'sources' | 'tiles', changes: readonly SpeechChange[]): void => {
    for (const change of changes) post({ kind: 'speech', layer, ...change });
  };

  const pollSources = (nowMs: number): void => {
    const levels = voicesHeard(tracks);
    if (levels.size > 0) sourcesFreshAtMs = nowMs;
    tell('sources', sources.observe(levels, nowMs));
  };

  const pollTiles = (nowMs: number): void => {
    if (nowMs - sourcesFreshAtMs < sourcesFreshMs) {
      tell('tiles', tiles.endAll());
      return;
    }
    if (nowMs - tilesPolledAtMs < tilePollMs) return;
    tilesPolledAtMs = nowMs;
    const levels = new Map<string, number>();
    for (const tile of document.querySelectorAll(selectors.tile)) {
      const id = tile.getAttribute(selectors.tileId) ?? '';
      if (
        id !== '' &&
        id !== owners.selfId &&
        tile.querySelector(selectors.selfTile) === null &&
        isTileSpeaking(tile, selectors)
      ) {
        levels.set(id, 1);
      }
    }
    tell('tiles', tiles.observe(levels, nowMs));
  };

  const videosByPerson = (): Map<string, { candidate: PictureCandidate; track: MediaStreamTrack }> => {
    const videos = new Map<string, { candidate: PictureCandidate; track: MediaStreamTrack }>();
    const add = (id: string, track: MediaStreamTrack): void => {
      if (id === owners.selfId || track.readyState !== 'live' || track.muted || videos.has(id)) return;
      videos.set(id, { candidate: { id, kind: owners.screens.includes(id) ? 'screen' : 'camera' }, track });
    };
    const remote = new Map(
      tracks.filter(({ track }) => track.kind === 'video').map((entry) => [entry.track.id, entry]),
    );
    for (const video of document.querySelectorAll<HTMLVideoElement>(`${selectors.tile} video`)) {
      const stream = video.srcObject;
      const id = video.closest(selectors.tile)?.getAttribute(selectors.tileId) ?? '';
      if (id === '' || !(stream instanceof MediaStream)) continue;
      for (const track of stream.getVideoTracks()) {
        if (remote.has(track.id)) add(id, remote.get(track.id)!.track);
      }
    }
    for (const { track, streamIds } of remote.values()) {
      const id = streamIds.map((streamId) => owners.pictures[streamId]).find((owner) => owner !== undefined);
      if (id !== undefined) add(id, track);
    }
    return videos;
  };

  const nameOf = (id: string): string | null => {
    const tile = document.querySelector(`${selectors.tile}[${selectors.tileId}="${CSS.escape(id)}"]`);
    return owners.names[id] ?? (tile === null ? null : tileName(tile, selectors));
  };

  let shown: PageVideo | null = null;
  const chooseShown = (nowMs: number): boolean => {
    const videos = videosByPerson();
    const speaking = [...sources.speaking.map((key) => owners.voices[key] ?? ''), ...tiles.speaking].filter(
      (id) => id !== '',
    );
    const id = chooser.choose(
      [...videos.values()].map(({ candidate }) => candidate),
      speaking,
      nowMs,
    );
    const video = id === null ? undefined : videos.get(id);
    const next =
      video === undefined || id === null
        ? null
        : { track: video.track, personName: nameOf(id), kind: video.candidate.kind };
    if (next?.track === shown?.track && next?.personName === shown?.personName && next?.kind === shown?.kind)
      return false;
    shown = next;
    return true;
  };

  let chosenAtMs = 0;
  const refresh = (tracksChanged: boolean): void => {
    chosenAtMs = Date.now();
    if (!chooseShown(chosenAtMs) && !tracksChanged) return;
    for (const listener of listeners) {
      try {
        listener();
      } catch (error) {
        console.error('A listener of the media source failed.', error);
      }
    }
  };

  const source: PageMediaSource = {
    version: 1,
    audioTracks: () =>
      tracks.filter(({ track }) => track.kind === 'audio' && track.readyState === 'live').map(({ track }) => track),
    shownVideo: () => shown,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  page.rapporteurMediaSource = source;
  page.rapporteurMeet = {
    snapshot: () => takeSnapshot(selectors),
    setOwners: (next) => {
      owners = next;
      refresh(false);
    },
  };

  setInterval(() => {
    if (tracks.length === 0 && document.querySelector(selectors.tile) === null) return;
    const nowMs = Date.now();
    if (layers.contributingSources) pollSources(nowMs);
    if (layers.tiles) pollTiles(nowMs);
    if (nowMs - chosenAtMs >= choosePollMs) refresh(false);
  }, pollMs);
}

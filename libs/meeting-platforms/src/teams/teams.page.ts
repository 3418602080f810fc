// Runs in each frame of Teams' page before its own scripts: observes remote tracks, the channel `main-channel` and chat
// events, detects speakers, offers the video to show to the recorder. Changes nothing that the page shows.
import type { PageMediaSource, PageMediaSourceGlobal } from '@rapporteur/contracts';
import { pageNow } from '@rapporteur/page-scripts/page-time';
import { postThrough } from '../page-post.page.ts';
import { watchPeerConnections } from '../peer-connections.page.ts';
import { MediaOffer, RemoteTracks } from '../web-client/media-offer.page.ts';
import type { OfferedParticipant, OfferedVideo, RemoteTrack } from '../web-client/media-offer.page.ts';
import { withoutMarks } from './display-name.ts';
import { captionsIn, dominantSpeakerIn } from './main-channel.page.ts';
import type { RecognitionResult } from './main-channel.page.ts';
import {
  isOutlined,
  takeTeamsSnapshot,
  tileNameOf,
  tilesOf,
  speechNameInGlobals,
  startCaptionsInGlobals,
} from './page-snapshot.page.ts';
import type { TeamsPageSelectors } from './page-snapshot.page.ts';
import type { TeamsPageSnapshot } from './page-state.ts';
import { TeamsSpeechDetector } from './speech-layers.page.ts';
import type { TeamsSpeech, TeamsSpeechLayers } from './speech-layers.page.ts';

const webAddress = /^(https?|about|blob|data|javascript|file):/i;

/** Keeps this page's scripts from calling an app: the browser would show a prompt, and drop every press meanwhile. */
function refuseAppAddresses(): void {
  const { navigation } = globalThis as { navigation?: EventTarget };
  navigation?.addEventListener('navigate', (event) => {
    const { destination } = event as Event & { destination?: { url: string } };
    if (destination !== undefined && !webAddress.test(destination.url)) event.preventDefault();
  });
  const open = globalThis.open?.bind(globalThis);
  if (open === undefined) return;
  globalThis.open = (...given: Parameters<typeof globalThis.open>): Window | null => {
    const address = String(given[0] ?? '');
    return /^[a-z][a-z0-9+.-]*:/i.test(address) && !webAddress.test(address) ? null : open(...given);
  };
}

export interface TeamsPageOptions {
  readonly selectors: TeamsPageSelectors;
  /** Name of the binding that carries posts out of the page. */
  readonly postName: string;
  readonly layers: TeamsSpeechLayers & { readonly globals: boolean };
}

/** Owners of the streams, from the records of the meeting; pushed into the page. */
export interface TeamsSpeechOwners {
  /** Stream id -> name. */
  readonly names: Readonly<Record<string, string>>;
  readonly ownName: string | null;
  /** Names of all participants in the call except the bot, in order of arrival. */
  readonly participants: readonly string[];
}

export interface TeamsChatEvent {
  readonly id: string;
  /** Ends in the sender's id in the records. */
  readonly from: string;
  readonly senderName: string | null;
  /** HTML. */
  readonly content: string;
  readonly sentAt: string;
}

export type TeamsPost =
  | { readonly kind: 'own-name'; readonly name: string }
  | { readonly kind: 'chat'; readonly events: readonly TeamsChatEvent[] }
  | { readonly kind: 'captions'; readonly results: readonly RecognitionResult[]; readonly atMs: number }
  /** `name`: the page's own name of the stream, for the case that no record has it. */
  | ({ readonly kind: 'speech'; readonly name: string | null } & TeamsSpeech);

export interface TeamsPageDriver {
  snapshot(): TeamsPageSnapshot;
  startCaptions(language: string | null): boolean;
  setOwners(owners: TeamsSpeechOwners): void;
}

/** The media source of the top frame, which forwards that of the frame with the call. */
interface MediaRelay {
  adopt(source: PageMediaSource): void;
}

type TeamsGlobal = PageMediaSourceGlobal & {
  rapporteurTeams?: TeamsPageDriver;
  rapporteurTeamsRelay?: MediaRelay;
} & Record<string, unknown>;

const pollMs = 50;
const mostEvents = 200;
const textTypes = new Set(['text', 'richtext', 'richtext/html']);

export function install(options: TeamsPageOptions): void {
  refuseAppAddresses();
  const relay = findRelay();
  if (relay === null) return;
  const { selectors, layers } = options;
  const page = globalThis as TeamsGlobal;
  let owners: TeamsSpeechOwners = { names: {}, ownName: null, participants: [] };

  const post = postThrough<TeamsPost>(options.postName);

  const tracks = new RemoteTracks(() => {
    if (tracks.size > 0) relay.adopt(offer.source);
    offer.refresh(true);
  });
  const videos = (): OfferedVideo[] => videosOf(selectors, owners.ownName);
  const nameOf = (streamId: string): string | undefined =>
    owners.names[streamId] ?? (layers.globals ? speechNameInGlobals(streamId) : undefined);
  const inputs = { mix: () => mixOf(tracks), outlined: () => outlinedNames(selectors), nameOf };
  const speakers = new TeamsSpeechDetector(inputs, layers, (speech) => {
    const byStream = speech.layer === 'sources' || speech.layer === 'dominant';
    post({ kind: 'speech', name: byStream ? (nameOf(speech.key) ?? null) : null, ...speech });
  });
  const offer = new MediaOffer({
    audioTracks: () => [mixOf(tracks)?.track].filter((track) => track !== undefined),
    audioReceivers: () => [mixOf(tracks)?.receiver].filter((receiver) => receiver !== undefined),
    videos,
    participants: () => namedParticipants(owners.participants),
    speaking: () => speakers.speaking().map(withoutMarks),
  });

  watchPeerConnections({
    track: (receiver, streamIds) => tracks.add(receiver, streamIds),
    channel: (channel) => {
      if (channel.label !== 'main-channel') return;
      channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        if (!(data instanceof ArrayBuffer)) return;
        const message = new Uint8Array(data);
        const dominant = dominantSpeakerIn(message);
        if (dominant !== null) speakers.dominates(dominant, pageNow());
        const results = captionsIn(message);
        if (results.length > 0) post({ kind: 'captions', results, atMs: pageNow() });
      });
    },
  });
  watchChat((events) => post({ kind: 'chat', events }));
  watchOwnName(selectors, (name) => post({ kind: 'own-name', name }));

  page.rapporteurTeams = {
    snapshot: () => takeTeamsSnapshot(selectors, layers.globals),
    startCaptions: (language) => layers.globals && startCaptionsInGlobals(language),
    setOwners: (next) => {
      owners = next;
      offer.refresh(false);
    },
  };
  setInterval(() => {
    if (tracks.size === 0) return;
    const nowMs = pageNow();
    speakers.poll(nowMs);
    offer.poll(nowMs);
  }, pollMs);
}

/** The recorder reads the top frame only. Null in a frame of another site, which has no call of ours. */
function findRelay(): MediaRelay | null {
  try {
    const top = globalThis.top as unknown as TeamsGlobal;
    return (top.rapporteurTeamsRelay ??= createRelay(top));
  } catch {
    return null;
  }
}

function createRelay(top: TeamsGlobal): MediaRelay {
  const listeners = new Set<() => void>();
  let current: PageMediaSource | null = null;
  let stopListening = (): void => undefined;
  const notify = (): void => listeners.forEach((listener) => listener());
  top.rapporteurMediaSource = {
    version: 2,
    audioTracks: () => current?.audioTracks() ?? [],
    audioReceivers: () => current?.audioReceivers?.() ?? [],
    shownVideo: () => current?.shownVideo() ?? null,
    tiles: () => current?.tiles() ?? [],
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return {
    adopt: (source) => {
      if (source === current) return;
      stopListening();
      current = source;
      stopListening = source.onChange(notify);
      notify();
    },
  };
}

/** The server's mix without its redundant copy: both together double every word. */
function mixOf(tracks: RemoteTracks): RemoteTrack | null {
  const audio = tracks.ofKind('audio').filter(({ track }) => track.readyState === 'live');
  const main = audio.filter(({ streamIds }) => streamIds.some((id) => id.includes('mainAudio')));
  return main.at(-1) ?? audio[0] ?? null;
}

function outlinedNames(selectors: TeamsPageSelectors): string[] | null {
  const outlined = tilesOf(selectors).map((tile) => ({ tile, speaks: isOutlined(tile, selectors) }));
  if (outlined.every(({ speaks }) => speaks === null)) return null;
  return outlined.filter(({ speaks }) => speaks === true).map(({ tile }) => tileNameOf(tile, selectors));
}

function videosOf(selectors: TeamsPageSelectors, ownName: string | null): OfferedVideo[] {
  return tilesOf(selectors).flatMap((tile) => {
    const name = withoutMarks(tileNameOf(tile, selectors));
    const stream = [...tile.querySelectorAll('video')].map((video) => video.srcObject).find((held) => held !== null);
    const track = stream instanceof MediaStream ? stream.getVideoTracks().find(isShowing) : undefined;
    if (track === undefined || name === '' || name === ownName) return [];
    const screen = tile.matches(selectors.screenTile);
    return [
      {
        id: screen ? `screen ${name}` : name,
        kind: screen ? 'screen' : 'camera',
        participantName: name,
        track: () => track,
      },
    ];
  });
}

/** Tiles have names only: of several participants with one name the first is shown. */
function namedParticipants(names: readonly string[]): OfferedParticipant[] {
  const count = new Map<string, number>();
  return names.map((name) => {
    const before = count.get(name) ?? 0;
    count.set(name, before + 1);
    return { id: before === 0 ? name : `${name} ${before + 1}`, name };
  });
}

function isShowing(track: MediaStreamTrack): boolean {
  return track.readyState === 'live' && !track.muted;
}

/** The bot is recognized among the participants by the name that it types. */
function watchOwnName(selectors: TeamsPageSelectors, notify: (name: string) => void): void {
  document.addEventListener(
    'input',
    ({ target }) => {
      if (!(target instanceof HTMLInputElement) || target.closest(selectors.nameField) === null) return;
      notify(target.value.trim());
    },
    true,
  );
}

/** The client binds its chat listener by this name; the pane has rows only while it is open. */
function watchChat(notify: (events: TeamsChatEvent[]) => void): void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own `this` below
  const native = Function.prototype.bind;
  const bind = function (this: (...given: unknown[]) => unknown, ...bound: unknown[]): unknown {
    const made = Reflect.apply(native, this, bound) as (...given: unknown[]) => unknown;
    if (this.name !== 'onMessageReceived') return made;
    return (...given: unknown[]): unknown => {
      const events = chatEventsIn(given[0]);
      if (events.length > 0) notify(events);
      return made(...given);
    };
  };
  Function.prototype.bind = bind as typeof native;
}

function chatEventsIn(batch: unknown): TeamsChatEvent[] {
  const { data } = (batch ?? {}) as { data?: { chatServiceBatchEvent?: unknown } };
  const events: unknown[] = Array.isArray(data?.chatServiceBatchEvent) ? data.chatServiceBatchEvent : [];
  return events.slice(0, mostEvents).flatMap((event) => {
    const { message } = (event ?? {}) as { message?: Record<string, unknown> };
    const text = (name: string): string => (typeof message?.[name] === 'string' ? message[name] : '');
    const id = text('clientMessageId') || text('id');
    if (id === '' || !textTypes.has(text('messageType').toLowerCase())) return [];
    return [
      {
        id,
        from: text('from'),
        senderName: text('imDisplayName') || null,
        content: text('content'),
        sentAt: text('originalArrivalTime'),
      },
    ];
  });
}

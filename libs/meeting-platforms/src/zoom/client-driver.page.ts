// Runs in Zoom's page before its own scripts, in the page itself and in a client's frame: reads the messages of the
// client's worker, captures played audio and painted videos. Changes nothing that the page shows or plays.
import type { PageMediaSourceGlobal } from '@rapporteur/contracts';
import { pageNow } from '@rapporteur/page-scripts/page-time';
import { postThrough } from '../page-post.page.ts';
import { MediaOffer } from '../web-client/media-offer.page.ts';
import type { MediaParts, OfferedParticipant, OfferedVideo } from '../web-client/media-offer.page.ts';
import { isShown } from '../web-client/page-text.page.ts';
import { PaintedVideos } from './page-videos.page.ts';
import { takeSnapshot, tileName } from './page-snapshot.page.ts';
import { watchPlayedAudio } from '../web-client/played-audio.page.ts';
import type { ZoomPageSnapshot } from './page-state.ts';
import type { ZoomPageSelectors } from './page-snapshot.page.ts';
import { watchLiveTranscription } from './live-transcription.page.ts';
import type { LiveTranscriptionMessage } from './live-transcription.page.ts';
import { SignallingReader } from './signalling.page.ts';
import type { RosterEntry, Signalling } from './signalling.page.ts';
import { SpeechLayers } from './speech-layers.page.ts';
import type { SpeechLayer } from './speech-layers.page.ts';

export interface ZoomPageOptions {
  readonly selectors: ZoomPageSelectors;
  /** Name of the binding that carries posts out of the page. */
  readonly postName: string;
  readonly layers: ZoomPageLayers;
}

/** Disables single signal layers, to test the others. */
export interface ZoomPageLayers {
  readonly roster: boolean;
  readonly levels: boolean;
  readonly activeSpeakers: boolean;
  readonly tiles: boolean;
}

export type ZoomPost =
  | { readonly kind: 'caption'; readonly message: LiveTranscriptionMessage; readonly atMs: number }
  | {
      readonly kind: 'roster';
      readonly present: readonly RosterEntry[];
      readonly gone: readonly string[];
      readonly atMs: number;
    }
  | { readonly kind: 'self'; readonly id: string; readonly atMs: number }
  | {
      readonly kind: 'speech';
      readonly layer: SpeechLayer;
      readonly key: string;
      readonly speaking: boolean;
      readonly atMs: number;
    };

export interface ZoomPageDriver {
  snapshot(): ZoomPageSnapshot;
  /** Begins to read captions; only the menu turns them on. */
  startCaptions(): boolean;
  /** The bot's present name, and its id where messages name participants: its own video is never shown. */
  setSelf(self: ZoomSelf): void;
}

export interface ZoomSelf {
  readonly id: string | null;
  readonly name: string;
}

/** The interface of the top page's script for the one in the client's frame. */
interface MediaHub {
  add(parts: MediaParts): { changed: () => void; poll: (nowMs: number) => void; remove: () => void };
}

type ZoomGlobal = PageMediaSourceGlobal & {
  rapporteurZoom?: ZoomPageDriver;
  rapporteurZoomMedia?: MediaHub;
} & Record<string, unknown>;

const pollMs = 50;
const tilePollMs = 250;
const smallestImage = 32;

/** The recorder reads the media from the top page, whichever frame has the client. */
function createHub(page: ZoomGlobal): MediaHub {
  const frames = new Set<MediaParts>();
  const all = <T>(each: (parts: MediaParts) => readonly T[]): T[] => [...frames].flatMap(each);
  const offer = new MediaOffer({
    audioTracks: () => all((parts) => parts.audioTracks()),
    videos: () => all((parts) => parts.videos()),
    participants: () => all((parts) => parts.participants()),
    speaking: () => all((parts) => parts.speaking()),
  });
  page.rapporteurMediaSource = offer.source;
  return {
    add: (parts) => {
      frames.add(parts);
      return {
        changed: () => offer.refresh(true),
        poll: (nowMs) => offer.poll(nowMs),
        remove: () => {
          frames.delete(parts);
          offer.refresh(true);
        },
      };
    },
  };
}

/** Null in a frame of another origin. */
function hubOf(page: ZoomGlobal): MediaHub | null {
  if (globalThis.top === globalThis.self) return (page.rapporteurZoomMedia = createHub(page));
  try {
    return (globalThis.top as unknown as ZoomGlobal).rapporteurZoomMedia ?? null;
  } catch {
    return null;
  }
}

function watchWorkers(onData: (data: unknown, reader: SignallingReader) => void): void {
  globalThis.Worker = new Proxy(globalThis.Worker, {
    construct(original, parameters, newTarget): Worker {
      const worker = Reflect.construct(original, parameters, newTarget) as Worker;
      const reader = new SignallingReader();
      worker.addEventListener('message', (event: MessageEvent<unknown>) => onData(event.data, reader));
      return worker;
    },
  });
}

/** Participants and speakers according to the workers. */
class ReceivedSignals {
  readonly names = new Map<string, string>();
  /** When a worker last sent anything. */
  messageAtMs: number | null = null;
  #levels = new Set<string>();
  #active: readonly string[] = [];

  apply(message: Signalling, layers: ZoomPageLayers): void {
    if (message.kind === 'level' && layers.levels && message.level >= 1) this.#levels.add(message.id);
    if (message.kind === 'active' && layers.activeSpeakers) this.#active = message.ids;
    if (message.kind !== 'roster') return;
    for (const { id, name } of message.present) if (name !== null) this.names.set(id, name);
    for (const id of message.gone) this.names.delete(id);
  }

  get active(): readonly string[] {
    return this.#active;
  }

  /** Participants with a level since the last call. */
  takeLevels(): string[] {
    const loud = [...this.#levels];
    this.#levels = new Set();
    return loud;
  }

  /** A name of only one participant resolves to that participant; otherwise to all that have it. */
  keyOf(name: string): string {
    const ids = [...this.names].flatMap(([id, known]) => (known === name ? [id] : []));
    return ids.length === 1 ? ids[0]! : `name:${name}`;
  }

  /** All named participants except the bot. */
  participantsBut(selfId: string | null): OfferedParticipant[] {
    const keys = new Set<string>();
    return [...this.names].flatMap(([id, name]) => {
      if (id === selfId) return [];
      // The first of several participants with one name is shown.
      const key = this.keyOf(name);
      const free = keys.has(key) ? id : key;
      keys.add(free);
      return [{ id: free, name }];
    });
  }
}

/** The videos that the page paints: one per participant, or one with all participants. */
function createVideos(selectors: ZoomPageSelectors, signals: ReceivedSignals, selfName: () => string) {
  const painted = new PaintedVideos();
  type Surface = HTMLCanvasElement | HTMLVideoElement;
  const surfaceIn = (place: ParentNode, selector: string): Surface | undefined =>
    [...place.querySelectorAll<Surface>(selector)].find(
      (surface) => isShown(surface) && surface.clientWidth >= smallestImage,
    );
  const offered = (surface: Surface, about: Omit<OfferedVideo, 'track'>): OfferedVideo => ({
    ...about,
    track: () => painted.trackOf(surface, about.kind === 'screen'),
  });
  return (): OfferedVideo[] => {
    const screen = surfaceIn(document, selectors.sharedScreen);
    const screens = screen ? [offered(screen, { id: 'screen', kind: 'screen', participantName: null })] : [];
    const cameras = [...document.querySelectorAll(selectors.tile)].flatMap((tile) => {
      const name = tileName(tile, selectors);
      const surface = name === '' || name === selfName() ? undefined : surfaceIn(tile, 'canvas,video');
      return surface ? [offered(surface, { id: signals.keyOf(name), kind: 'camera', participantName: name })] : [];
    });
    if (screens.length + cameras.length > 0) return [...screens, ...cameras];
    const stage = surfaceIn(document, selectors.stage);
    const about = { id: 'stage', kind: 'camera', participantName: null, showsEverybody: true } as const;
    return stage ? [offered(stage, about)] : [];
  };
}

/** @returns a function that takes signals of another layer than the workers */
export function installZoom(options: ZoomPageOptions): (message: Signalling) => void {
  const { selectors, layers } = options;
  const page = globalThis as ZoomGlobal;
  const hub = hubOf(page);
  if (hub === null) return () => undefined;
  const signals = new ReceivedSignals();
  const speech = new SpeechLayers();
  let self: ZoomSelf = { id: null, name: '' };

  const post = postThrough<ZoomPost>(options.postName);

  const receive = (message: Signalling): void => {
    if ((message.kind === 'roster' || message.kind === 'self') && !layers.roster) return;
    signals.apply(message, layers);
    if (message.kind === 'roster' || message.kind === 'self') post({ ...message, atMs: pageNow() });
  };
  watchWorkers((data, reader) => {
    signals.messageAtMs = pageNow();
    const message = reader.read(data);
    if (message !== null) receive(message);
  });

  const playedAudio = watchPlayedAudio(() => media.changed());
  const media = hub.add({
    audioTracks: playedAudio,
    videos: createVideos(selectors, signals, () => self.name),
    participants: () => (signals.names.size > 0 ? signals.participantsBut(self.id) : shownParticipants()),
    speaking: () => speech.speaking,
  });
  globalThis.addEventListener('pagehide', () => media.remove());

  const markedTiles = (): string[] =>
    [...document.querySelectorAll(selectors.tile)]
      .filter((tile) => tile.matches(selectors.tileActive))
      .map((tile) => tileName(tile, selectors))
      .filter((name) => name !== '' && name !== self.name)
      .map((name) => signals.keyOf(name));

  /** Where no message names participants: those with a place on the page. */
  function shownParticipants(): OfferedParticipant[] {
    const names = [...document.querySelectorAll(selectors.tile)]
      .filter(isShown)
      .map((tile) => tileName(tile, selectors));
    return [...new Set(names)]
      .filter((name) => name !== '' && name !== self.name)
      .map((name) => ({ id: signals.keyOf(name), name }));
  }

  let tiles: string[] = [];
  let tilesReadAtMs = 0;
  const inspectTiles = (nowMs: number): void => {
    if (nowMs - tilesReadAtMs < tilePollMs) return;
    tilesReadAtMs = nowMs;
    tiles = markedTiles();
  };

  page.rapporteurZoom = {
    snapshot: () => ({ ...takeSnapshot(selectors), messageAtMs: signals.messageAtMs }),
    startCaptions: once(() => watchLiveTranscription((message) => post({ kind: 'caption', message, atMs: pageNow() }))),
    setSelf: (present) => {
      self = present;
    },
  };

  setInterval(() => {
    const nowMs = pageNow();
    if (layers.tiles) inspectTiles(nowMs);
    const speakers = { levels: signals.takeLevels(), 'active-speaker': signals.active, tiles };
    for (const change of speech.observe(speakers, nowMs)) post({ kind: 'speech', ...change });
    media.poll(nowMs);
  }, pollMs);
  return receive;
}

/** Runs it the first time. False: nothing was turned on. */
function once(begin: () => void): () => boolean {
  let begun = false;
  return () => {
    if (!begun) begin();
    begun = true;
    return false;
  };
}

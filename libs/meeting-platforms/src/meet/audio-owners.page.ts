import type { PageAudioChange, PageAudioNews, PageAudioOwner, PageAudioOwners } from '@rapporteur/contracts';

/** One entry of a track's list of contributing sources. `atMs`: epoch ms of its last audio in this track. */
export interface ContributingSource {
  readonly key: string;
  readonly atMs: number;
  /** 0..1 */
  readonly level: number;
}

/** Audio comes out of a track in frames of so many milliseconds. */
const frameMs = 10;
/** Sources whose times are this close are in the same frame. */
const togetherMs = 8;
/** Ratio of levels from which the loudest source owns the track: what is left of the next one is 20 dB lower. */
const clearlyLouder = 10;
/** A track without audio for this long has no owner. */
const quietMs = 300;
/** Not a source key: source keys are numbers. */
const several = 'several';
/** Delay until recent audio is in the list. */
const listLateMs = 20;
const reportEveryMs = 200;

interface OwnedTrack {
  /** Source key -> time of its last audio. */
  readonly sourceAudioAtMs: Map<string, number>;
  audioAtMs: number;
  readAtMs: number | null;
  /** Key of a source, or `several`. */
  owner: string | null;
  /** The last reported owner. */
  reported: PageAudioChange['owner'];
  /** Beginning of an undecided overlap: at a handover both sources are present for a moment. */
  togetherSinceMs: number | null;
}

/**
 * Attributes the audio of each track to a participant by its contributing sources: Meet sends a small pool of tracks and
 * reassigns them to the loudest participants. Time comes with each read.
 */
export class AudioOwners implements PageAudioOwners {
  readonly #ownerOf: (key: string) => PageAudioOwner | null;
  readonly #tracks = new Map<MediaStreamTrack, OwnedTrack>();
  readonly #listeners = new Set<(news: PageAudioNews) => void>();
  #changes: PageAudioChange[] = [];
  #reportedAtMs = -Infinity;

  /** @param ownerOf returns the participant of a source; null: unknown, or not a participant */
  constructor(ownerOf: (key: string) => PageAudioOwner | null) {
    this.#ownerOf = ownerOf;
  }

  follow(listener: (news: PageAudioNews) => void): () => void {
    this.#listeners.add(listener);
    const changes = [...this.#tracks].map(([track, { reported, readAtMs }]) => ({
      track,
      sinceMs: readAtMs ?? 0,
      owner: reported,
    }));
    listener({ knownUntilMs: this.#knownUntilMs(Infinity), changes });
    return () => this.#listeners.delete(listener);
  }

  /** The list of one track, as it is now. */
  read(track: MediaStreamTrack, sources: readonly ContributingSource[], nowMs: number): void {
    const owned = this.#trackOf(track);
    const fresh = sources.filter(({ key, atMs }) => atMs > (owned.sourceAudioAtMs.get(key) ?? -Infinity));
    const beganMs = Math.max((owned.readAtMs ?? nowMs) - listLateMs, owned.audioAtMs + frameMs);
    for (const { key, atMs } of fresh) owned.sourceAudioAtMs.set(key, atMs);
    owned.readAtMs = nowMs;
    const latestMs = Math.max(...fresh.map(({ atMs }) => atMs));
    if (fresh.length === 0) {
      if (nowMs - owned.audioAtMs > quietMs) this.#pass(owned, track, null, owned.audioAtMs + frameMs);
      return;
    }
    const together = fresh.filter(({ atMs }) => latestMs - atMs < togetherMs);
    const before = fresh.filter((source) => !together.includes(source)).map(({ atMs }) => atMs + frameMs);
    owned.audioAtMs = latestMs;
    this.#decide(owned, track, { together, sinceMs: before.length > 0 ? Math.max(...before) : beganMs });
  }

  /** Call after every track was read. `live`: the current tracks. */
  notify(live: readonly MediaStreamTrack[], nowMs: number): void {
    for (const track of this.#tracks.keys()) if (!live.includes(track)) this.#tracks.delete(track);
    if (this.#listeners.size === 0) this.#changes = [];
    if (this.#listeners.size === 0 || (this.#changes.length === 0 && nowMs - this.#reportedAtMs < reportEveryMs))
      return;
    this.#reportedAtMs = nowMs;
    const changes = this.#changes;
    this.#changes = [];
    for (const listener of this.#listeners) listener({ knownUntilMs: this.#knownUntilMs(nowMs), changes });
  }

  #trackOf(track: MediaStreamTrack): OwnedTrack {
    const known = this.#tracks.get(track);
    if (known) return known;
    const owned: OwnedTrack = {
      sourceAudioAtMs: new Map(),
      audioAtMs: -Infinity,
      readAtMs: null,
      owner: null,
      reported: null,
      togetherSinceMs: null,
    };
    this.#tracks.set(track, owned);
    return owned;
  }

  #decide(
    owned: OwnedTrack,
    track: MediaStreamTrack,
    { together, sinceMs }: { readonly together: readonly ContributingSource[]; readonly sinceMs: number },
  ): void {
    const [first, second] = together.toSorted((one, other) => other.level - one.level);
    if (first === undefined) return;
    if (second === undefined || first.level >= clearlyLouder * second.level) {
      owned.togetherSinceMs = null;
      this.#pass(owned, track, first.key, sinceMs);
    } else if (owned.owner !== several) {
      if (owned.togetherSinceMs === null) owned.togetherSinceMs = sinceMs;
      else this.#pass(owned, track, several, owned.togetherSinceMs);
    }
  }

  /** The track passes to another source, or the participant of its source became known. */
  #pass(owned: OwnedTrack, track: MediaStreamTrack, to: string | null, sinceMs: number): void {
    const owner = to === null || to === several ? to : this.#ownerOf(to);
    owned.owner = to;
    if (to === several || to === null) owned.togetherSinceMs = null;
    if (sameOwner(owner, owned.reported)) return;
    owned.reported = owner;
    this.#changes.push({ track, sinceMs, owner });
  }

  #knownUntilMs(nowMs: number): number {
    const reads = [...this.#tracks.values()].map(({ togetherSinceMs, readAtMs }) => togetherSinceMs ?? readAtMs ?? 0);
    return Math.min(nowMs, ...reads) - listLateMs;
  }
}

function sameOwner(one: PageAudioChange['owner'], other: PageAudioChange['owner']): boolean {
  if (one === null || other === null || one === 'several' || other === 'several') return one === other;
  return one.participantId === other.participantId && one.participantName === other.participantName;
}

import type { AudioOwner } from '../messages.ts';
import { mixBlock, mixRate } from './audio-mix.page.ts';
import type { PlacedAudio } from './audio-mix.page.ts';

/** Audio of a track that waits until its owner is known. */
const keptSamples = mixRate * 2;
/** Root mean square of a block from which a participant is audible: -54 dB. */
const audibleRms = 0.002;
/** From here on it is speech and no noise of a room: -46 dB. */
const spokenRms = 0.005;
/** Blocks that are kept before and after audible ones: soft beginnings and ends of words. */
const leadBlocks = 10;
const tailBlocks = 25;
const tracksMost = 16;
/** Every third sample is sufficient for the level. */
const loudnessStep = 3;

type Samples = Float32Array<ArrayBuffer>;

interface FollowedTrack {
  /** The keys are the positions of their first samples. */
  readonly blocks: Map<number, Samples>;
  /** Before this position the track is complete. */
  end: number;
  gone: boolean;
  /** Owners from a position on; in order, the first one applies to the next position. */
  owners: { from: number; owner: AudioOwner | 'several' | null }[];
}

interface SpeechEdges {
  /** Inaudible blocks that may precede speech. */
  readonly before: Samples[];
  /** Inaudible blocks that are still to be kept. */
  tail: number;
}

export interface ParticipantBlock {
  readonly participant: AudioOwner;
  /** The position of the first sample. */
  readonly position: number;
  /** False for what is kept before and after, and for noise. */
  readonly isSpoken: boolean;
}

/**
 * Delivers the audio of each track to its owner at that time, while the owner is audible. Tracks carry one participant
 * after the other.
 */
export class ParticipantAudioMixes implements PlacedAudio {
  readonly #deliver: (block: ParticipantBlock, samples: Samples) => void;
  readonly #tracks = new Map<string, FollowedTrack>();
  #participants = new Map<string, SpeechEdges>();
  /** Position up to which owners are known. */
  #known: number;
  #limit = Infinity;
  #shared = 0;
  #unowned = 0;
  /** Position up to which audio is delivered. */
  #done: number;
  reported = 0;

  /** @param begins position of the first sample */
  constructor(deliver: (block: ParticipantBlock, samples: Samples) => void, begins: number) {
    this.#deliver = deliver;
    this.#done = this.#known = begins;
  }

  /** Audio of more than one participant, and audio without a known owner: it is in the mix only. */
  get leftOutMs(): { readonly shared: number; readonly unowned: number } {
    const inMs = (samples: number): number => Math.round((samples * 1_000) / mixRate);
    return { shared: inMs(this.#shared), unowned: inMs(this.#unowned) };
  }

  place(trackId: string, samples: Float32Array, position: number): void {
    const track = this.#track(trackId);
    if (track === null) return;
    const to = Math.min(position + samples.length, this.#done + keptSamples, this.#limit);
    for (let at = Math.max(position, this.#done, track.end); at < to;) {
      const start = at - (at % mixBlock);
      const end = Math.min(to, start + mixBlock);
      const block = track.blocks.get(start) ?? new Float32Array(mixBlock);
      track.blocks.set(start, block);
      block.set(samples.subarray(at - position, end - position), at - start);
      at = end;
    }
    track.end = Math.max(track.end, to);
  }

  /** Sets the owner of a track from a position on; delivered audio is unaffected. */
  own(trackId: string, owner: AudioOwner | 'several' | null, position: number): void {
    if (owner !== null) this.reported += 1;
    const track = this.#track(trackId);
    if (track === null) return;
    const from = Math.max(position, this.#done);
    track.owners = [...track.owners.filter((one) => one.from < from), { from, owner }];
  }

  knowUntil(position: number): void {
    this.#known = Math.max(this.#known, position);
  }

  /** The track has ended. */
  forget(trackId: string): void {
    const track = this.#tracks.get(trackId);
    if (track) track.gone = true;
  }

  /** The recording is paused at a position: nothing after it is kept until `resume`. */
  holdAt(position: number): void {
    this.#limit = Math.max(this.#done, position);
    for (const track of this.#tracks.values()) {
      for (const [start, block] of track.blocks) block.fill(0, Math.max(0, this.#limit - start));
      track.end = Math.min(track.end, this.#limit);
    }
  }

  resume(): void {
    this.#limit = Infinity;
  }

  /**
   * Delivers the audio before a position, as far as owners are known. Audio without an owner for a second is left out.
   * @param atTheEnd owners are taken as last reported
   */
  advance(position: number, atTheEnd = false): void {
    const due = Math.min(position, this.#limit);
    for (; this.#done + mixBlock <= due; this.#done += mixBlock) {
      const isKnown = atTheEnd || this.#done + mixBlock <= this.#known;
      if (!isKnown && this.#done >= due - keptSamples / 2) return;
      this.#deliverBlock(isKnown);
    }
  }

  /** Null above the limit, and before any owner is reported: no audio is kept then. */
  #track(trackId: string): FollowedTrack | null {
    const known = this.#tracks.get(trackId);
    if (known) return known;
    if (this.reported === 0 || this.#tracks.size >= tracksMost) return null;
    const track: FollowedTrack = { blocks: new Map(), end: this.#done, gone: false, owners: [] };
    this.#tracks.set(trackId, track);
    return track;
  }

  #deliverBlock(isKnown: boolean): void {
    const mixes = new Map<string, [AudioOwner, Samples]>();
    for (const [trackId, track] of this.#tracks) {
      const samples = track.blocks.get(this.#done);
      track.blocks.delete(this.#done);
      if (track.gone && track.end <= this.#done) this.#tracks.delete(trackId);
      const middle = this.#done + mixBlock / 2;
      while ((track.owners[1]?.from ?? Infinity) <= middle) track.owners.shift();
      if (!samples) continue;
      const [holder] = track.owners;
      const owner = isKnown && holder && holder.from <= middle ? holder.owner : null;
      if (owner === null) this.#unowned += rmsOf(samples) >= audibleRms ? mixBlock : 0;
      else if (owner === 'several') this.#shared += rmsOf(samples) >= audibleRms ? mixBlock : 0;
      else {
        const other = mixes.get(owner.participantId)?.[1];
        mixes.set(owner.participantId, [owner, other ? samples.map((one, at) => one + (other[at] ?? 0)) : samples]);
      }
    }
    const before = this.#participants;
    this.#participants = new Map();
    for (const [id, [participant, samples]] of mixes) {
      const edges = before.get(id) ?? { before: [], tail: 0 };
      this.#participants.set(id, edges);
      this.#deliverAudible(participant, samples, edges);
    }
  }

  #deliverAudible(participant: AudioOwner, samples: Samples, edges: SpeechEdges): void {
    const loudness = rmsOf(samples);
    edges.before.push(samples);
    if (loudness < audibleRms && edges.tail === 0) {
      if (edges.before.length > leadBlocks) edges.before.shift();
      return;
    }
    edges.tail = loudness < audibleRms ? edges.tail - 1 : tailBlocks;
    let position = this.#done - (edges.before.length - 1) * mixBlock;
    for (const block of edges.before.splice(0)) {
      const isSpoken = position === this.#done && loudness >= spokenRms;
      this.#deliver({ participant, position, isSpoken }, block);
      position += mixBlock;
    }
  }
}

/** Runs for every block: written for speed. */
function rmsOf(samples: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < samples.length; at += loudnessStep) sum += (samples[at] as number) ** 2;
  return Math.sqrt((sum * loudnessStep) / samples.length);
}

import type { AudioOwner } from './messages.ts';
import { mixBlock, mixRate } from './audio-mix.page.ts';
import type { PlacedAudio } from './audio-mix.page.ts';

/** Audio of a track that waits until it is known whose it is. */
const keptSamples = mixRate * 2;
/** Root mean square of a block from which on somebody is heard: -54 dB. */
const heardRms = 0.002;
/** From here on it is speech for certain, and no room's noise: -46 dB. */
const spokenRms = 0.005;
/** What stands before somebody is heard, and after, is kept too: soft beginnings and ends of words. */
const leadBlocks = 10;
const tailBlocks = 25;
const tracksMost = 16;
/** Speech is as loud in every third sample as in all of them. */
const loudnessStep = 3;

type Samples = Float32Array<ArrayBuffer>;

interface FollowedTrack {
  /** By the position of their first sample. */
  readonly blocks: Map<number, Samples>;
  /** Before this position everything that will come has come. */
  end: number;
  gone: boolean;
  /** Whose it is, from which position on; in order, the first one holds at the position that is next. */
  owners: { from: number; owner: AudioOwner | 'several' | null }[];
}

interface HeardParticipant {
  /** What was not heard, and may turn out to be a beginning. */
  before: Samples[];
  /** Position after the last block. */
  end: number;
  /** Blocks that are kept though nothing is heard. */
  tail: number;
}

export interface ParticipantBlock {
  readonly participant: AudioOwner;
  readonly samples: Samples;
  readonly position: number;
  /** False where it only stands before or after, or is a noise. */
  readonly isSpoken: boolean;
}

/** A pool that carries one participant after the other: the audio of each track goes to whom it belongs, as long as they are heard. */
export class ParticipantAudioMixes implements PlacedAudio {
  readonly #deliver: (block: ParticipantBlock) => void;
  readonly #tracks = new Map<string, FollowedTrack>();
  readonly #participants = new Map<string, HeardParticipant>();
  /** Position up to which it is known whose the tracks are. */
  #known: number;
  #limit = Infinity;
  #shared = 0;
  #unowned = 0;
  /** Up to here the audio was given out. */
  #done: number;
  reported = 0;

  /** @param begins position of the first sample there will be */
  constructor(deliver: (block: ParticipantBlock) => void, begins: number) {
    this.#deliver = deliver;
    this.#done = begins;
    this.#known = begins;
  }

  /** Audio with more than one participant in it, and audio of nobody known: it is in the mix alone. */
  get leftOutMs(): { readonly shared: number; readonly unowned: number } {
    const inMs = (samples: number): number => Math.round((samples * 1_000) / mixRate);
    return { shared: inMs(this.#shared), unowned: inMs(this.#unowned) };
  }

  place(trackId: string, samples: Float32Array, position: number): void {
    const track = this.#track(trackId);
    if (track === null) return;
    const from = Math.max(position, this.#done, track.end);
    const to = Math.min(position + samples.length, this.#done + keptSamples, this.#limit);
    for (let at = from; at < to;) {
      const start = at - (at % mixBlock);
      const end = Math.min(to, start + mixBlock);
      const block = track.blocks.get(start) ?? new Float32Array(mixBlock);
      track.blocks.set(start, block);
      block.set(samples.subarray(at - position, end - position), at - start);
      at = end;
    }
    track.end = Math.max(track.end, to);
  }

  /** Whose a track is from a position on; one before which its audio was given out already holds from now on. */
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

  /** The track gives nothing more. */
  forget(trackId: string): void {
    const track = this.#tracks.get(trackId);
    if (track) track.gone = true;
  }

  /** Nothing from here on is heard: the recording stands still there. */
  holdAt(position: number): void {
    this.#limit = Math.max(this.#done, position);
    for (const track of this.#tracks.values()) {
      for (const [start, block] of track.blocks) block.fill(0, Math.max(0, this.#limit - start));
      track.end = Math.min(track.end, this.#limit);
    }
  }

  goOn(): void {
    this.#limit = Infinity;
  }

  /**
   * Gives out what is there before a position, as far as it is known whose it is. What nobody could say in time is left out.
   * @param atTheEnd the last word on the owners is believed
   */
  advance(position: number, atTheEnd = false): void {
    const due = Math.min(position, this.#limit);
    const oldest = due - keptSamples / 2;
    while (this.#done + mixBlock <= due) {
      const isKnown = atTheEnd || this.#done + mixBlock <= this.#known;
      if (!isKnown && this.#done >= oldest) return;
      this.#giveOut(isKnown);
      this.#done += mixBlock;
    }
  }

  /** Null for one too many, and before anybody says that tracks are people's: none is kept then. */
  #track(trackId: string): FollowedTrack | null {
    const known = this.#tracks.get(trackId);
    if (known) return known;
    if (this.reported === 0 || this.#tracks.size >= tracksMost) return null;
    const track: FollowedTrack = { blocks: new Map(), end: this.#done, gone: false, owners: [] };
    this.#tracks.set(trackId, track);
    return track;
  }

  #giveOut(isKnown: boolean): void {
    const spoken = new Map<string, { participant: AudioOwner; samples: Samples }>();
    for (const [trackId, track] of this.#tracks) {
      const samples = track.blocks.get(this.#done);
      track.blocks.delete(this.#done);
      if (track.gone && track.end <= this.#done) this.#tracks.delete(trackId);
      const middle = this.#done + mixBlock / 2;
      while ((track.owners[1]?.from ?? Infinity) <= middle) track.owners.shift();
      if (!samples) continue;
      const [holder] = track.owners;
      const owner = isKnown && holder && holder.from <= middle ? holder.owner : null;
      if (owner === null) this.#unowned += rmsOf(samples) >= heardRms ? mixBlock : 0;
      else if (owner === 'several') this.#shared += rmsOf(samples) >= heardRms ? mixBlock : 0;
      else {
        const other = spoken.get(owner.participantId)?.samples;
        spoken.set(owner.participantId, {
          participant: owner,
          samples: other ? samples.map((sample, at) => sample + (other[at] ?? 0)) : samples,
        });
      }
    }
    for (const { participant, samples } of spoken.values()) this.#hear(participant, samples);
    for (const [participantId, heard] of this.#participants)
      if (this.#done - heard.end > leadBlocks * mixBlock) this.#participants.delete(participantId);
  }

  #hear(participant: AudioOwner, samples: Samples): void {
    const known = this.#participants.get(participant.participantId);
    const heard = known?.end === this.#done ? known : { before: [], end: 0, tail: 0 };
    this.#participants.set(participant.participantId, heard);
    heard.end = this.#done + mixBlock;
    const loudness = rmsOf(samples);
    heard.before.push(samples);
    if (loudness < heardRms && heard.tail === 0) {
      if (heard.before.length > leadBlocks) heard.before.shift();
      return;
    }
    heard.tail = loudness < heardRms ? heard.tail - 1 : tailBlocks;
    const blocks = heard.before.splice(0);
    for (const [index, block] of blocks.entries()) {
      const position = heard.end - (blocks.length - index) * mixBlock;
      this.#deliver({
        participant,
        samples: block,
        position,
        isSpoken: position === this.#done && loudness >= spokenRms,
      });
    }
  }
}

/** Runs for every block: written for speed. */
function rmsOf(samples: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < samples.length; at += loudnessStep) sum += (samples[at] as number) ** 2;
  return Math.sqrt((sum * loudnessStep) / samples.length);
}

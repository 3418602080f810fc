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

interface FollowedTrack {
  readonly ring: Float32Array;
  /** Before this position everything that will come has come. */
  said: number;
  gone: boolean;
  /** Whose it is, from which position on; in order, the first one holds at the position that is next. */
  owners: { from: number; owner: AudioOwner | 'several' | null }[];
}

interface HeardParticipant {
  participant: AudioOwner;
  /** What was not heard, and may turn out to be a beginning. */
  before: Float32Array<ArrayBuffer>[];
  /** Position after the last block. */
  end: number;
  /** Blocks that are kept though nothing is heard. */
  tail: number;
}

export interface ParticipantBlock {
  readonly participant: AudioOwner;
  readonly samples: Float32Array<ArrayBuffer>;
  readonly position: number;
  readonly isSpoken: boolean;
}

export interface ParticipantAudioPorts {
  /** A block of one participant belongs there; `isSpoken` is false where it only stands before or after, or is a noise. */
  deliver(block: ParticipantBlock): void;
}

/** A pool that carries one participant after the other: the audio of each track goes to whom it belongs, as long as they are heard. */
export class ParticipantAudioMixes implements PlacedAudio {
  readonly #ports: ParticipantAudioPorts;
  readonly #tracks = new Map<string, FollowedTrack>();
  readonly #participants = new Map<string, HeardParticipant>();
  /** Position up to which it is known whose the tracks are. */
  #known = 0;
  #limit = Infinity;
  #shared = 0;
  #unowned = 0;
  /** Up to here the audio was given out. */
  #done: number;
  reported = 0;

  /** @param begins position of the first sample there will be */
  constructor(ports: ParticipantAudioPorts, begins: number) {
    this.#ports = ports;
    this.#done = begins;
    this.#known = begins;
  }

  /** Audio with more than one participant in it, and audio of nobody known: it is in the mix alone. */
  get leftOutMs(): { readonly shared: number; readonly unowned: number } {
    return { shared: inMs(this.#shared), unowned: inMs(this.#unowned) };
  }

  place(trackId: string, samples: Float32Array, position: number): void {
    // Before anybody says that tracks are people's none is kept.
    const track = this.reported === 0 ? null : this.#track(trackId);
    if (track === null) return;
    const from = Math.max(position, this.#done, track.said);
    const to = Math.min(position + samples.length, this.#done + keptSamples, this.#limit);
    // In one fragment, or in two around the end of the ring.
    for (let at = from; at < to;) {
      const end = Math.min(to, at - (at % keptSamples) + keptSamples);
      track.ring.set(samples.subarray(at - position, end - position), at % keptSamples);
      at = end;
    }
    track.said = Math.max(track.said, to);
  }

  /** Whose a track is from a position on; one before which its audio was given out already holds from now on. */
  own(trackId: string, owner: AudioOwner | 'several' | null, position: number): void {
    if (owner !== null) this.reported += 1;
    const track = this.reported === 0 ? null : this.#track(trackId);
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
      for (let at = this.#limit; at < track.said; at += 1) track.ring[at % keptSamples] = 0;
      track.said = Math.min(track.said, this.#limit);
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

  #track(trackId: string): FollowedTrack | null {
    const known = this.#tracks.get(trackId);
    if (known) return known;
    if (this.#tracks.size >= tracksMost) return null;
    const track: FollowedTrack = { ring: new Float32Array(keptSamples), said: this.#done, gone: false, owners: [] };
    this.#tracks.set(trackId, track);
    return track;
  }

  #giveOut(isKnown: boolean): void {
    const spoken = new Map<string, { participant: AudioOwner; samples: Float32Array<ArrayBuffer> }>();
    for (const [trackId, track] of this.#tracks) {
      const samples = this.#taken(track);
      if (track.gone && samples === null) this.#tracks.delete(trackId);
      const middle = this.#done + mixBlock / 2;
      while ((track.owners[1]?.from ?? Infinity) <= middle) track.owners.shift();
      const holder = track.owners[0];
      const owner = isKnown && holder && holder.from <= middle ? holder.owner : null;
      if (samples === null) continue;
      if (owner === null) this.#unowned += rmsOf(samples) >= heardRms ? mixBlock : 0;
      else if (owner === 'several') this.#shared += rmsOf(samples) >= heardRms ? mixBlock : 0;
      else {
        const twice = spoken.get(owner.participantId);
        if (twice) for (let at = 0; at < mixBlock; at += 1) twice.samples[at]! += samples[at] ?? 0;
        else spoken.set(owner.participantId, { participant: owner, samples });
      }
    }
    for (const { participant, samples } of spoken.values()) this.#hear(participant, samples);
    for (const [participantId, heard] of this.#participants)
      if (this.#done - heard.end > leadBlocks * mixBlock) this.#participants.delete(participantId);
  }

  /** The block that is next; null when the track said nothing there. */
  #taken(track: FollowedTrack): Float32Array<ArrayBuffer> | null {
    if (track.said <= this.#done) return null;
    const samples = new Float32Array(mixBlock);
    const length = Math.min(mixBlock, track.said - this.#done);
    // Rings hold whole blocks, and blocks begin at multiples of their length.
    const at = this.#done % keptSamples;
    samples.set(track.ring.subarray(at, at + length));
    track.ring.fill(0, at, at + mixBlock);
    return samples;
  }

  #hear(participant: AudioOwner, samples: Float32Array<ArrayBuffer>): void {
    const heard = this.#participants.get(participant.participantId) ?? {
      participant,
      before: [],
      end: this.#done,
      tail: 0,
    };
    this.#participants.set(participant.participantId, heard);
    heard.participant = participant;
    if (heard.end !== this.#done) {
      heard.before = [];
      heard.tail = 0;
    }
    heard.end = this.#done + mixBlock;
    const loudness = rmsOf(samples);
    const isLoud = loudness >= heardRms;
    if (isLoud) {
      heard.before.forEach((block, index) =>
        this.#ports.deliver({
          participant,
          samples: block,
          position: this.#done - (heard.before.length - index) * mixBlock,
          isSpoken: false,
        }),
      );
      heard.before = [];
      heard.tail = tailBlocks;
    } else if (heard.tail > 0) heard.tail -= 1;
    else {
      heard.before.push(samples);
      if (heard.before.length > leadBlocks) heard.before.shift();
      return;
    }
    this.#ports.deliver({ participant, samples, position: this.#done, isSpoken: loudness >= spokenRms });
  }
}

/** Runs for every block: written for speed. */
function rmsOf(samples: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < samples.length; at += loudnessStep) sum += (samples[at] as number) ** 2;
  return Math.sqrt((sum * loudnessStep) / samples.length);
}

function inMs(samples: number): number {
  return Math.round((samples * 1_000) / mixRate);
}

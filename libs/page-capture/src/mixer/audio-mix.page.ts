export const mixRate = 48_000;
/** One Opus frame: 20 ms. */
export const mixBlock = 960;
const ringSamples = mixRate * 4;
/** Smaller steps are evened out sample by sample; a larger one is a real jump of the source. */
const jumpSamples = mixRate * 0.1;
const slackSamples = mixRate * 0.005;
const smoothing = 0.05;
/** A lower amplitude is silence. */
export const silence = 0.0005;

/** Receives the blocks added to the mix, with their positions. */
export interface PlacedAudio {
  place(trackId: string, samples: Float32Array, position: number): void;
}

interface MixedTrack {
  /** Position of the track's next sample when it is contiguous. */
  next: number;
  /** Average offset of the timestamps from that position, in samples; positive: later. */
  drift: number;
  lastSample: number;
  /** The track is complete before this position. */
  said: number;
}

/**
 * Mixes tracks into one mono signal by time: every block is placed by its timestamp, independent of what precedes or
 * overlaps it; the rest is silence. So the mix has no gaps, and a track that starts late, stops or drifts does not
 * affect others.
 */
export class AudioMix {
  readonly #ring = new Float32Array(ringSamples);
  readonly #tracks = new Map<string, MixedTrack>();
  /** Samples taken so far: also the position of the next sample to take. */
  taken = 0;
  jumps = 0;
  /** Samples that came too late; silent ones do not count, because the mix lacks nothing without them. */
  lateSamples = 0;
  /** Nothing is taken from here on: the recording is paused there. */
  #limit = Infinity;
  readonly #follower: PlacedAudio | null;

  constructor(follower: PlacedAudio | null = null) {
    this.#follower = follower;
  }

  /** @param mediaMs position of the block's first sample */
  add(trackId: string, samples: Float32Array, sampleRate: number, mediaMs: number): void {
    const wanted = Math.round((mediaMs * mixRate) / 1000);
    const track = this.#tracks.get(trackId) ?? { next: wanted, drift: 0, lastSample: 0, said: -Infinity };
    this.#tracks.set(trackId, track);
    const correction = this.#follow(track, wanted);
    const length = Math.round((samples.length * mixRate) / sampleRate) + correction;
    const fitted = length === samples.length ? samples : stretched(samples, length, track.lastSample);
    this.#place(trackId, fitted, track);
    track.next += length;
    track.said = Math.max(track.said, track.next);
    track.lastSample = samples.at(-1) ?? 0;
  }

  forget(trackId: string): void {
    this.#tracks.delete(trackId);
  }

  /** Cuts at a media time, to the sample: of blocks that began before it, the part after it is dropped. */
  holdAt(mediaMs: number): void {
    this.#limit = Math.max(this.taken, Math.round((mediaMs * mixRate) / 1000));
    for (let at = this.#limit; at < this.taken + ringSamples; at += 1) this.#ring[at % ringSamples] = 0;
  }

  /** After a hold every track is placed by its own timestamps again. */
  resume(): void {
    this.#limit = Infinity;
    this.#tracks.clear();
  }

  /** The next `length` samples, limited to -1..1. */
  take(length: number): Float32Array<ArrayBuffer> {
    const block = this.#read(length);
    for (let index = 0; index < length; index += 1) this.#ring[(this.taken + index) % ringSamples] = 0;
    this.taken += length;
    return block;
  }

  /** Samples before a hold that are not taken yet: less than a block. They stay in the mix. */
  held(): Float32Array<ArrayBuffer> {
    return this.#read(Number.isFinite(this.#limit) ? Math.max(0, this.#limit - this.taken) : 0);
  }

  #read(length: number): Float32Array<ArrayBuffer> {
    const block = new Float32Array(length);
    for (let index = 0; index < length; index += 1)
      block[index] = Math.max(-1, Math.min(1, this.#ring[(this.taken + index) % ringSamples] ?? 0));
    return block;
  }

  /**
   * Timestamps jitter with the load of the machine, so only a pause (audio resumes later than expected) moves the track
   * at once; a track that is ahead is moved when it stays ahead. Returns samples to add (1) or leave out (-1).
   */
  #follow(track: MixedTrack, wanted: number): number {
    const drift = wanted - track.next;
    track.drift += (drift - track.drift) * smoothing;
    if (drift > jumpSamples || track.drift < -jumpSamples) {
      this.jumps += 1;
      track.next = wanted;
      track.drift = 0;
    }
    return Math.abs(track.drift) > slackSamples ? Math.sign(track.drift) : 0;
  }

  /** A track that moved back never overlaps itself: samples before `from` are left out. */
  #place(trackId: string, samples: Float32Array, { next: position, said: from }: MixedTrack): void {
    const first = Math.max(0, from - position);
    this.#follower?.place(trackId, samples.subarray(first), position + first);
    for (let index = first; index < samples.length; index += 1) {
      const at = position + index;
      if (at >= this.#limit) break;
      if (at < this.taken || at >= this.taken + ringSamples) {
        if (Math.abs(samples[index] ?? 0) > silence) this.lateSamples += 1;
        continue;
      }
      const slot = at % ringSamples;
      this.#ring[slot] = (this.#ring[slot] ?? 0) + (samples[index] ?? 0);
    }
  }
}

/** Linear interpolation to another length; `before` is the preceding sample. */
export function stretched(samples: Float32Array, length: number, before: number): Float32Array {
  const result = new Float32Array(length);
  const step = samples.length / length;
  for (let index = 0; index < length; index += 1) {
    const position = (index + 1) * step - 1;
    const whole = Math.floor(position);
    const left = whole < 0 ? before : (samples[whole] ?? 0);
    const right = samples[Math.min(whole + 1, samples.length - 1)] ?? 0;
    result[index] = left + (right - left) * (position - whole);
  }
  return result;
}

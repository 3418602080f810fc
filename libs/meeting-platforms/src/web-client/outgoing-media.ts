import { loadPageScript } from '@rapporteur/page-scripts';
import type { Frame, Page } from 'playwright-core';
import { Resampler } from '@rapporteur/page-scripts/resampler';
import { resultWithin } from '../result-within.ts';
import type { OutgoingDevices, BotImage, SessionPorts } from '../platform.ts';
import type { OutgoingDriver, OutgoingMediaOptions, OutgoingPost } from './outgoing-media.page.ts';

/** The rate of the audio that the page plays: 16 bit, mono. */
const playedRateHz = 48_000;
const mostWaitingSamples = 30 * playedRateHz;
/** Small chunks are merged up to this length. */
const chunkSamples = playedRateHz / 10;
const rates = { lowestHz: 8_000, highestHz: 96_000 } as const;

/** A part of the audio and its position in all audio added so far: `endMs` includes what was dropped after it. */
interface AudioChunk {
  readonly samples: Int16Array;
  readonly startMs: number;
  readonly endMs: number;
}

/** The queued audio, in order, at most 30 s. */
export class AudioQueue {
  #chunks: AudioChunk[] = [];
  #waitingSamples = 0;
  #addedMs = 0;
  #rateHz = 0;
  #resampler = new Resampler(1, 1);
  /** Half a sample, when a chunk of bytes ended in its middle. */
  #halfSample = Buffer.alloc(0);

  /** Total milliseconds added. */
  get addedMs(): number {
    return this.#addedMs;
  }

  /** Position of the queued audio; the total when the queue is empty. */
  get startMs(): number {
    return this.#chunks[0]?.startMs ?? this.#addedMs;
  }

  /**
   * @returns the milliseconds that had no room
   * @throws RangeError for a rate outside 8 to 96 kHz
   */
  add(pcm: Buffer, rateHz: number): number {
    if (!Number.isInteger(rateHz) || rateHz < rates.lowestHz || rateHz > rates.highestHz) {
      throw new RangeError(`The sample rate must be 8000 to 96000 Hz, not ${rateHz}.`);
    }
    const given = this.#wholeSamples(pcm, rateHz);
    const startMs = this.#addedMs;
    const lengthMs = (given.length * 1_000) / rateHz;
    this.#addedMs += lengthMs;
    const samples = new Int16Array(this.#resampler.process(given).map(rounded));
    const fitting = samples.subarray(0, Math.max(0, mostWaitingSamples - this.#waitingSamples));
    this.#append(fitting, startMs);
    return ((samples.length - fitting.length) * 1_000) / playedRateHz;
  }

  /** The first samples, at most this many; null when the queue is empty. */
  take(mostSamples: number): AudioChunk | null {
    const first = this.#chunks.shift();
    if (first === undefined) return null;
    const taken = first.samples.length <= mostSamples ? first : this.#split(first, mostSamples);
    this.#waitingSamples -= taken.samples.length;
    return taken;
  }

  /** Puts taken but unplayed audio back in front. */
  putBack(chunks: readonly AudioChunk[]): void {
    this.#chunks.unshift(...chunks);
    this.#waitingSamples += chunks.reduce((sum, { samples }) => sum + samples.length, 0);
  }

  clear(): void {
    this.#chunks = [];
    this.#waitingSamples = 0;
    this.#rateHz = 0;
  }

  #wholeSamples(pcm: Buffer, rateHz: number): Float32Array {
    if (rateHz !== this.#rateHz) {
      this.#rateHz = rateHz;
      this.#resampler = new Resampler(rateHz, playedRateHz);
      this.#halfSample = Buffer.alloc(0);
    }
    const bytes = this.#halfSample.length === 0 ? pcm : Buffer.concat([this.#halfSample, pcm]);
    const whole = bytes.length - (bytes.length % 2);
    this.#halfSample = Buffer.from(bytes.subarray(whole));
    const samples = new Float32Array(whole / 2);
    for (let index = 0; index < samples.length; index += 1) samples[index] = bytes.readInt16LE(index * 2);
    return samples;
  }

  #append(samples: Int16Array, startMs: number): void {
    this.#waitingSamples += samples.length;
    const last = this.#chunks.at(-1);
    const joins = last !== undefined && (last.samples.length < chunkSamples || samples.length === 0);
    if (!joins && samples.length === 0) return;
    if (joins) this.#chunks.pop();
    const joined = joins ? new Int16Array(last.samples.length + samples.length) : Int16Array.from(samples);
    if (joins) {
      joined.set(last.samples);
      joined.set(samples, last.samples.length);
    }
    this.#chunks.push({ samples: joined, startMs: joins ? last.startMs : startMs, endMs: this.#addedMs });
  }

  #split(chunk: AudioChunk, at: number): AudioChunk {
    const middleMs = chunk.startMs + ((chunk.endMs - chunk.startMs) * at) / chunk.samples.length;
    this.#chunks.unshift({ samples: chunk.samples.subarray(at), startMs: middleMs, endMs: chunk.endMs });
    return { samples: chunk.samples.subarray(0, at), startMs: chunk.startMs, endMs: middleMs };
  }
}

const rounded = (sample: number): number => Math.max(-32_768, Math.min(32_767, Math.round(sample)));

const postName = 'rapporteurOutgoingPost';
/** Audio sent to the page ahead of playback, so that a short stall of either side is inaudible. */
const aheadSamples = 1.5 * playedRateHz;
const mostSamplesAtOnce = playedRateHz / 2;
/** A busy page takes some seconds to decode a large image. */
const showTimeoutMs = 10_000;
const reportDropsMs = 10_000;
const noDevices: OutgoingDevices = { camera: false, microphone: false };

/** Makes the page use the bot's own devices. Without any, the page is unchanged. */
export async function prepareOutgoingMedia(
  page: Page,
  ports: SessionPorts,
  devices: OutgoingDevices = noDevices,
): Promise<OutgoingMedia> {
  const media = new OutgoingMedia(devices, ports);
  const wanted = (['camera', 'microphone'] as const).filter((device) => devices[device]);
  if (wanted.length === 0) return media;
  const options: OutgoingMediaOptions = { devices, postName };
  await Promise.all([
    page.exposeBinding(postName, (source, post: unknown) => media.receive(source.frame, post)),
    page.addInitScript({ content: loadPageScript(new URL('./outgoing-media.page.ts', import.meta.url), options) }),
    // Pages that query the permission first get `granted`.
    page.context().grantPermissions(wanted),
  ]);
  return media;
}

/** Holds the bot's image and audio: a reloaded page gets them again when it opens the devices. */
export class OutgoingMedia {
  readonly devices: OutgoingDevices;
  readonly #ports: SessionPorts;
  readonly #cameras = new Set<Frame>();
  readonly #queue = new AudioQueue();
  #image: BotImage | null = null;
  #microphone: Frame | null = null;
  /** Sent to the page and not played yet. */
  #sent: AudioChunk[] = [];
  /** Samples of this run that were played completely before the first of `#sent`. */
  #finishedSamples = 0;
  #playedSamples = 0;
  #run = 1;
  #droppedMs = 0;
  #reportedDropsAtMs = -Infinity;

  constructor(devices: OutgoingDevices, ports: SessionPorts) {
    this.devices = devices;
    this.#ports = ports;
  }

  async showImage(image: BotImage | null): Promise<boolean> {
    if (!this.devices.camera) return false;
    const before = this.#image;
    this.#image = image;
    const shown = await Promise.all([...this.#cameras].map(async (frame) => await this.#show(frame)));
    if (shown.every((fine) => fine !== false)) return true;
    if (this.#image === image) this.#image = before;
    return false;
  }

  playAudio(pcm: Buffer, rateHz: number): void {
    if (!this.devices.microphone) return;
    const droppedMs = this.#queue.add(pcm, rateHz);
    if (droppedMs > 0) this.#noteDrop(droppedMs);
    this.#pump();
  }

  clearAudio(): void {
    this.#queue.clear();
    this.#startNextRun([]);
    // The page clears its queue with the first audio of another run.
    if (this.#microphone !== null) this.#send(this.#microphone, new Int16Array());
  }

  finishedAudioMs(): number {
    const [current] = this.#sent;
    if (current === undefined) return this.#queue.startMs;
    const share = Math.min(1, (this.#playedSamples - this.#finishedSamples) / Math.max(1, current.samples.length));
    return current.startMs + share * (current.endMs - current.startMs);
  }

  /** A post of the page. Only its shape is validated: the page is foreign code. */
  receive(frame: Frame, post: unknown): void {
    if (!isOutgoingPost(post)) return;
    if (post.kind === 'camera-opened') {
      for (const known of this.#cameras) if (known.isDetached()) this.#cameras.delete(known);
      this.#cameras.add(frame);
      void this.#show(frame);
    } else if (post.kind === 'microphone-opened') {
      this.#startNextRun(this.#sent);
      this.#microphone = frame;
      this.#pump();
    } else if (frame === this.#microphone && post.run === this.#run) {
      this.#notePlayed(post.samples);
      this.#pump();
    }
  }

  /** Null: the frame is gone, does not respond, or has navigated and will request the image again. */
  async #show(frame: Frame): Promise<boolean | null> {
    const content = [this.#image?.bytes.toString('base64') ?? null, this.#image?.contentType ?? ''] as const;
    const requested = frame.evaluate(async ([base64, contentType]) => {
      const { rapporteurOutgoing } = globalThis as { rapporteurOutgoing?: OutgoingDriver };
      return (await rapporteurOutgoing?.showImage(base64, contentType)) ?? null;
    }, content);
    const shown = await resultWithin(requested, showTimeoutMs);
    if (shown === false)
      this.#ports.log.warn({}, 'The page could not decode the image; the camera keeps the previous one.');
    return shown;
  }

  #pump(): void {
    const frame = this.#microphone;
    if (frame === null) return;
    while (this.#samplesAhead() < aheadSamples) {
      const chunk = this.#queue.take(mostSamplesAtOnce);
      if (chunk === null) return;
      this.#sent.push(chunk);
      this.#send(frame, chunk.samples);
    }
  }

  #samplesAhead(): number {
    const inPage = this.#sent.reduce((sum, { samples }) => sum + samples.length, 0);
    return inPage - (this.#playedSamples - this.#finishedSamples);
  }

  #send(frame: Frame, samples: Int16Array): void {
    const run = this.#run;
    const base64 = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength).toString('base64');
    const sent = frame.evaluate(
      ([given, ofRun]) => {
        const { rapporteurOutgoing } = globalThis as { rapporteurOutgoing?: OutgoingDriver };
        return rapporteurOutgoing?.playAudio(given, ofRun) ?? false;
      },
      [base64, run] as const,
    );
    void sent
      .catch(() => false)
      .then((taken) => {
        if (taken || run !== this.#run || frame !== this.#microphone) return;
        // After a reload of the page, unplayed audio is sent again when it opens the microphone.
        this.#microphone = null;
        this.#startNextRun(this.#sent);
      });
  }

  #startNextRun(unplayed: readonly AudioChunk[]): void {
    this.#queue.putBack(unplayed);
    this.#sent = [];
    this.#run += 1;
    this.#finishedSamples = 0;
    this.#playedSamples = 0;
  }

  #notePlayed(samples: number): void {
    const inPage = this.#sent.reduce((sum, chunk) => sum + chunk.samples.length, this.#finishedSamples);
    this.#playedSamples = Math.min(Math.max(samples, this.#playedSamples), inPage);
    while (this.#sent[0] !== undefined && this.#finishedSamples + this.#sent[0].samples.length <= this.#playedSamples) {
      this.#finishedSamples += this.#sent.shift()!.samples.length;
    }
  }

  #noteDrop(droppedMs: number): void {
    this.#droppedMs += droppedMs;
    const nowMs = this.#ports.clock.now();
    if (nowMs - this.#reportedDropsAtMs < reportDropsMs) return;
    this.#reportedDropsAtMs = nowMs;
    this.#ports.log.warn(
      { droppedMs: Math.round(this.#droppedMs) },
      'More audio was queued than 30 s: the rest was dropped.',
    );
  }
}

function isOutgoingPost(post: unknown): post is OutgoingPost {
  if (typeof post !== 'object' || post === null) return false;
  const { kind, run, samples } = post as Record<string, unknown>;
  if (kind === 'camera-opened' || kind === 'microphone-opened') return true;
  return kind === 'audio-reported' && Number.isInteger(run) && Number.isInteger(samples);
}

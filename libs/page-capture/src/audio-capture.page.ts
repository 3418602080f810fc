import { SourceClock } from './media-time.page.ts';
import type { MediaTime } from './media-time.page.ts';
import type { AudioOwnersNews } from './messages.ts';
import { mixBlock, mixRate, AudioMix } from './mixer/audio-mix.page.ts';
import { bytesOf, chunkBytes, configureOpus, encodeSamples, samplesInUs } from './encoder/opus-encoding.page.ts';
import { ParticipantEncoders } from './encoder/participant-encoders.page.ts';
import type { DeliverPacket } from './encoder/participant-encoders.page.ts';
import { ParticipantAudioMixes } from './mixer/participant-audio-mixes.page.ts';
import type { AudioTap } from './mixer/audio-tap.page.ts';

/** Maximum wait of a track's first blocks for their placement; the mix is encoded later than that. */
const settleMs = 200;

interface AudioBlock {
  readonly samples: Float32Array;
  readonly sampleRate: number;
  /** On the clock of its track. */
  readonly sourceMs: number;
}

/** A block and when it was made, in page time. */
type PlacedBlock = readonly [block: AudioBlock, pageMs: number];

/**
 * Blocks of one track that were read and are not placed yet. The offset of a track's clock is derived from the blocks
 * that arrived on time; the first ones of a busy thread are all late. Placed at once they would be too late, and the
 * correctly placed blocks after them would be dropped as overlapping.
 */
export class WaitingAudio {
  readonly #clock = new SourceClock();
  #waiting: AudioBlock[] = [];
  #placed: PlacedBlock[] = [];
  #settledAtMs: number | null = null;

  /** @returns when the block was made, in page time, as far as known now */
  add(block: AudioBlock, nowMs: number): number {
    const { offsetMs, restarts } = this.#clock;
    const pageMs = this.#clock.toPageMs(block.sourceMs, nowMs);
    if (this.#clock.restarts > restarts) {
      this.#place(offsetMs);
      this.#settledAtMs = null;
    }
    this.#settledAtMs ??= nowMs + settleMs;
    this.#waiting.push(block);
    return pageMs;
  }

  /** Takes the blocks whose position is known, in order. @param nowMs page time; Infinity: all of them */
  take(nowMs: number): readonly PlacedBlock[] {
    const [oldest] = this.#waiting;
    const { offsetMs } = this.#clock;
    if (oldest && (nowMs >= (this.#settledAtMs ?? 0) || nowMs >= oldest.sourceMs + offsetMs + settleMs))
      this.#place(offsetMs);
    const placed = this.#placed;
    this.#placed = [];
    return placed;
  }

  #place(offsetMs: number): void {
    this.#placed.push(...this.#waiting.map((block): PlacedBlock => [block, block.sourceMs + offsetMs]));
    this.#waiting = [];
  }
}

/** A read that takes longer had to wait for its block: blocks come every 10 ms. */
const waitedMs = 3;
/** The block is old: another task kept the thread. */
const freshMs = 25;

/** A block that was read. */
interface ReadBlock {
  /** Time of the block, as far as known. */
  readonly atMs: number;
  /** When it was requested. */
  readonly requestedAtMs: number;
}

/**
 * Batches the readers of audio into rounds: each reads all available blocks and one more, and then pauses until the
 * next round. Waking a thread for every 10 ms block of every track costs several times the reading itself. Only a block
 * that was waited for shows the time of arrival.
 */
export class AudioReadRounds {
  #waiting: (() => void)[] = [];
  #over = false;

  /** @returns what to wait for before the next block is read; null: read on */
  after({ atMs, requestedAtMs }: ReadBlock, nowMs: number): Promise<void> | null {
    if (this.#over || nowMs - requestedAtMs < waitedMs || nowMs - atMs >= freshMs) return null;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Starts the next round of reads. */
  next(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }

  /** Stops waiting: the following reads are the last. */
  end(): void {
    this.#over = true;
    this.next();
  }
}

/** How long the mix waits for late audio before it is encoded; audio is read ten times a second. */
const mixDelayMs = 350;
/** Audio of participants waits longer: its owner has to be known. */
const participantDelayMs = mixDelayMs + 50;
/** After a stall of the thread, waiting audio is read before the mix continues. */
const stallMs = 400;
const stallWaitMs = 120;
/** Time in which the encoder returns its input; flushing it would add silence. */
const encoderResponseMs = 50;
const levelWindow = 10;
/** A higher complexity costs twice as much and makes no audible difference at this rate. */
const opusComplexity = 5;
const audioEncodersMax = 20;

export interface AudioPorts {
  /** Page time now, epoch ms. */
  now(): number;
  deliver(timeUs: number, durationUs: number, bytes: Uint8Array<ArrayBuffer>): void;
  describe(description: Uint8Array): void;
  report(error: unknown): void;
  /** Receives the mix; null: no consumer. */
  readonly tap: AudioTap | null;
  /** Receives each participant's audio, where tracks have owners; null: no consumer. */
  readonly deliverParticipant: DeliverPacket | null;
}

interface ReadTrack {
  readonly reader: ReadableStreamDefaultReader<AudioData>;
  readonly waiting: WaitingAudio;
}

/** Mixes the tracks it is given and encodes the mix as Opus, on a clock of samples that never skips. */
export class AudioCapture {
  readonly #ports: AudioPorts;
  readonly #time: MediaTime;
  readonly #bitsPerSecond: number;
  readonly #mix: AudioMix;
  readonly #recordedParticipants: ParticipantAudioMixes | null;
  readonly #participantEncoders: ParticipantEncoders | null;
  readonly #tracks = new Map<string, ReadTrack>();
  readonly #levels: { peak: number; meanSquare: number }[] = [];
  readonly #turns = new AudioReadRounds();
  #encoder: AudioEncoder | null = null;
  #encodedUs = 0;
  #lastTickMs = 0;
  #resumeAtMs = 0;
  restarts = 0;
  lastDataAtMs: number | null = null;

  constructor(ports: AudioPorts, time: MediaTime, bitsPerSecond: number) {
    this.#ports = ports;
    this.#time = time;
    this.#bitsPerSecond = bitsPerSecond;
    const begins = blocksBefore(time.beginsMs);
    const { deliverParticipant, report } = ports;
    const encoders = deliverParticipant && new ParticipantEncoders(deliverParticipant, report);
    this.#participantEncoders = encoders;
    this.#recordedParticipants =
      encoders && new ParticipantAudioMixes((block, samples) => encoders.add(block, samples), begins);
    this.#mix = new AudioMix(this.#recordedParticipants);
    this.#mix.taken = begins;
  }

  /** Figures of the participants' audio. */
  get participantFigures(): { readonly reported: number; readonly sharedMs: number; readonly unownedMs: number } {
    const { shared = 0, unowned = 0 } = this.#recordedParticipants?.leftOutMs ?? {};
    return { reported: this.#recordedParticipants?.reported ?? 0, sharedMs: shared, unownedMs: unowned };
  }

  /** The owners of the tracks. */
  applyOwners({ knownUntilMs, changes }: AudioOwnersNews): void {
    for (const { id, sinceMs, owner } of changes) this.#recordedParticipants?.own(id, owner, this.#positionOf(sinceMs));
    this.#recordedParticipants?.knowUntil(this.#positionOf(knownUntilMs));
  }

  get tracks(): number {
    return this.#tracks.size;
  }

  get jumps(): number {
    return this.#mix.jumps;
  }

  /** Media time up to which audio has been delivered. */
  get reachedMs(): number {
    return this.#encodedUs / 1_000;
  }

  get lateMs(): number {
    return Math.round((this.#mix.lateSamples / mixRate) * 1000);
  }

  level(): { peak: number; rms: number } {
    const meanSquare = this.#levels.reduce((sum, level) => sum + level.meanSquare, 0) / (this.#levels.length || 1);
    return { peak: Math.max(0, ...this.#levels.map((level) => level.peak)), rms: Math.sqrt(meanSquare) };
  }

  addTrack(id: string, frames: ReadableStream<AudioData>): void {
    this.removeTrack(id);
    const track = { reader: frames.getReader(), waiting: new WaitingAudio() };
    this.#tracks.set(id, track);
    void this.#read(id, track).catch((error: unknown) => this.#ports.report(error));
  }

  removeTrack(id: string): void {
    const track = this.#tracks.get(id);
    this.#tracks.delete(id);
    void track?.reader.cancel().catch((error: unknown) => this.#ports.report(error));
  }

  /** Reads the available audio and encodes what is due. Call it about ten times a second. */
  tick(): void {
    this.#turns.next();
    const nowMs = this.#ports.now();
    if (this.#lastTickMs > 0 && nowMs - this.#lastTickMs > stallMs) this.#resumeAtMs = nowMs + stallWaitMs;
    this.#lastTickMs = nowMs;
    if (nowMs < this.#resumeAtMs) return;
    this.#placeAll(nowMs);
    this.#encodeUntil(blocksBefore(this.#time.reached(nowMs - mixDelayMs)));
    this.#giveParticipants(blocksBefore(this.#time.reached(nowMs - participantDelayMs)));
  }

  /** Pauses at a media time, and resolves when all audio before it has had the time to arrive and is encoded. */
  async pause(atMediaMs: number): Promise<void> {
    this.#mix.holdAt(atMediaMs);
    this.#recordedParticipants?.holdAt(Math.round((atMediaMs * mixRate) / 1000));
    await new Promise((resolve) => setTimeout(resolve, mixDelayMs));
    if (this.#time.paused) {
      this.#placeAll();
      const due = blocksBefore(this.#time.reached(this.#ports.now()));
      this.#encodeUntil(due);
      this.#giveParticipants(due);
      // The rest of an Opus frame is encoded after the pause; a listener gets it at its own time.
      this.#ports.tap?.add(this.#mix.held(), this.#mix.taken);
    }
    await new Promise((resolve) => setTimeout(resolve, encoderResponseMs));
  }

  resume(): void {
    this.#mix.resume();
    this.#recordedParticipants?.resume();
  }

  /** Encodes everything up to a media time and waits for the encoder. */
  async finish(endMs: number): Promise<void> {
    this.#turns.end();
    await new Promise((resolve) => setTimeout(resolve, mixDelayMs));
    this.#placeAll();
    this.#encodeUntil(Math.ceil((endMs * mixRate) / 1000 / mixBlock) * mixBlock);
    this.#giveParticipants(Math.ceil((endMs * mixRate) / 1000), true);
    for (const id of this.#tracks.keys()) this.removeTrack(id);
    await this.#participantEncoders?.finish();
    if (this.#encoder?.state === 'configured') await this.#encoder.flush();
    this.#encoder?.close();
    this.#encoder = null;
  }

  async #read(id: string, track: ReadTrack): Promise<void> {
    for (;;) {
      const requestedAtMs = this.#ports.now();
      const { value, done } = await track.reader.read();
      if (done) break;
      const nowMs = this.#ports.now();
      this.lastDataAtMs = nowMs;
      const { sampleRate, timestamp } = value;
      const atMs = track.waiting.add({ samples: mono(value), sampleRate, sourceMs: timestamp / 1000 }, nowMs);
      value.close();
      const turn = this.#turns.after({ atMs, requestedAtMs }, nowMs);
      if (turn) await turn;
    }
    this.#place(id, track.waiting);
    this.#mix.forget(id);
    this.#recordedParticipants?.forget(id);
    if (this.#tracks.get(id) === track) this.#tracks.delete(id);
  }

  /** @param nowMs Infinity: also what waits for its clock */
  #placeAll(nowMs = Infinity): void {
    for (const [id, { waiting }] of this.#tracks) this.#place(id, waiting, nowMs);
  }

  #place(id: string, waiting: WaitingAudio, nowMs = Infinity): void {
    for (const [{ samples, sampleRate }, pageMs] of waiting.take(nowMs)) {
      const mediaMs = this.#time.at(pageMs);
      if (mediaMs !== null) this.#mix.add(id, samples, sampleRate, mediaMs);
    }
  }

  #giveParticipants(due: number, atTheEnd = false): void {
    this.#recordedParticipants?.advance(due, atTheEnd);
    this.#participantEncoders?.encode(due);
  }

  #positionOf(pageMs: number): number {
    return Math.round((this.#time.reached(pageMs) * mixRate) / 1000);
  }

  #encodeUntil(due: number): void {
    while (this.#mix.taken < due) {
      const from = this.#mix.taken;
      const block = this.#mix.take(Math.min(due - from, mixRate));
      this.#measure(block);
      this.#ports.tap?.add(block, from);
      const encoder = this.#openEncoder(samplesInUs(from));
      if (encoder) encodeSamples(encoder, block, from);
    }
  }

  #openEncoder(timeUs: number): AudioEncoder | null {
    if (this.#encoder?.state === 'configured') return this.#encoder;
    if (this.restarts > audioEncodersMax) return null;
    if (this.#encoder) this.restarts += 1;
    // A new encoder continues where the audio lost with the old one would have ended.
    this.#encodedUs = timeUs;
    this.#encoder = new AudioEncoder({
      output: (chunk, metadata) => this.#output(chunk, metadata),
      error: (error) => this.#ports.report(error),
    });
    configureOpus(this.#encoder, this.#bitsPerSecond, { complexity: opusComplexity });
    return this.#encoder;
  }

  #output(chunk: EncodedAudioChunk, metadata: EncodedAudioChunkMetadata | undefined): void {
    const description = metadata?.decoderConfig?.description;
    if (description) this.#ports.describe(bytesOf(description));
    const durationUs = chunk.duration ?? 20_000;
    this.#ports.deliver(this.#encodedUs, durationUs, chunkBytes(chunk));
    this.#encodedUs += durationUs;
  }

  #measure(block: Float32Array): void {
    let peak = 0;
    let sum = 0;
    for (const sample of block) {
      peak = Math.max(peak, Math.abs(sample));
      sum += sample * sample;
    }
    this.#levels.push({ peak, meanSquare: sum / block.length });
    if (this.#levels.length > levelWindow) this.#levels.shift();
  }
}

/** Whole Opus frames before a media time, in samples. */
function blocksBefore(mediaMs: number): number {
  return Math.floor((mediaMs * mixRate) / 1000 / mixBlock) * mixBlock;
}

/** All channels of a block averaged into one. */
function mono(data: AudioData): Float32Array {
  const first = new Float32Array(data.numberOfFrames);
  data.copyTo(first, { planeIndex: 0, format: 'f32-planar' });
  if (data.numberOfChannels === 1) return first;
  const other = new Float32Array(data.numberOfFrames);
  for (let channel = 1; channel < data.numberOfChannels; channel += 1) {
    data.copyTo(other, { planeIndex: channel, format: 'f32-planar' });
    for (let index = 0; index < first.length; index += 1) first[index] = (first[index] ?? 0) + (other[index] ?? 0);
  }
  return first.map((sample) => sample / data.numberOfChannels);
}

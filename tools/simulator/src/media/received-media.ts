import { isVp8KeyFrame } from './ivf.ts';
import { PACKET_SAMPLES } from './pcm.ts';
import { SILENT_OPUS } from './ogg-opus-writer.ts';

/** 30 s in packets of 20 ms. */
const MOST_PACKETS = 1_500;
const MOST_FRAMES = 1_500;
const MOST_FRAME_BYTES = 8 * 1024 * 1024;

export type ReceivedFigures = {
  videoFrames: number;
  frameBytes: number;
  audioPackets: number;
  audioBytes: number;
  /** Epoch ms; null: none yet. */
  lastFrameAt: number | null;
  lastAudioAt: number | null;
};

/** The camera and microphone media of one browser: stored encoded, decoded only on request. */
export class ReceivedMedia {
  readonly #now: () => number;
  #frames: Buffer[] = [];
  #frameBytes = 0;
  #packets: Buffer[] = [];
  #nextTimestamp: number | null = null;
  readonly #figures: ReceivedFigures = {
    videoFrames: 0,
    frameBytes: 0,
    audioPackets: 0,
    audioBytes: 0,
    lastFrameAt: null,
    lastAudioAt: null,
  };

  constructor(now: () => number) {
    this.#now = now;
  }

  get figures(): ReceivedFigures {
    return { ...this.#figures };
  }

  /**
   * One whole VP8 frame. `follows`: nothing is missing between it and the one before.
   * @returns whether a key frame is needed
   */
  video(frame: Buffer, follows: boolean): boolean {
    this.#figures.videoFrames += 1;
    this.#figures.frameBytes += frame.length;
    this.#figures.lastFrameAt = this.#now();
    if (isVp8KeyFrame(frame)) {
      this.#frames = [frame];
      this.#frameBytes = frame.length;
      return false;
    }
    const full = this.#frames.length >= MOST_FRAMES || this.#frameBytes >= MOST_FRAME_BYTES;
    // A frame cannot be decoded without those before it: the last complete one stays until the next key frame.
    if (!follows || full || this.#frames.length === 0) return true;
    this.#frames.push(frame);
    this.#frameBytes += frame.length;
    return false;
  }

  /** One Opus packet of 20 ms and its timestamp on a clock of 48 kHz, 32 bits. Missing packets are silence. */
  audio(packet: Buffer, timestamp: number): void {
    this.#figures.audioPackets += 1;
    this.#figures.audioBytes += packet.length;
    this.#figures.lastAudioAt = this.#now();
    const missing =
      this.#nextTimestamp === null ? 0 : Math.round(((timestamp - this.#nextTimestamp) | 0) / PACKET_SAMPLES);
    if (missing < 0) return;
    for (let index = 0; index < Math.min(missing, MOST_PACKETS); index += 1) this.#packets.push(SILENT_OPUS);
    this.#packets.push(packet);
    this.#packets.splice(0, this.#packets.length - MOST_PACKETS);
    this.#nextTimestamp = (timestamp + PACKET_SAMPLES) >>> 0;
  }

  /** From a key frame to the newest; empty: none yet. */
  get frames(): readonly Buffer[] {
    return this.#frames;
  }

  /** The last 30 s; empty: none yet. */
  get packets(): readonly Buffer[] {
    return this.#packets;
  }
}

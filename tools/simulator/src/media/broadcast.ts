import type { Clock } from '../clock.ts';
import { AudioSlots } from './audio-slots.ts';
import { isVp8KeyFrame } from './ivf.ts';
import type { PersonMedia } from './person-media.ts';
import { PACKET_MS } from './pcm.ts';
import type { SoundPacket } from './sound-track.ts';

export const AUDIO_POOL_SIZE = 3;

/** Where one attendee's media goes. The tick counts from the room's clock zero and never goes back. */
export type MediaSink = {
  sendSound(slot: number, personIndex: number, packet: SoundPacket, packetTick: number): void;
  sendFrame(personIndex: number, frame: Buffer, frameTick: number): void;
  /** The picture of a shared screen, where the platform has a track for it. */
  sendScreenFrame?(frame: Buffer, frameTick: number): void;
  /** Everybody's sound in one, for platforms whose server mixes; a tick without sound is left out. */
  sendMixedSound?(packet: SoundPacket, packetTick: number): void;
};

export type BroadcastOptions = {
  media: readonly PersonMedia[];
  clockZero: number;
  framesPerSecond: number;
  clock: Clock;
};

type Listener = { sink: MediaSink; sawKeyFrame: Set<number> };

/** Stands for a shared screen among the people's indexes. */
const SCREEN = -1;

/** Nobody needs what is older than this after the process was held up: it is left out. */
const CATCH_UP_MS = 400;

/**
 * Sends the prepared loop on the room's clock: at epoch time t whatever belongs to (t - clockZero) modulo the loop.
 * Sends nothing, and runs no timer, while nobody listens.
 */
export class Broadcast {
  readonly #options: BroadcastOptions;
  readonly #slots = new AudioSlots(AUDIO_POOL_SIZE);
  readonly #listeners = new Set<Listener>();
  readonly #silenced = new Set<number>();
  #mix: readonly (SoundPacket | null)[] = [];
  #screen: readonly Buffer[] | null = null;
  #nextPacketTick = 0;
  #nextFrameTick = 0;
  #cancelTimer: (() => void) | null = null;

  constructor(options: BroadcastOptions) {
    this.#options = options;
  }

  /** Starts sending to `sink`; the returned function ends it and may be called twice. */
  attach(sink: MediaSink): () => void {
    const listener = { sink, sawKeyFrame: new Set<number>() };
    this.#listeners.add(listener);
    if (this.#cancelTimer === null) {
      this.#skipTo(this.#elapsedMs());
      this.#plan();
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.stop();
    };
  }

  /** The person has left: no more picture and sound of theirs. */
  silence(personIndex: number): void {
    this.#silenced.add(personIndex);
  }

  /** The person has come: picture and sound from now on. */
  hear(personIndex: number): void {
    this.#silenced.delete(personIndex);
  }

  /** Frames of the loop of a screen that is shared now; null: nobody shares. */
  setScreen(frames: readonly Buffer[] | null): void {
    this.#screen = frames;
    for (const listener of this.#listeners) listener.sawKeyFrame.delete(SCREEN);
  }

  /** What listeners that take everybody's sound in one get from now on; one entry per 20 ms of the loop. */
  setMix(mix: readonly (SoundPacket | null)[]): void {
    this.#mix = mix;
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#listeners.clear();
  }

  #elapsedMs(): number {
    return Math.max(0, this.#options.clock.now() - this.#options.clockZero);
  }

  #skipTo(elapsedMs: number): void {
    this.#nextPacketTick = Math.max(this.#nextPacketTick, Math.ceil(elapsedMs / PACKET_MS));
    this.#nextFrameTick = Math.max(this.#nextFrameTick, Math.ceil((elapsedMs * this.#options.framesPerSecond) / 1000));
  }

  #plan(): void {
    const nextMs = Math.min(this.#nextPacketTick * PACKET_MS, this.#frameMs(this.#nextFrameTick));
    this.#cancelTimer = this.#options.clock.after(Math.max(0, nextMs - this.#elapsedMs()), () => this.#run());
  }

  #run(): void {
    const elapsedMs = this.#elapsedMs();
    this.#skipTo(elapsedMs - CATCH_UP_MS);
    while (this.#nextPacketTick * PACKET_MS <= elapsedMs) {
      this.#sendSounds(this.#nextPacketTick);
      this.#nextPacketTick += 1;
    }
    while (this.#frameMs(this.#nextFrameTick) <= elapsedMs) {
      this.#sendFrames(this.#nextFrameTick);
      this.#nextFrameTick += 1;
    }
    if (this.#listeners.size > 0) this.#plan();
  }

  #frameMs(frameTick: number): number {
    return (frameTick * 1000) / this.#options.framesPerSecond;
  }

  #sendSounds(packetTick: number): void {
    const audible = this.#options.media.flatMap((media, personIndex) => {
      const packet = media.sound[packetTick % media.sound.length];
      return packet && !this.#silenced.has(personIndex) ? [{ personIndex, levelDbov: packet.levelDbov, packet }] : [];
    });
    const mixed = this.#mix[packetTick % this.#mix.length];
    if (mixed) for (const { sink } of this.#listeners) sink.sendMixedSound?.(mixed, packetTick);
    const places = this.#slots.assign(audible);
    for (const { personIndex, packet } of audible) {
      const slot = places.get(personIndex);
      if (slot === undefined) continue;
      for (const { sink } of this.#listeners) sink.sendSound(slot, personIndex, packet, packetTick);
    }
  }

  #sendFrames(frameTick: number): void {
    this.#options.media.forEach((media, personIndex) => {
      const frame = media.frames[frameTick % media.frames.length];
      if (frame === undefined || this.#silenced.has(personIndex)) return;
      const key = isVp8KeyFrame(frame);
      for (const listener of this.#listeners) {
        // Frames before a listener's first key frame cannot be decoded, so they would only make it ask for one.
        if (key) listener.sawKeyFrame.add(personIndex);
        if (listener.sawKeyFrame.has(personIndex)) listener.sink.sendFrame(personIndex, frame, frameTick);
      }
    });
    this.#sendScreen(frameTick);
  }

  #sendScreen(frameTick: number): void {
    const frame = this.#screen?.[frameTick % this.#screen.length];
    if (frame === undefined) return;
    for (const { sink, sawKeyFrame } of this.#listeners) {
      if (isVp8KeyFrame(frame)) sawKeyFrame.add(SCREEN);
      if (sawKeyFrame.has(SCREEN)) sink.sendScreenFrame?.(frame, frameTick);
    }
  }
}

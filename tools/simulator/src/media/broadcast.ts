import type { Clock } from '../clock.ts';
import { AudioSlots } from './audio-slots.ts';
import type { PersonMedia } from './person-media.ts';
import type { PictureFrame, PictureLoop } from './picture-loop.ts';
import { PACKET_MS } from './pcm.ts';
import type { SoundPacket } from './sound-track.ts';

export const AUDIO_POOL_SIZE = 3;

/** Where one attendee's media goes. The tick counts from the room's clock zero and never goes back. */
export type MediaSink = {
  sendSound(slot: number, personIndex: number, packet: SoundPacket, packetTick: number): void;
  sendFrame(personIndex: number, frame: PictureFrame, frameTick: number): void;
  /** The picture of a shared screen, where the platform has a track for it. */
  sendScreenFrame?(frame: PictureFrame, frameTick: number): void;
  /** Calls back whenever the attendee's browser wants a key frame of somebody; null: of the shared screen. */
  onKeyFrameWanted?(wanted: (personIndex: number | null) => void): void;
  /** Everybody's sound in one, for platforms whose server mixes; a tick without sound is left out. */
  sendMixedSound?(packet: SoundPacket, packetTick: number): void;
};

export type BroadcastOptions = {
  media: readonly PersonMedia[];
  clockZero: number;
  framesPerSecond: number;
  clock: Clock;
  /** Indexes of people whose camera is off. */
  unseen?: readonly number[];
};

/** What a listener gets of somebody's picture. */
type Place = { loop: PictureLoop; frames: readonly PictureFrame[]; keyWanted: boolean };
type Listener = { sink: MediaSink; places: Map<number, Place> };

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
  readonly #pictures: PictureLoop[];
  #screen: PictureLoop | null = null;
  #nextPacketTick = 0;
  #nextFrameTick = 0;
  #cancelTimer: (() => void) | null = null;

  constructor(options: BroadcastOptions) {
    this.#options = options;
    this.#pictures = options.media.map(({ picture }) => picture);
  }

  /** Starts sending to `sink`; the returned function ends it and may be called twice. */
  attach(sink: MediaSink): () => void {
    const listener: Listener = { sink, places: new Map() };
    this.#listeners.add(listener);
    sink.onKeyFrameWanted?.((personIndex) => {
      const place = listener.places.get(personIndex ?? SCREEN);
      if (place !== undefined) place.keyWanted = true;
    });
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
    for (const listener of this.#listeners) listener.places.delete(personIndex);
  }

  /** The person's picture is sent in another way from its next key frame on. */
  setPicture(personIndex: number, picture: PictureLoop): void {
    this.#pictures[personIndex] = picture;
  }

  /** The loop of a screen that is shared now; null: nobody shares. */
  setScreen(screen: PictureLoop | null): void {
    this.#screen = screen;
    for (const listener of this.#listeners) listener.places.delete(SCREEN);
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
    const due = this.#nextFrameTick;
    this.#skipTo(elapsedMs - CATCH_UP_MS);
    // What follows on frames that were left out could not be decoded.
    if (this.#nextFrameTick > due) for (const { places } of this.#listeners) places.clear();
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
    this.#pictures.forEach((picture, personIndex) => {
      if (this.#silenced.has(personIndex) || this.#options.unseen?.includes(personIndex) === true) return;
      for (const listener of this.#listeners) {
        const frame = nextFrame(listener, personIndex, { picture, frameTick });
        if (frame !== null) listener.sink.sendFrame(personIndex, frame, frameTick);
      }
    });
    if (this.#screen === null) return;
    for (const listener of this.#listeners) {
      const frame = nextFrame(listener, SCREEN, { picture: this.#screen, frameTick });
      if (frame !== null) listener.sink.sendScreenFrame?.(frame, frameTick);
    }
  }
}

/**
 * What a listener gets now. Frames before the first key frame cannot be decoded, so they would only make it ask for one;
 * whoever waits for one gets in by the loop that has many, and goes back to the other at its next.
 */
function nextFrame(
  { places }: Listener,
  index: number,
  { picture, frameTick }: { picture: PictureLoop; frameTick: number },
): PictureFrame | null {
  const at = (frames: readonly PictureFrame[]) => frames[frameTick % frames.length];
  const place = places.get(index);
  const waits = place === undefined || place.keyWanted || place.loop !== picture;
  const frames = [picture.frames, ...(waits ? [picture.entries] : [])].find((loop) => at(loop)?.key === true);
  if (frames !== undefined) places.set(index, { loop: picture, frames, keyWanted: false });
  return at(places.get(index)?.frames ?? []) ?? null;
}

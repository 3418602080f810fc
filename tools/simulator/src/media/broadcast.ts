import type { Clock } from '../clock.ts';
import type { ParticipantMedia } from './participant-media.ts';
import type { LoopFrame, VideoLoop } from './video-loop.ts';
import { PACKET_MS } from './pcm.ts';
import type { AudioPacket } from './audio-track.ts';

/** A participant with audio in this 20 ms; `levelDbov` 0 is loudest, 127 is no speech. */
type Speaker = { participantIndex: number; levelDbov: number };

type Slot = { participantIndex: number | null; freeSince: number };

/**
 * The fixed pool of audio tracks: each slot carries one participant at a time and is reassigned when that participant
 * is silent, or to a louder one when all slots are taken. A speaker keeps the slot.
 */
export class AudioSlots {
  readonly #slots: Slot[];
  #round = 0;

  constructor(count: number) {
    this.#slots = Array.from({ length: count }, (_, index) => ({ participantIndex: null, freeSince: index - count }));
  }

  /** Called for every 20 ms; returns the slot of each audible speaker. */
  assign(speakers: readonly Speaker[]): Map<number, number> {
    this.#round += 1;
    const loudest = speakers.toSorted((one, other) => one.levelDbov - other.levelDbov).slice(0, this.#slots.length);
    for (const slot of this.#slots) {
      if (
        slot.participantIndex === null ||
        loudest.some((speaker) => speaker.participantIndex === slot.participantIndex)
      )
        continue;
      slot.participantIndex = null;
      slot.freeSince = this.#round;
    }
    for (const { participantIndex } of loudest) {
      if (this.#slots.some((slot) => slot.participantIndex === participantIndex)) continue;
      const free = this.#slots.filter((slot) => slot.participantIndex === null);
      // The slot that has been free longest: its last audio has been played.
      const oldest = free.reduce<Slot | undefined>(
        (best, slot) => (best && best.freeSince <= slot.freeSince ? best : slot),
        undefined,
      );
      if (oldest !== undefined) oldest.participantIndex = participantIndex;
    }
    return new Map(
      this.#slots.flatMap((slot, index) =>
        slot.participantIndex === null ? [] : [[slot.participantIndex, index] as const],
      ),
    );
  }
}

export const AUDIO_POOL_SIZE = 3;

/** Destination of one attendee's media. The tick counts from the room's clock zero and never decreases. */
export type MediaSink = {
  sendAudio(slot: number, participantIndex: number, packet: AudioPacket, packetTick: number): void;
  sendFrame(participantIndex: number, frame: LoopFrame, frameTick: number): void;
  /** The video of a shared screen, where the platform has a track for it. */
  sendScreenFrame?(frame: LoopFrame, frameTick: number): void;
  /** Calls back when the attendee's browser requests a key frame of a participant; null: of the shared screen. */
  onKeyFrameWanted?(wanted: (participantIndex: number | null) => void): void;
  /** The mixed audio of all participants, for platforms whose server mixes; a tick without audio is left out. */
  sendMixedAudio?(packet: AudioPacket, packetTick: number): void;
};

export type BroadcastOptions = {
  media: readonly ParticipantMedia[];
  clockZero: number;
  framesPerSecond: number;
  clock: Clock;
  /** Indexes of participants whose camera is off. */
  unseen?: readonly number[];
};

/** The state of one video for one listener. */
type Place = { loop: VideoLoop; frames: readonly LoopFrame[]; keyWanted: boolean };
type Listener = { sink: MediaSink; places: Map<number, Place> };

/** The index of a shared screen among the participants' indexes. */
const SCREEN = -1;

/** Media older than this after a stall of the process are left out. */
const CATCH_UP_MS = 400;

/**
 * Sends the prepared loop on the room's clock: at epoch time t the media at (t - clockZero) modulo the loop. Sends
 * nothing, and runs no timer, without listeners.
 */
export class Broadcast {
  readonly #options: BroadcastOptions;
  readonly #slots = new AudioSlots(AUDIO_POOL_SIZE);
  readonly #listeners = new Set<Listener>();
  readonly #silenced = new Set<number>();
  #mix: readonly (AudioPacket | null)[] = [];
  readonly #frames: VideoLoop[];
  #screen: VideoLoop | null = null;
  #nextPacketTick = 0;
  #nextFrameTick = 0;
  #cancelTimer: (() => void) | null = null;

  constructor(options: BroadcastOptions) {
    this.#options = options;
    this.#frames = options.media.map(({ video }) => video);
  }

  /** Starts sending to `sink`; the returned function ends it and may be called twice. */
  attach(sink: MediaSink): () => void {
    const listener: Listener = { sink, places: new Map() };
    this.#listeners.add(listener);
    sink.onKeyFrameWanted?.((participantIndex) => {
      const place = listener.places.get(participantIndex ?? SCREEN);
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

  /** The participant has left: no more video and audio of theirs. */
  silence(participantIndex: number): void {
    this.#silenced.add(participantIndex);
  }

  /** The participant has joined: video and audio from now on. */
  resume(participantIndex: number): void {
    this.#silenced.delete(participantIndex);
    for (const listener of this.#listeners) listener.places.delete(participantIndex);
  }

  /** Changes the encoding of the participant's video from its next key frame on. */
  setVideo(participantIndex: number, video: VideoLoop): void {
    this.#frames[participantIndex] = video;
  }

  /** The loop of the shared screen; null: none is shared. */
  setScreen(screen: VideoLoop | null): void {
    this.#screen = screen;
    for (const listener of this.#listeners) listener.places.delete(SCREEN);
  }

  /** The audio of listeners that take the mix, from now on; one entry per 20 ms of the loop. */
  setMix(mix: readonly (AudioPacket | null)[]): void {
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
    // Frames after skipped ones could not be decoded.
    if (this.#nextFrameTick > due) for (const { places } of this.#listeners) places.clear();
    while (this.#nextPacketTick * PACKET_MS <= elapsedMs) {
      this.#sendAllAudio(this.#nextPacketTick);
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

  #sendAllAudio(packetTick: number): void {
    const audible = this.#options.media.flatMap((media, participantIndex) => {
      const packet = media.audio[packetTick % media.audio.length];
      return packet && !this.#silenced.has(participantIndex)
        ? [{ participantIndex, levelDbov: packet.levelDbov, packet }]
        : [];
    });
    const mixed = this.#mix[packetTick % this.#mix.length];
    if (mixed) for (const { sink } of this.#listeners) sink.sendMixedAudio?.(mixed, packetTick);
    const places = this.#slots.assign(audible);
    for (const { participantIndex, packet } of audible) {
      const slot = places.get(participantIndex);
      if (slot === undefined) continue;
      for (const { sink } of this.#listeners) sink.sendAudio(slot, participantIndex, packet, packetTick);
    }
  }

  #sendFrames(frameTick: number): void {
    this.#frames.forEach((video, participantIndex) => {
      if (this.#silenced.has(participantIndex) || this.#options.unseen?.includes(participantIndex) === true) return;
      for (const listener of this.#listeners) {
        const frame = nextFrame(listener, participantIndex, { video, frameTick });
        if (frame !== null) listener.sink.sendFrame(participantIndex, frame, frameTick);
      }
    });
    if (this.#screen === null) return;
    for (const listener of this.#listeners) {
      const frame = nextFrame(listener, SCREEN, { video: this.#screen, frameTick });
      if (frame !== null) listener.sink.sendScreenFrame?.(frame, frameTick);
    }
  }
}

/**
 * The next frame for a listener. Frames before the first key frame cannot be decoded and would only cause a request for
 * one; a listener that waits for a key frame starts with the loop that has many, and returns to the other at its next
 * one.
 */
function nextFrame(
  { places }: Listener,
  index: number,
  { video, frameTick }: { video: VideoLoop; frameTick: number },
): LoopFrame | null {
  const at = (frames: readonly LoopFrame[]) => frames[frameTick % frames.length];
  const place = places.get(index);
  const waits = place === undefined || place.keyWanted || place.loop !== video;
  const frames = [video.frames, ...(waits ? [video.entries] : [])].find((loop) => at(loop)?.key === true);
  if (frames !== undefined) places.set(index, { loop: video, frames, keyWanted: false });
  return at(places.get(index)?.frames ?? []) ?? null;
}

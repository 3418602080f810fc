import {
  countIn,
  isNeeded,
  lengthPrefixed,
  avcRecord,
  sequenceIn,
  unitsIn,
  unitType,
  unitTypes,
} from '@rapporteur/media-container/avc-units';
import type { SequenceFacts } from '@rapporteur/media-container/avc-units';
import type { EncodedFrame, Transformer } from '../../chromium-media.ts';
import { SourceClock } from '../../media-time.page.ts';
import { StubFrames } from './stub-frames.page.ts';

/** A frame as it came, ready for a container. */
export interface TappedFrame {
  /** Page time at which it came, freed of how long the network kept it now and then. */
  readonly pageMs: number;
  readonly key: boolean;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What it is decoded with; for key frames. */
  readonly avcC: Uint8Array | null;
}

export interface EncodedTapPorts {
  now(): number;
  report(error: unknown): void;
  /** Frames one after the other, from a key frame on; after one that is missing, from the next key frame on. */
  onFrame(video: TappedFrame): void;
  /** What comes can not be copied: its codec, or its size, is another one. The decoder has it as it came. Null: it can again. */
  onRefused(reason: string | null): void;
  /** The decoder gets what comes. */
  onPassing(): void;
}

const tapCodec = 'video/h264';
/** Of its first key frame nothing is decoded behind a transform (Chromium 156, one layer): it stands still for 3 s. */
const codecThatBeginsAnew = 'video/av1';
const rtpRate = 90_000;
const rtpTurn = 2 ** 32;
/** A sender is asked for a key frame no more often. */
const keyAgainMs = 700;
const shapeTolerance = 0.01;

/**
 * The frames of one receiver before its decoder. They pass as they come until somebody attends to them, who may take them,
 * and may give the decoder stubs in their place: then nothing is decoded that nobody needs, and page and sender see a stream
 * that goes on.
 */
export class EncodedTap {
  readonly #transformer: Transformer;
  #ports: EncodedTapPorts | null = null;
  #aspect = 1;
  #clock = new SourceClock();
  #sequenceSets: Uint8Array[] = [];
  #pictureParameterSets: Uint8Array[] = [];
  #facts: SequenceFacts | null = null;
  #stubs: StubFrames | null = null;
  /** What the decoder gets now, and what it is to get from its next key frame on. */
  #stubbed = false;
  #wantsStubs = false;
  #refusal: string | null = null;
  #wanted = false;
  #awaitsKey = true;
  #count: number | null = null;
  #rtp: { last: number; turns: number } | null = null;
  #requestedAtMs = -Infinity;
  #begun = false;
  #closed = false;

  constructor(transformer: Transformer) {
    this.#transformer = transformer;
    void this.#run().catch((error: unknown) => {
      if (!this.#closed) this.#ports?.report(error);
    });
  }

  /** What comes is looked at from now on. */
  attend(aspect: number, ports: EncodedTapPorts): void {
    this.#aspect = aspect;
    this.#ports = ports;
  }

  /** Its frames are taken, from the next key frame on, or not any more. */
  want(wanted: boolean): void {
    if (wanted && !this.#wanted) {
      this.#awaitsKey = true;
      this.#clock = new SourceClock();
      this.#rtp = null;
    }
    this.#wanted = wanted;
  }

  /** Asks the sender for a key frame, where none was requested just now. */
  requestKeyFrame(): void {
    const nowMs = this.#ports?.now() ?? 0;
    if (!this.#ports || this.#closed || nowMs - this.#requestedAtMs < keyAgainMs) return;
    this.#requestedAtMs = nowMs;
    void this.#transformer.sendKeyFrameRequest().catch((error: unknown) => this.#ports?.report(error));
  }

  /** The decoder needs to see nothing of it any more, from the next key frame on. */
  stub(): void {
    this.#wantsStubs = this.#refusal === null;
  }

  /** It would get stubs if a key frame came. */
  get awaitsStubs(): boolean {
    return this.#wantsStubs && !this.#stubbed;
  }

  /** The decoder is to get what comes, from the next key frame on. */
  pass(): void {
    this.#wantsStubs = false;
    if (!this.#stubbed) this.#ports?.onPassing();
    else this.requestKeyFrame();
  }

  /** Its receiver is gone. */
  close(): void {
    this.#closed = true;
  }

  async #run(): Promise<void> {
    const reader = this.#transformer.readable.getReader();
    const writer = this.#transformer.writable.getWriter();
    for (;;) {
      const { value: frame, done } = await reader.read();
      if (done) return;
      try {
        if (!this.#begun) this.#begin(frame);
        if (this.#ports) this.#take(frame, this.#ports);
      } catch (error) {
        this.#ports?.report(error);
      }
      void writer.write(frame).catch(() => undefined);
    }
  }

  #begin(frame: EncodedFrame): void {
    this.#begun = true;
    if (frame.getMetadata().mimeType?.toLowerCase() !== codecThatBeginsAnew) return;
    void this.#transformer.sendKeyFrameRequest().catch((error: unknown) => this.#ports?.report(error));
  }

  #take(frame: EncodedFrame, ports: EncodedTapPorts): void {
    if (!this.#wanted && frame.type !== 'key') {
      // Nothing changes but with a key frame.
      this.#cover(frame, false);
      return;
    }
    const { mimeType, rtpTimestamp } = frame.getMetadata();
    if (mimeType !== undefined && mimeType.toLowerCase() !== tapCodec) {
      // Its decoder is another one, which has seen no stubs.
      this.#stubbed = false;
      this.#facts = null;
      this.#refuse(mimeType);
      return;
    }
    const units = unitsIn(new Uint8Array(frame.data));
    this.#describe(units);
    const slices = units.filter((unit) => unitType(unit) >= unitTypes.slice && unitType(unit) <= unitTypes.keySlice);
    const key = slices.some((unit) => unitType(unit) === unitTypes.keySlice);
    if (this.#wanted && this.#facts && this.#refusal === null) {
      const pageMs = this.#clock.toPageMs(this.#sourceMs(rtpTimestamp), ports.now());
      this.#copy(slices, key, pageMs);
    } else if (this.#wanted && !this.#facts) this.requestKeyFrame();
    this.#cover(frame, key);
  }

  #copy(slices: readonly Uint8Array[], key: boolean, pageMs: number): void {
    const avcC = key ? avcRecord(this.#sequenceSets, this.#pictureParameterSets) : null;
    if (key && avcC) this.#awaitsKey = false;
    else if (!this.#follows(slices)) this.#awaitsKey = true;
    this.#remember(slices, key);
    if (this.#awaitsKey) this.requestKeyFrame();
    else this.#ports?.onFrame({ pageMs, key, bytes: lengthPrefixed(slices), avcC });
  }

  /** Nothing that a frame needs is missing between it and the one before. */
  #follows([slice]: readonly Uint8Array[]): boolean {
    if (!slice || !this.#facts || this.#count === null) return false;
    const count = countIn(slice, this.#facts.countBits);
    const next = (this.#count + 1) % 2 ** this.#facts.countBits;
    // Another field or a copy of the video before has its number.
    return count === next || count === this.#count;
  }

  #remember([slice]: readonly Uint8Array[], key: boolean): void {
    if (key) this.#count = 0;
    else if (slice && this.#facts && isNeeded(slice)) this.#count = countIn(slice, this.#facts.countBits);
  }

  #describe(units: readonly Uint8Array[]): void {
    const sequenceSets = units.filter((unit) => unitType(unit) === unitTypes.sequenceSet);
    const pictureParameterSets = units.filter((unit) => unitType(unit) === unitTypes.pictureParameterSet);
    if (pictureParameterSets.length > 0) this.#pictureParameterSets = pictureParameterSets.map((unit) => unit.slice());
    if (!sequenceSets[0]) return;
    this.#sequenceSets = sequenceSets.map((unit) => unit.slice());
    const before = this.#facts;
    this.#facts = sequenceIn(sequenceSets[0]);
    if (!this.#facts) return;
    const { width, height } = this.#facts;
    if (before?.width !== width || before.height !== height) this.#stubs = new StubFrames(width, height);
    const fits = Math.abs(width / height / this.#aspect - 1) <= shapeTolerance;
    this.#refuse(fits ? null : `${width} x ${height}`);
  }

  /** Stubs begin and end with a key frame: a decoder could make nothing of one kind after the other. */
  #cover(frame: EncodedFrame, key: boolean): void {
    if (this.#stubbed !== this.#wantsStubs) {
      if (key && this.#stubs) {
        this.#stubbed = this.#wantsStubs;
        if (!this.#stubbed) this.#ports?.onPassing();
      } else if (this.#stubbed) this.requestKeyFrame();
    }
    if (this.#stubbed && this.#stubs) frame.data = (key ? this.#stubs.key() : this.#stubs.next()).buffer;
  }

  #refuse(reason: string | null): void {
    if (reason === this.#refusal) return;
    this.#refusal = reason;
    this.#ports?.onRefused(reason);
    if (reason !== null) this.pass();
  }

  #sourceMs(rtpTimestamp: number): number {
    const { last, turns } = this.#rtp ?? { last: rtpTimestamp, turns: 0 };
    // It begins anew after thirteen hours.
    const step = rtpTimestamp < last - rtpTurn / 2 ? 1 : rtpTimestamp > last + rtpTurn / 2 ? -1 : 0;
    this.#rtp = { last: rtpTimestamp, turns: turns + step };
    return ((this.#rtp.turns * rtpTurn + rtpTimestamp) / rtpRate) * 1_000;
  }
}

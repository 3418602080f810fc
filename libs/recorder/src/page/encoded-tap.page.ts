import {
  countIn,
  isNeeded,
  lengthPrefixed,
  avcRecord,
  sequenceIn,
  unitsIn,
  unitType,
  unitTypes,
} from './avc-units.page.ts';
import type { SequenceFacts } from './avc-units.page.ts';
import type { EncodedFrame, Transformer } from './chromium-media.ts';
import { SourceClock } from './media-time.page.ts';
import { StubPictures } from './stub-pictures.page.ts';

/** A picture as it came, ready for a container. */
export interface TappedPicture {
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
  /** Pictures one after the other, from a key frame on; after one that is missing, from the next key frame on. */
  onPicture(picture: TappedPicture): void;
  /** What comes can not be copied: its codec, or its size, is another one. The decoder has it as it came. */
  onRefused(reason: string): void;
  /** The decoder gets what comes again. */
  onPassing(): void;
}

const tapCodec = 'video/h264';
const rtpRate = 90_000;
const rtpTurn = 2 ** 32;
/** A sender is asked for a key frame no more often. */
const keyAgainMs = 700;
const shapeTolerance = 0.01;

/**
 * The frames of one receiver before its decoder, which gets stubs in their place: nothing is decoded that nobody needs,
 * and page and sender see a stream that goes on.
 */
export class EncodedTap {
  readonly #ports: EncodedTapPorts;
  readonly #transformer: Transformer;
  readonly #aspect: number;
  readonly #clock = new SourceClock();
  #sequenceSets: Uint8Array[] = [];
  #pictureSets: Uint8Array[] = [];
  #facts: SequenceFacts | null = null;
  #stubs: StubPictures | null = null;
  /** What the decoder gets now, and what it is to get from its next key frame on. */
  #stubbed = false;
  #wantsStubs = false;
  #refused = false;
  #awaitsKey = true;
  #count: number | null = null;
  #rtp: { last: number; turns: number } | null = null;
  #askedAtMs = -Infinity;
  #closed = false;

  constructor(transformer: Transformer, aspect: number, ports: EncodedTapPorts) {
    this.#transformer = transformer;
    this.#aspect = aspect;
    this.#ports = ports;
    void this.#run().catch((error: unknown) => {
      if (!this.#closed) ports.report(error);
    });
  }

  /** Asks the sender for a key frame, where none was asked for just now. */
  askForKey(): void {
    const nowMs = this.#ports.now();
    if (this.#closed || nowMs - this.#askedAtMs < keyAgainMs) return;
    this.#askedAtMs = nowMs;
    void this.#transformer.sendKeyFrameRequest().catch((error: unknown) => this.#ports.report(error));
  }

  /** The decoder needs to see nothing of it any more, from the next key frame on. */
  stub(): void {
    if (this.#wantsStubs || this.#refused) return;
    this.#wantsStubs = true;
    this.askForKey();
  }

  /** The decoder is to get what comes, from the next key frame on. */
  pass(): void {
    this.#wantsStubs = false;
    if (!this.#stubbed) this.#ports.onPassing();
    else this.askForKey();
  }

  /** Its receiver has let go of it. */
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
        this.#take(frame);
      } catch (error) {
        this.#ports.report(error);
      }
      void writer.write(frame).catch(() => undefined);
    }
  }

  #take(frame: EncodedFrame): void {
    const { mimeType, rtpTimestamp } = frame.getMetadata();
    if (mimeType !== undefined && mimeType.toLowerCase() !== tapCodec) {
      // Its decoder is another one, which has seen no stubs.
      this.#stubbed = false;
      this.#refuse(mimeType);
      return;
    }
    const units = unitsIn(new Uint8Array(frame.data));
    this.#describe(units);
    const slices = units.filter((unit) => unitType(unit) >= unitTypes.slice && unitType(unit) <= unitTypes.keySlice);
    const key = slices.some((unit) => unitType(unit) === unitTypes.keySlice);
    const pageMs = this.#clock.toPageMs(this.#sourceMs(rtpTimestamp), this.#ports.now());
    if (this.#facts && !this.#refused) this.#copy(slices, key, pageMs);
    else if (!this.#facts) this.askForKey();
    this.#stub(frame, key);
  }

  #copy(slices: readonly Uint8Array[], key: boolean, pageMs: number): void {
    const avcC = key ? avcRecord(this.#sequenceSets, this.#pictureSets) : null;
    if (key && avcC) this.#awaitsKey = false;
    else if (!this.#follows(slices)) this.#awaitsKey = true;
    this.#remember(slices, key);
    if (this.#awaitsKey) this.askForKey();
    else this.#ports.onPicture({ pageMs, key, bytes: lengthPrefixed(slices), avcC });
  }

  /** Nothing that a picture needs is missing between it and the one before. */
  #follows([slice]: readonly Uint8Array[]): boolean {
    if (!slice || !this.#facts || this.#count === null) return false;
    const count = countIn(slice, this.#facts.countBits);
    const next = (this.#count + 1) % 2 ** this.#facts.countBits;
    // Another field or a copy of the picture before has its number.
    return count === next || count === this.#count;
  }

  #remember([slice]: readonly Uint8Array[], key: boolean): void {
    if (key) this.#count = 0;
    else if (slice && this.#facts && isNeeded(slice)) this.#count = countIn(slice, this.#facts.countBits);
  }

  #describe(units: readonly Uint8Array[]): void {
    const sequenceSets = units.filter((unit) => unitType(unit) === unitTypes.sequenceSet);
    const pictureSets = units.filter((unit) => unitType(unit) === unitTypes.pictureSet);
    if (pictureSets.length > 0) this.#pictureSets = pictureSets.map((unit) => unit.slice());
    if (!sequenceSets[0]) return;
    this.#sequenceSets = sequenceSets.map((unit) => unit.slice());
    const before = this.#facts;
    this.#facts = sequenceIn(sequenceSets[0]);
    if (!this.#facts) return;
    const { width, height } = this.#facts;
    if (before?.width !== width || before.height !== height) this.#stubs = new StubPictures(width, height);
    if (Math.abs(width / height / this.#aspect - 1) > shapeTolerance) this.#refuse(`${width} x ${height}`);
  }

  /** Stubs begin and end with a key frame: a decoder could make nothing of one kind after the other. */
  #stub(frame: EncodedFrame, key: boolean): void {
    if (this.#stubbed !== this.#wantsStubs) {
      if (key && this.#stubs) this.#stubbed = this.#wantsStubs;
      else this.askForKey();
      if (key && !this.#stubbed) this.#ports.onPassing();
    }
    if (this.#stubbed && this.#stubs) frame.data = (key ? this.#stubs.key() : this.#stubs.next()).buffer;
  }

  #refuse(reason: string): void {
    if (!this.#refused) this.#ports.onRefused(reason);
    this.#refused = true;
    this.pass();
  }

  #sourceMs(rtpTimestamp: number): number {
    const { last, turns } = this.#rtp ?? { last: rtpTimestamp, turns: 0 };
    // It begins anew after thirteen hours.
    const step = rtpTimestamp < last - rtpTurn / 2 ? 1 : rtpTimestamp > last + rtpTurn / 2 ? -1 : 0;
    this.#rtp = { last: rtpTimestamp, turns: turns + step };
    return ((this.#rtp.turns * rtpTurn + rtpTimestamp) / rtpRate) * 1_000;
  }
}

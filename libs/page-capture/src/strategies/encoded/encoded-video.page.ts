import type { EncodedTap, TappedFrame } from './encoded-tap.page.ts';
import type { MediaTime } from '../../media-time.page.ts';
import type { CaptureConfig } from '../../messages.ts';
import { FrameEncoder } from '../../encoder/frame-encoder.page.ts';
import type { FrameEncoderPorts } from '../../encoder/frame-encoder.page.ts';
import type { VideoStrategy } from '../video-strategy.page.ts';
import { noVideoCounts } from '../video-strategy.page.ts';

export interface EncodedVideoPorts extends FrameEncoderPorts {
  /** The first frame of this way, once it is there: it is delivered when its moment comes. */
  announce(timeUs: number): void;
  /** What a tap gives cannot be recorded in this way. */
  refused(id: string, reason: string | null): void;
  /** A tap's decoder gets what comes. */
  passing(id: string): void;
}

/** So often a sender gives a key frame, asked or not: players can jump there. */
const keyEveryMs = 10_000;
/** A measured delay is followed slowly: nothing may jump. */
const delayFollowed = 0.2;
/** More is no delay of a call. */
const delayMostMs = 2_000;
const waitingMost = 300;
/** One sender after the other is asked for the key frame that stubs begin with. */
const stubRequestMs = 500;

/**
 * The strategy 'encoded' of speaker_view: frames are copied as they come from their sender. Each is handed on when the audio
 * that belongs to it is heard, which its receiver holds back. Only black is encoded here.
 */
export class EncodedVideo implements VideoStrategy {
  readonly #ports: EncodedVideoPorts;
  readonly #time: MediaTime;
  readonly #aspect: number;
  readonly #black: FrameEncoder;
  readonly #taps = new Map<string, EncodedTap>();
  #current = false;
  /** Whose frames are taken, and whose from their next key frame on. */
  #shown: string | null = null;
  #next: string | null = null;
  #waiting: TappedFrame[] = [];
  #delayMs: number | null = null;
  #described: Uint8Array | null = null;
  /** The next frame must stand alone. */
  #keyWanted = true;
  #keyTakenAtMs = -Infinity;
  #isBlack = true;
  /** Black may be seen though a frame is to come: nothing else was before it. */
  #blackStands = false;
  /** It is recorded from here: no decoder needs to see anything. */
  #delivers = false;
  /** Decoders get what comes for so long. */
  #passesUntilMs = -Infinity;
  #stubRequestedAtMs = -Infinity;
  shownFrameAtMs: number | null = null;
  /** Frames of what is shown now that arrived. */
  shownFrames = 0;
  readonly #counts = noVideoCounts();

  constructor(ports: EncodedVideoPorts, time: MediaTime, config: CaptureConfig) {
    this.#ports = ports;
    this.#time = time;
    this.#aspect = config.width / config.height;
    const { now, report, congested } = ports;
    this.#black = new FrameEncoder(
      {
        now,
        report,
        congested,
        describe: (description) => this.#isBlack && this.#describe(description),
        deliver: (timeUs, key, bytes) => {
          if (this.#isBlack && this.#current) ports.deliver(timeUs, key, bytes);
        },
      },
      time,
      config,
    );
  }

  get counts() {
    const { restarts, repeated } = this.#black.counts;
    return { ...this.#counts, repeated, restarts };
  }

  /** A receiver's frames can be had here. */
  tap(id: string, tap: EncodedTap): void {
    tap.attend(this.#aspect, {
      now: () => this.#ports.now(),
      report: (error) => this.#ports.report(error),
      onFrame: (video) => this.#take(id, video),
      onRefused: (reason) => this.#ports.refused(id, reason),
      onPassing: () => this.#ports.passing(id),
    });
    this.#taps.set(id, tap);
    this.#wantShown();
  }

  untap(id: string): void {
    this.#taps.delete(id);
  }

  /** Decoders are to get what comes until then; null: until something is to be seen in this way again. */
  pass(untilMs: number | null): void {
    this.#passesUntilMs = untilMs ?? Infinity;
    if (this.#passesUntilMs > this.#ports.now()) for (const tap of this.#taps.values()) tap.pass();
  }

  /** What is to be seen: a tap's frames from their next key frame on, or black at once. */
  show(id: string | null): void {
    if (this.#passesUntilMs === Infinity) this.#passesUntilMs = -Infinity;
    if (id === (this.#next ?? this.#shown)) return;
    this.#counts.switches += 1;
    this.shownFrameAtMs = id === null ? null : this.#ports.now();
    this.shownFrames = 0;
    // The one that is still taken goes on as it was.
    this.#next = id === this.#shown ? null : id;
    if (id === null) this.#turnBlack();
    this.#wantShown();
  }

  /** Only what is seen, or will be, is taken; it begins with a key frame. */
  #wantShown(): void {
    for (const [id, tap] of this.#taps) tap.want(id === this.#shown || id === this.#next);
    if (this.#next !== null) this.#taps.get(this.#next)?.requestKeyFrame();
  }

  /** How long a receiver holds back what is seen and heard, as far as is known. */
  hear(delayMs: number): void {
    const measured = Math.min(Math.max(0, delayMs), delayMostMs);
    this.#delayMs = this.#delayMs === null ? measured : this.#delayMs + (measured - this.#delayMs) * delayFollowed;
  }

  begin(): void {
    this.#current = true;
    this.#delivers = false;
    this.#described = null;
    this.#black.begin();
    this.#blackStands = this.#time.reached(this.#ports.now()) <= this.#time.beginsMs;
    this.wantKey();
  }

  leave(): void {
    this.#current = false;
    this.#delivers = false;
    this.#waiting = [];
    this.#shown = null;
    this.#next = null;
    this.#wantShown();
    this.shownFrameAtMs = null;
    this.#isBlack = true;
    this.#blackStands = false;
    this.#black.leave();
  }

  tick(): void {
    if (!this.#current) return;
    this.#handOn();
    const wanted = this.#next ?? this.#shown;
    if (this.#isBlack && (this.#blackStands || wanted === null)) this.#black.tick();
    const nowMs = this.#ports.now();
    const late = this.#next !== null || this.#keyWanted || nowMs - this.#keyTakenAtMs > keyEveryMs;
    if (wanted !== null && late && !this.#time.paused) this.#taps.get(wanted)?.requestKeyFrame();
    if (this.#delivers && nowMs >= this.#passesUntilMs) this.#stub(nowMs);
  }

  /** Of all that comes, seen or not: a decoder costs the same. */
  #stub(nowMs: number): void {
    for (const tap of this.#taps.values()) tap.stub();
    if (nowMs - this.#stubRequestedAtMs < stubRequestMs) return;
    const shown = this.#taps.get(this.#shown ?? '');
    const tap = shown?.awaitsStubs ? shown : [...this.#taps.values()].find(({ awaitsStubs }) => awaitsStubs);
    if (tap === undefined) return;
    this.#stubRequestedAtMs = nowMs;
    tap.requestKeyFrame();
  }

  wantKey(): void {
    this.#keyWanted = true;
    this.#black.wantKey();
    if (this.#shown !== null) this.#taps.get(this.#shown)?.requestKeyFrame();
  }

  async settle(): Promise<void> {
    this.#handOn();
    await this.#black.settle();
  }

  async finish(endMs: number): Promise<void> {
    if (this.#current) this.#handOn();
    await this.#black.finish(this.#current && this.#isBlack ? endMs : null);
    this.#current = false;
    this.pass(null);
  }

  #take(id: string, video: TappedFrame): void {
    if (id === this.#next && video.key) {
      this.#shown = id;
      this.#next = null;
      this.#wantShown();
    }
    if (id === (this.#next ?? this.#shown)) {
      this.shownFrameAtMs = this.#ports.now();
      this.shownFrames += 1;
    }
    if (id !== this.#shown || !this.#current) return;
    this.#counts.received += 1;
    if (video.key) this.#keyTakenAtMs = this.#ports.now();
    const pageMs = video.pageMs + (this.#delayMs ?? 0);
    // Nobody needs what was to come before a key frame and is not over yet: another participant's last moments.
    if (video.key) this.#waiting = this.#waiting.filter((before) => before.pageMs < pageMs);
    this.#waiting.push({ ...video, pageMs });
    if (video.key && !this.#delivers) this.#announce(pageMs);
    if (this.#waiting.length > waitingMost) this.#lose(this.#waiting.splice(0).length);
    this.#handOn();
  }

  #announce(pageMs: number): void {
    const mediaMs = this.#time.at(pageMs);
    if (mediaMs !== null) this.#ports.announce(Math.round(mediaMs * 1_000));
  }

  /** Hands on what is due. */
  #handOn(): void {
    const nowMs = this.#ports.now();
    for (let next = this.#waiting[0]; next && next.pageMs <= nowMs; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#deliver(next);
    }
  }

  #deliver(video: TappedFrame): void {
    const mediaMs = this.#time.at(video.pageMs);
    if (mediaMs === null) {
      this.#counts.unrecorded += 1;
      this.#keyWanted = true;
      return;
    }
    if (this.#keyWanted && !video.key) {
      this.#counts.dropped += 1;
      return;
    }
    if (this.#ports.congested()) {
      this.#lose(1);
      return;
    }
    this.#keyWanted = false;
    this.#isBlack = false;
    if (video.avcC) this.#describe(video.avcC);
    this.#counts.encoded += 1;
    this.#delivers = true;
    this.#ports.deliver(Math.round(mediaMs * 1_000), video.key, video.bytes);
  }

  #lose(frames: number): void {
    this.#counts.dropped += frames;
    this.wantKey();
  }

  #turnBlack(): void {
    this.#shown = null;
    this.#waiting = [];
    this.#blackStands = true;
    if (this.#isBlack) return;
    this.#isBlack = true;
    this.#black.begin();
    this.#black.take(null, null);
  }

  #describe(description: Uint8Array): void {
    const before = this.#described;
    const same = before?.length === description.length && before.every((byte, index) => byte === description[index]);
    if (same) return;
    this.#described = description;
    this.#ports.describe(description);
  }
}

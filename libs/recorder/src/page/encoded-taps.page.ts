import type { PageVideo } from '@rapporteur/contracts';
import type { TransformGlobal } from './chromium-media.ts';
import type { EncodedKeeper } from './encoded-keeper.page.ts';
import type { EngineCommand, EngineEvent } from './messages.ts';

export interface EncodedTapsPorts {
  /** Where the engine works; null: in the page's own thread, which no frames can be tapped to. */
  worker(): Worker | null;
  send(command: EngineCommand): void;
  readonly keeper: EncodedKeeper;
}

type TapEvent = Extract<EngineEvent, { kind: 'encoded-refused' | 'encoded-passing' }>;
type Tappable = RTCRtpReceiver & { transform?: object | null };

interface Tap {
  readonly id: string;
  readonly transform: object;
  passed: (() => void) | null;
}

interface Facts {
  learnedAtMs: number;
  /** Of what comes now, in small letters; null until it is known. */
  mimeType: string | null;
  /** What held its pictures back so far, all together, and how many there were. */
  heldSeconds: number;
  heldPictures: number;
  /** How long it held back each of the latest; null until that is known. */
  delayMs: number | null;
  /** Why it can not be tapped. */
  refusal: string | null;
}

const copiedCodec = 'video/h264';
const factsEveryMs = 1_000;
const factsHoldMs = 5_000;
/** A sender that gives no key frame for so long leaves a decoder with what there is. */
const passMostMs = 1_500;

/** Taps receivers of the page before their decoders, and tells the engine which of them is seen. */
export class EncodedTaps {
  readonly #ports: EncodedTapsPorts;
  readonly #taps = new Map<RTCRtpReceiver, Tap>();
  readonly #facts = new Map<RTCRtpReceiver, Facts>();
  #shown: RTCRtpReceiver | null = null;
  /** Since when it is. Epoch ms. */
  sinceMs = 0;
  #number = 0;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(ports: EncodedTapsPorts) {
    this.#ports = ports;
  }

  /** Looks what a picture is sent as. After it, `available` knows. */
  async learn(video: PageVideo | null): Promise<void> {
    if (video?.receiver) await this.#learn(video.receiver);
  }

  /** Whether this picture can be copied as it comes; null while that is not known, and found out. */
  available({ receiver }: PageVideo): boolean | null {
    const { RTCRtpScriptTransform } = globalThis as TransformGlobal;
    if (receiver === null || this.#ports.worker() === null || !RTCRtpScriptTransform) return false;
    const facts = this.#facts.get(receiver);
    if (!facts || performance.now() - facts.learnedAtMs > factsHoldMs) void this.#learn(receiver);
    if (facts && facts.refusal !== null) return false;
    if (!this.#taps.has(receiver) && !this.#isFree(receiver)) return false;
    return facts?.mimeType ? facts.mimeType === copiedCodec : null;
  }

  /** @returns false when it can't be had in this way; null shows black */
  show(video: PageVideo | null): boolean {
    const receiver = video?.receiver ?? null;
    if (video !== null && receiver === null) return false;
    if (receiver !== null && !this.#taps.has(receiver) && !this.#tap(receiver)) return false;
    if (receiver === this.#shown && this.#timer !== null) return true;
    this.#shown = receiver;
    this.sinceMs = performance.timeOrigin + performance.now();
    this.#ports.send({ kind: 'encoded-shown', id: receiver === null ? null : (this.#taps.get(receiver)?.id ?? null) });
    this.#timer ??= setInterval(() => void this.#follow(), factsEveryMs);
    if (receiver !== null) this.#tellDelay(receiver);
    return true;
  }

  hear(event: TapEvent): void {
    const [receiver, tap] = [...this.#taps].find(([, { id }]) => id === event.id) ?? [];
    if (!receiver || !tap) return;
    if (event.kind === 'encoded-passing') tap.passed?.();
    else if (event.reason.includes('/')) this.#factsOf(receiver).mimeType = event.reason.toLowerCase();
    else this.#factsOf(receiver).refusal = event.reason;
  }

  /** Decoders get what comes again, and nothing is tapped any more. */
  async release(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#shown = null;
    const passed = [...this.#taps.values()].map((tap) => {
      const done = new Promise<void>((resolve) => (tap.passed = resolve));
      this.#ports.send({ kind: 'encoded-pass', id: tap.id });
      return done;
    });
    const late = new Promise((resolve) => setTimeout(resolve, passMostMs));
    await Promise.race([Promise.all(passed), late]);
    this.close();
  }

  /** The same at once: an engine is gone, and frames would go nowhere. */
  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#shown = null;
    for (const receiver of this.#taps.keys()) this.#untap(receiver);
  }

  #isFree(receiver: Tappable): boolean {
    return receiver.track.readyState === 'live' && this.#ports.keeper.keeps(receiver);
  }

  #tap(receiver: Tappable): boolean {
    const worker = this.#ports.worker();
    const { RTCRtpScriptTransform } = globalThis as TransformGlobal;
    if (!worker || !RTCRtpScriptTransform || !this.#isFree(receiver)) return false;
    this.#number += 1;
    const id = `tap-${this.#number}`;
    try {
      const transform = new RTCRtpScriptTransform(worker, { id });
      // A page that takes the frames in the older way does not let anybody else.
      receiver.transform = transform;
      this.#taps.set(receiver, { id, transform, passed: null });
      return true;
    } catch (error) {
      this.#factsOf(receiver).refusal = String(error);
      return false;
    }
  }

  #untap(receiver: Tappable): void {
    const tap = this.#taps.get(receiver);
    if (!tap) return;
    this.#taps.delete(receiver);
    tap.passed?.();
    if (receiver.transform === tap.transform) this.#ports.keeper.keep(receiver);
    this.#ports.send({ kind: 'encoded-gone', id: tap.id });
  }

  #factsOf(receiver: RTCRtpReceiver): Facts {
    const facts = this.#facts.get(receiver) ?? {
      learnedAtMs: -Infinity,
      mimeType: null,
      heldSeconds: 0,
      heldPictures: 0,
      delayMs: null,
      refusal: null,
    };
    this.#facts.set(receiver, facts);
    return facts;
  }

  async #follow(): Promise<void> {
    const receiver = this.#shown;
    for (const [tapped] of this.#taps) if (tapped.track.readyState === 'ended') this.#untap(tapped);
    if (receiver === null) return;
    await this.#learn(receiver);
    if (receiver === this.#shown) this.#tellDelay(receiver);
  }

  #tellDelay(receiver: RTCRtpReceiver): void {
    const { delayMs } = this.#factsOf(receiver);
    if (delayMs !== null) this.#ports.send({ kind: 'encoded-delay', delayMs });
  }

  async #learn(receiver: RTCRtpReceiver): Promise<void> {
    const facts = this.#factsOf(receiver);
    facts.learnedAtMs = performance.now();
    const report = await receiver.getStats().catch(() => null);
    report?.forEach((entry: Record<string, unknown>) => {
      if (entry['type'] !== 'inbound-rtp' || entry['kind'] !== 'video') return;
      const sentAs = report.get(entry['codecId'] as string) as { mimeType?: string } | undefined;
      facts.mimeType = sentAs?.mimeType?.toLowerCase() ?? facts.mimeType;
      const heldSeconds = Number(entry['jitterBufferDelay'] ?? 0);
      const heldPictures = Number(entry['jitterBufferEmittedCount'] ?? 0);
      const pictures = heldPictures - facts.heldPictures;
      if (pictures > 0) facts.delayMs = ((heldSeconds - facts.heldSeconds) / pictures) * 1_000;
      Object.assign(facts, { heldSeconds, heldPictures });
    });
  }
}

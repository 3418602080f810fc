import type { PageVideo } from '@rapporteur/contracts';
import type { EncodedKeeper } from './encoded-keeper.page.ts';
import type { EngineCommand, EngineEvent } from '../../messages.ts';

export interface EncodedTapsPorts {
  /** Where the engine works; null: in the page's own thread, which no frames can be tapped to. */
  worker(): Worker | null;
  send(command: EngineCommand): void;
  readonly keeper: EncodedKeeper;
}

type TapEvent = Extract<EngineEvent, { kind: 'encoded-refused' | 'encoded-passing' }>;

interface Facts {
  learnedAtMs: number;
  /** Of what comes now, in small letters; null until it is known. */
  mimeType: string | null;
  /** What held its frames back so far, all together, and how many there were. */
  heldSeconds: number;
  heldFrames: number;
  /** How long it held back each of the latest; null until that is known. */
  delayMs: number | null;
  /** Why what comes now cannot be copied. */
  refusal: string | null;
}

const copiedCodec = 'video/h264';
const factsEveryMs = 1_000;
const factsHoldMs = 5_000;
/** A sender that gives no key frame for so long leaves a decoder with what there is. */
const passMostMs = 1_500;
/** A look at the page waits no longer for key frames. */
const revealMostMs = 800;
/** Whoever looks and never says that he is done has seen enough by then. */
const revealedMostMs = 6_000;
/** What a receiver holds back comes to be seen so much later, at most, and is painted then. */
const heldMostMs = 400;
const paintedMs = 100;

/** Tells the engine which of the receivers is seen whose frames it has, and whether their decoders are to get them. */
export class EncodedTaps {
  readonly #ports: EncodedTapsPorts;
  readonly #facts = new Map<RTCRtpReceiver, Facts>();
  /** Decoders that got what comes again since that was requested. */
  readonly #passing = new Set<string>();
  #passRequestedAtMs = -Infinity;
  #onPassing: (() => void) | null = null;
  #shown: RTCRtpReceiver | null = null;
  /** Since when it is. Epoch ms. */
  sinceMs = 0;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(ports: EncodedTapsPorts) {
    this.#ports = ports;
  }

  /** Looks what a frame is sent as. After it, `available` knows. */
  async learn(video: PageVideo | null): Promise<void> {
    if (video?.receiver) await this.#learn(video.receiver);
  }

  /** Whether this video can be copied as it comes; null while that is not known, and found out. */
  available({ receiver }: PageVideo): boolean | null {
    if (receiver === null || this.#ports.worker() === null || this.#ports.keeper.idOf(receiver) === null) return false;
    const facts = this.#facts.get(receiver);
    if (!facts || performance.now() - facts.learnedAtMs > factsHoldMs) void this.#learn(receiver);
    if (facts && facts.refusal !== null) return false;
    return facts?.mimeType ? facts.mimeType === copiedCodec : null;
  }

  /** @returns false when it can't be had in this way; null shows black */
  show(video: PageVideo | null): boolean {
    const receiver = video?.receiver ?? null;
    const id = receiver === null ? null : this.#ports.keeper.idOf(receiver);
    if (video !== null && id === null) return false;
    if (receiver === this.#shown && this.#timer !== null) return true;
    this.#shown = receiver;
    this.sinceMs = performance.timeOrigin + performance.now();
    this.#ports.send({ kind: 'encoded-shown', id });
    this.#timer ??= setInterval(() => void this.#follow(), factsEveryMs);
    if (receiver !== null) this.#reportDelay(receiver);
    return true;
  }

  hear(event: TapEvent): void {
    if (event.kind === 'encoded-passing') {
      this.#passing.add(event.id);
      this.#onPassing?.();
      return;
    }
    const receiver = this.#ports.keeper.receiverOf(event.id);
    if (!receiver) return;
    this.#factsOf(receiver).refusal = event.reason;
    if (event.reason?.includes('/')) this.#factsOf(receiver).mimeType = event.reason.toLowerCase();
  }

  /** Decoders get what comes again. Resolves when that of what was seen does. */
  async release(): Promise<void> {
    const id = this.#shown === null ? null : this.#ports.keeper.idOf(this.#shown);
    this.close();
    this.#passRequestedAtMs = performance.now();
    await this.#pass(null, id === null ? [] : [id], passMostMs);
  }

  /** Decoders get what comes for some moments, or until `veil`. Resolves when the page shows it, or soon. */
  async reveal(): Promise<void> {
    if (this.#timer === null) return;
    const untilMs = performance.timeOrigin + performance.now() + revealedMostMs;
    await this.#pass(untilMs, this.#ports.keeper.ids(), revealMostMs);
    const { delayMs = null } = this.#shown === null ? {} : this.#factsOf(this.#shown);
    await new Promise((resolve) => setTimeout(resolve, Math.min(delayMs ?? heldMostMs, heldMostMs) + paintedMs));
  }

  veil(): void {
    if (this.#timer !== null) this.#ports.send({ kind: 'encoded-pass', untilMs: 0 });
  }

  /** Resolves when the decoders of these get what comes, or after so long. */
  async #pass(untilMs: number | null, ids: readonly string[], mostMs: number): Promise<void> {
    this.#passing.clear();
    const passed = new Promise<void>((resolve) => {
      this.#onPassing = () => {
        if (ids.every((id) => this.#passing.has(id))) resolve();
      };
    });
    this.#ports.send({ kind: 'encoded-pass', untilMs });
    const late = new Promise((resolve) => setTimeout(resolve, mostMs));
    await Promise.race([ids.length === 0 ? null : passed, late]);
    this.#onPassing = null;
  }

  /** Its decoder may still show what it got in place of the video. */
  veils(video: PageVideo | null): boolean {
    if (performance.now() - this.#passRequestedAtMs > passMostMs || !video?.receiver) return false;
    const id = this.#ports.keeper.idOf(video.receiver);
    return id !== null && !this.#passing.has(id);
  }

  /** Follows nothing any more. */
  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#shown = null;
  }

  #factsOf(receiver: RTCRtpReceiver): Facts {
    const facts = this.#facts.get(receiver) ?? {
      learnedAtMs: -Infinity,
      mimeType: null,
      heldSeconds: 0,
      heldFrames: 0,
      delayMs: null,
      refusal: null,
    };
    this.#facts.set(receiver, facts);
    return facts;
  }

  async #follow(): Promise<void> {
    const receiver = this.#shown;
    if (receiver === null) return;
    await this.#learn(receiver);
    if (receiver === this.#shown) this.#reportDelay(receiver);
  }

  #reportDelay(receiver: RTCRtpReceiver): void {
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
      const heldFrames = Number(entry['jitterBufferEmittedCount'] ?? 0);
      const frames = heldFrames - facts.heldFrames;
      if (frames > 0) facts.delayMs = ((heldSeconds - facts.heldSeconds) / frames) * 1_000;
      Object.assign(facts, { heldSeconds, heldFrames });
    });
  }
}

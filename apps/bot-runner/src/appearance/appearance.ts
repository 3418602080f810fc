import { doneWithin } from '@rapporteur/async';
import type { MeetingSession, BotImage } from '@rapporteur/meeting-platforms';
import type { AttendanceListener } from '../attendance/attendance-listener.ts';
import type { RunContext } from '../run-context.ts';

/** Status of the bot that determines its image. */
export type ImageStage = 'joined' | 'recording' | 'paused';

/** Which images each stage shows, best first: without a third one, a pause keeps the image of the recording. */
const statusImages: Readonly<Record<ImageStage, readonly number[]>> = {
  joined: [0],
  recording: [1, 0],
  paused: [2, 1, 0],
};

/** Number of images used of a list. */
export function usedImages(given: number, loopMode: 'auto' | 'bot_status'): number {
  return loopMode === 'bot_status' ? Math.min(given, 3) : given;
}

/** Selects the image to show, in rotation or by status. Missing images are skipped. Pure. */
export class ImageRotation {
  readonly #byStatus: boolean;
  readonly #available = new Set<number>();
  #stage: ImageStage = 'joined';
  #turn: number | null = null;

  constructor(loopMode: 'auto' | 'bot_status') {
    this.#byStatus = loopMode === 'bot_status';
  }

  /** Null: no image is available. */
  get current(): number | null {
    const [first] = this.#inOrder();
    if (!this.#byStatus) return this.#turn ?? first ?? null;
    return statusImages[this.#stage].find((image) => this.#available.has(image)) ?? first ?? null;
  }

  arrived(image: number): void {
    this.#available.add(image);
  }

  lost(image: number): void {
    this.#available.delete(image);
    if (this.#turn === image) this.#turn = null;
  }

  enter(stage: ImageStage): void {
    this.#stage = stage;
  }

  /** The next image, or the first one after the last. */
  next(): void {
    const { current } = this;
    const inOrder = this.#inOrder();
    this.#turn = inOrder.find((image) => current !== null && image > current) ?? inOrder[0] ?? null;
  }

  #inOrder(): number[] {
    return [...this.#available].toSorted((one, other) => one - other);
  }
}

/**
 * How long the join waits for the first image. Without one the bot may join without a camera; later images are shown.
 */
const firstImageWithinMs = 4_000;
const usualDurationSeconds = 30;

export interface AppearanceOptions {
  readonly images: readonly string[];
  /** Null: the defaults of the specification. */
  readonly config: { readonly loop_mode: 'auto' | 'bot_status'; readonly image_duration: number } | null;
}

export interface AppearancePorts extends Pick<RunContext, 'clock' | 'logger'> {
  /** The image of this address, ready to be shown. Rejects with a message for the log. */
  readonly load: (address: string, signal: AbortSignal) => Promise<BotImage>;
  /** Releases the resources of the loader. */
  readonly close: () => void;
}

/**
 * The images that the bot shows, in rotation or by status. They load while the meeting is prepared. An image that
 * cannot be loaded is skipped and never affects the meeting.
 */
export class Appearance implements AttendanceListener {
  readonly #ports: AppearancePorts;
  readonly #turns: ImageRotation;
  readonly #durationMs: number;
  readonly #cycles: boolean;
  readonly #images = new Map<number, BotImage>();
  readonly #ended = new AbortController();
  readonly #settled: Promise<void>;
  readonly #first = Promise.withResolvers<void>();
  #session: Pick<MeetingSession, 'showImage'> | null = null;
  #shown: number | null = null;
  #showing: Promise<void> = Promise.resolve();

  /** Begins to load the images. */
  constructor({ images, config }: AppearanceOptions, ports: AppearancePorts) {
    const loopMode = config?.loop_mode ?? 'auto';
    const used = images.slice(0, usedImages(images.length, loopMode));
    this.#ports = ports;
    this.#turns = new ImageRotation(loopMode);
    this.#cycles = loopMode === 'auto' && used.length > 1;
    this.#durationMs = (config?.image_duration ?? usualDurationSeconds) * 1_000;
    this.#settled = this.#loadAll(used);
  }

  /** Whether the bot needs a camera: false once no image can be shown. Resolves within 4 s. */
  async hasVideo(): Promise<boolean> {
    const decided = Promise.race([this.#first.promise, this.#settled]);
    return !(await doneWithin(decided, firstImageWithinMs, this.#ports.clock)) || this.#images.size > 0;
  }

  /** Shows the images in this session from now on. */
  appearIn(session: Pick<MeetingSession, 'showImage'>): void {
    this.#session = session;
    this.#show();
  }

  joined(): void {
    if (this.#cycles) void this.#cycle();
  }

  rejoined(): void {
    this.#shown = null;
    this.#show();
  }

  recordingStarted(): void {
    this.#enter('recording');
  }

  recordingPaused(): void {
    this.#enter('paused');
  }

  recordingResumed(): void {
    this.#enter('recording');
  }

  async over(): Promise<void> {
    this.#ended.abort(new Error('The attendance is over.'));
    this.#ports.close();
  }

  #enter(stage: ImageStage): void {
    this.#turns.enter(stage);
    this.#show();
  }

  async #loadAll(images: readonly string[]): Promise<void> {
    await Promise.all(images.map((address, image) => this.#load(address, image)));
    if (this.#images.size > 0 || this.#ended.signal.aborted) return;
    this.#ports.logger.warn({}, "None of the bot's images can be shown; it comes without an image.");
  }

  async #load(address: string, image: number): Promise<void> {
    try {
      const botImage = await this.#ports.load(address, this.#ended.signal);
      this.#images.set(image, botImage);
      this.#turns.arrived(image);
      this.#first.resolve();
      this.#show();
    } catch (error) {
      if (!this.#ended.signal.aborted) this.#leaveOut(image, (error as Error).message);
    }
  }

  /** The address belongs to the customer and may contain a secret: the log names the image by its index. */
  #leaveOut(image: number, why: string): void {
    this.#ports.logger.warn({ image: image + 1, why }, `Image ${image + 1} of the bot is left out. ${why}`);
  }

  async #cycle(): Promise<void> {
    const { clock } = this.#ports;
    const { signal } = this.#ended;
    for (let dueMs = clock.monotonic() + this.#durationMs; !signal.aborted; dueMs += this.#durationMs) {
      await clock.sleep(Math.max(0, dueMs - clock.monotonic()), signal).catch(() => undefined);
      if (signal.aborted) return;
      this.#turns.next();
      this.#show();
    }
  }

  /** In order: the image requested last is shown last. */
  #show(): void {
    this.#showing = this.#showing.then(() => this.#showCurrent()).catch(() => undefined);
  }

  async #showCurrent(): Promise<void> {
    const { current } = this.#turns;
    const botImage = current === null ? undefined : this.#images.get(current);
    if (this.#session === null || current === null || botImage === undefined) return;
    if (current === this.#shown || this.#ended.signal.aborted) return;
    this.#shown = current;
    this.#ports.logger.debug({ image: current + 1 }, `The bot shows image ${current + 1}.`);
    if (await this.#session.showImage(botImage)) return;
    this.#shown = null;
    this.#turns.lost(current);
    this.#leaveOut(current, 'The page does not show it.');
    this.#show();
  }
}

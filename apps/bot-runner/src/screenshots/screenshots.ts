import { platforms } from '@rapporteur/contracts';
import type { BotInvocation } from '@rapporteur/contracts';
import { doneWithin } from '@rapporteur/async';
import type { ReportBody } from '../reporting/reporter.ts';
import type { PutReceipt, PutObject } from '../upload/grant-store.ts';
import type { RunContext } from '../run-context.ts';

/** Why an image is taken; for the log. */
export type Moment = 'lobby' | 'admitted' | 'recording' | 'minute' | 'end';

export interface ScreenshotsOptions extends Pick<RunContext, 'report' | 'clock' | 'logger'> {
  readonly screenshot: (quality: number) => Promise<Buffer | null>;
  readonly uploads: { add(object: PutObject): Promise<PutReceipt | null> };
  readonly attempt: number;
  readonly everyMs?: number;
}

export const mostScreenshots = 500;
/** Attempts of one bot share a folder; each has at most this many images. */
const numbersPerAttempt = 1_000;
/** Target size of an image in bytes; its quality is adjusted. */
const wanted = { least: 25_000, most: 55_000 };
const quality = { first: 60, least: 25, most: 75, step: 10 };

/**
 * Small images of the meeting page, at the steps of a session and every minute of the call; none while it is paused.
 */
export class Screenshots {
  readonly #options: ScreenshotsOptions;
  readonly #stopping = new AbortController();
  readonly #storing = new Set<Promise<void>>();
  #quality = quality.first;
  #number = 0;
  #held = false;
  #turn: Promise<void> = Promise.resolve();
  #minutes: Promise<void> | null = null;

  constructor(options: ScreenshotsOptions) {
    this.#options = options;
  }

  /** Resolves when the image is taken or skipped. Never rejects. */
  take(moment: Moment): Promise<void> {
    this.#turn = this.#turn.then(() => this.#take(moment)).catch(() => undefined);
    return this.#turn;
  }

  /** Takes one every minute from now on. */
  start(): void {
    this.#minutes ??= this.#everyMinute();
  }

  /** Cancels one in progress, and takes none until `resume`. */
  hold(): void {
    this.#held = true;
  }

  resume(): void {
    this.#held = false;
  }

  /** Takes no more images, and reports none after it resolves: at the latest after `deadlineMs`. */
  async close(deadlineMs: number): Promise<void> {
    await doneWithin(
      this.#turn.then(() => Promise.all(this.#storing)),
      deadlineMs,
      this.#options.clock,
    );
    this.#stopping.abort();
    await this.#minutes;
  }

  async #everyMinute(): Promise<void> {
    const { clock, everyMs = 60_000 } = this.#options;
    while (!this.#stopping.signal.aborted) {
      await clock.sleep(everyMs, this.#stopping.signal).catch(() => undefined);
      if (!this.#stopping.signal.aborted) await this.take('minute');
    }
  }

  async #take(moment: Moment): Promise<void> {
    if (!this.#wanted()) return;
    const { clock, logger, attempt } = this.#options;
    const takenAt = new Date(clock.now()).toISOString();
    const bytes = await this.#options.screenshot(this.#quality);
    if (bytes === null || !this.#wanted()) return;
    this.#number += 1;
    const number = this.#number;
    const file = String((attempt - 1) * numbersPerAttempt + number).padStart(6, '0');
    const key = `screenshots/${file}.jpg`;
    logger.debug({ moment, number, bytes: bytes.length, quality: this.#quality }, 'A screenshot of the page is taken.');
    this.#adapt(bytes.length);
    const storing = this.#store({ kind: 'screenshot', number, key, takenAt }, bytes);
    this.#storing.add(storing);
    void storing.finally(() => this.#storing.delete(storing));
  }

  #wanted(): boolean {
    return !this.#held && !this.#stopping.signal.aborted && this.#number < mostScreenshots;
  }

  /** Pages differ: video of faces needs less quality for the same size than text. */
  #adapt(bytes: number): void {
    if (bytes > wanted.most) this.#quality = Math.max(quality.least, this.#quality - quality.step);
    if (bytes < wanted.least) this.#quality = Math.min(quality.most, this.#quality + quality.step);
  }

  async #store(report: Extract<ReportBody, { kind: 'screenshot' }>, bytes: Buffer): Promise<void> {
    const receipt = await this.#options.uploads.add({ key: report.key, content: { bytes }, contentType: 'image/jpeg' });
    if (receipt !== null && !this.#stopping.signal.aborted) this.#options.report(report);
  }
}

/** False for a bot that records only audio, which has no frame, and where the page shows no meeting. */
export function takesScreenshots({ configuration, meeting }: BotInvocation): boolean {
  return configuration.recording_mode !== 'audio_only' && platforms[meeting.platform].showsMeeting;
}

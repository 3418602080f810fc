import { appendFile } from 'node:fs/promises';
import { backoffMs } from '@rapporteur/async';
import { boundReport, runnerSubjects } from '@rapporteur/contracts';
import type { ReportBody, RunnerReport } from '@rapporteur/contracts';
import type { RunContext } from '../run-context.ts';

export type { ReportBody } from '@rapporteur/contracts';

/** The part of the bus that reports need. */
export interface ReportBus {
  publish(subject: string, message: object): Promise<void>;
}

export interface ReporterOptions extends Pick<RunContext, 'identity' | 'clock' | 'logger'> {
  readonly bus: ReportBus;
  readonly spool: ReportSpool;
  /** A report that is not confirmed yet is resent after this time, then after doubled ones up to 30 s. */
  readonly resendAfterMs?: number;
}

/**
 * Limits of waiting reports, beyond which none is added: a later list of participants is complete, and videos and chat
 * are in storage. All other kinds are never left out.
 */
const mostWaiting: Readonly<Partial<Record<ReportBody['kind'], number>>> = {
  participants: 200,
  screenshot: 200,
  'chat-message': 2_000,
};

/** A shorter outage of the bus, the scheduler or its database ends no bot: only its runner can report how it ended. */
const settleLimitMs = 30 * 60_000;
const settleLimitDrainingMs = 15_000;
const longestResendMs = 30_000;

/** Sends numbered reports in order, and resends them until the scheduler confirms that they are in its database. */
export class Reporter {
  readonly #options: ReporterOptions;
  readonly #resendAfterMs: number;
  readonly #waiting: { readonly report: RunnerReport; sentAtMs: number | null; sends: number }[] = [];
  readonly #stopping = new AbortController();
  #wake = new AbortController();
  #sequence = 0;
  #appliedSequence = 0;
  #silent = false;
  #loop: Promise<void> | undefined;

  constructor(options: ReporterOptions) {
    this.#options = options;
    this.#resendAfterMs = options.resendAfterMs ?? 4_000;
  }

  /** Reports that the scheduler has not confirmed. */
  get unapplied(): number {
    return this.#waiting.length;
  }

  /** True once the scheduler has everything up to a report's number. */
  isApplied(sequence: number): boolean {
    return this.#appliedSequence >= sequence;
  }

  /** The sequence number of the latest report; 0 before the first. */
  get sequence(): number {
    return this.#sequence;
  }

  /** True when every unconfirmed report reached the stream at least once. */
  get allSent(): boolean {
    return this.#waiting.every(({ sentAtMs }) => sentAtMs !== null);
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  report(body: ReportBody): void {
    if (this.#silent) return;
    if (this.#waiting.length >= (mostWaiting[body.kind] ?? Infinity)) {
      this.#options.logger.warn(
        { report: body.kind },
        'Too many reports wait for the scheduler; this one is left out.',
      );
      return;
    }
    this.#sequence += 1;
    const { identity, clock, spool, logger } = this.#options;
    const at = new Date(clock.now()).toISOString();
    const report = { ...boundReport(body), ...identity, sequence: this.#sequence, at } as RunnerReport;
    this.#waiting.push({ report, sentAtMs: null, sends: 0 });
    spool.append(report);
    logger.info(
      { report: body.kind, sequence: this.#sequence, ...('code' in body ? { status: body.code } : {}) },
      'Reporting to the scheduler.',
    );
    this.#wake.abort();
  }

  /** The scheduler has all reports up to this number. */
  applied(sequence: number): void {
    this.#appliedSequence = Math.max(this.#appliedSequence, sequence);
    while ((this.#waiting[0]?.report.sequence ?? Infinity) <= sequence) this.#waiting.shift();
    if (this.#waiting.length === 0) this.#wake.abort();
  }

  /** Nothing is sent from now on: another run reports for this bot. */
  silence(): void {
    this.#silent = true;
    this.#waiting.length = 0;
    this.#wake.abort();
  }

  /** @returns true once everything is applied, false after half an hour, or 15 s after `drain` is aborted */
  async settle(drain: AbortSignal): Promise<boolean> {
    const { clock } = this.#options;
    let untilMs = clock.monotonic() + settleLimitMs;
    let draining = false;
    while (this.#waiting.length > 0 && clock.monotonic() < untilMs) {
      if (drain.aborted && !draining) {
        draining = true;
        untilMs = Math.min(untilMs, clock.monotonic() + settleLimitDrainingMs);
      }
      await clock.sleep(50);
    }
    return this.#waiting.length === 0;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    await this.#options.spool.flush();
  }

  async #run(): Promise<void> {
    const { clock } = this.#options;
    while (!this.#stopping.signal.aborted) {
      this.#wake = new AbortController();
      const sent = await this.#sendDue();
      const pauseMs = sent ? this.#resendAfterMs : 1_000;
      if (this.#waiting.some(({ sentAtMs }) => sentAtMs === null) && sent) continue;
      await clock.sleep(pauseMs, AbortSignal.any([this.#stopping.signal, this.#wake.signal])).catch(() => undefined);
    }
  }

  /** In order, so that the scheduler never receives a report before the earlier ones were sent. */
  async #sendDue(): Promise<boolean> {
    const { bus, identity, clock, logger } = this.#options;
    // A copy: confirmations remove entries during the loop.
    for (const entry of this.#waiting.slice()) {
      if (this.#silent || this.#stopping.signal.aborted) return true;
      if (entry.sentAtMs !== null && clock.monotonic() - entry.sentAtMs < this.#pauseMs(entry.sends)) continue;
      try {
        await bus.publish(runnerSubjects.report(identity.botId), entry.report);
        entry.sentAtMs = clock.monotonic();
        entry.sends += 1;
      } catch (error) {
        logger.warn({ err: error, sequence: entry.report.sequence }, 'A report could not be sent; it is sent again.');
        return false;
      }
    }
    return true;
  }

  /** Repetitions at a fixed interval would keep a backlog of thousands of runners from ever becoming shorter. */
  #pauseMs(sends: number): number {
    return backoffMs(sends, { firstMs: this.#resendAfterMs, longestMs: longestResendMs });
  }
}

/** Keeps reports on the disk, one JSON line each, for an operator after a crash. */
interface ReportSpool {
  append(report: RunnerReport): void;
  /** Resolves when all lines are on disk. */
  flush(): Promise<void>;
}

export function createFileSpool(path: string, onError: (error: unknown) => void): ReportSpool {
  let writing: Promise<void> = Promise.resolve();
  return {
    append: (report) => {
      writing = writing.then(() => appendFile(path, `${JSON.stringify(report)}\n`, { mode: 0o600 })).catch(onError);
    },
    flush: () => writing,
  };
}

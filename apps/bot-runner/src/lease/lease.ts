import { leaseReply, runnerSubjects } from '@rapporteur/contracts';
import type { CommandResult } from '@rapporteur/contracts';
import type { Clock, Logger } from '@rapporteur/service-runtime/process';
import { z } from 'zod';
import type { RunIdentity } from '../identity.ts';

/** The part of the bus that a lease needs. */
export interface LeaseBus {
  request(subject: string, body: unknown, options: { readonly timeoutMs: number }): Promise<unknown>;
  onRing(subject: string, listener: () => void): { stop(): Promise<void> };
}

export interface LeaseListener {
  /** Reports up to this number are in the database. */
  applied(sequence: number): void;
  /** Somebody asked the bot to leave. Said once. */
  leaveRequested(): void;
  /** What customers ask of the bot: all that the scheduler has no result of, oldest first, each time. */
  commands(commands: readonly unknown[]): void;
  /** The right to attend and to write is gone for good. Said once. */
  lost(why: string): void;
}

export interface LeaseOptions {
  readonly identity: RunIdentity;
  readonly bus: LeaseBus;
  readonly renewEveryMs: number;
  readonly lostAfterMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly listener: LeaseListener;
  /** Of commands; sent along with each request. */
  readonly results: () => readonly CommandResult[];
}

const longestAnswerMs = 3_000;

/** A command of a newer kind must not cost a runner its lease: commands are read one by one. */
const anyCommands = leaseReply.extend({ commands: z.array(z.unknown()).default([]) });

/** This run's right to attend and to write, renewed every few seconds; the doorbell renews it at once. */
export class Lease {
  readonly #options: LeaseOptions;
  readonly #stopping = new AbortController();
  #wake: AbortController = new AbortController();
  #heldAtMs: number;
  #leaveTold = false;
  #lost = false;
  #silenceEndsIt = true;
  #doorbell: { stop(): Promise<void> } | undefined;
  #loop: Promise<void> | undefined;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#heldAtMs = options.clock.now();
  }

  get isLost(): boolean {
    return this.#lost;
  }

  start(): void {
    if (this.#loop !== undefined) return;
    const { bus, identity } = this.#options;
    this.#doorbell = bus.onRing(runnerSubjects.doorbell(identity.botId), () => this.renewNow());
    this.#loop = this.#run();
  }

  /** All is written and only reports wait: from now on it is lost only when the scheduler says so. */
  outlastSilence(): void {
    this.#silenceEndsIt = false;
  }

  /** Does not wait for the next beat. */
  renewNow(): void {
    this.#wake.abort();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#doorbell?.stop().catch(() => undefined);
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { clock, renewEveryMs } = this.#options;
    while (!this.#stopping.signal.aborted && !this.#lost) {
      this.#wake = new AbortController();
      await this.#renew();
      if (this.#lost) return;
      await clock
        .sleep(renewEveryMs, AbortSignal.any([this.#stopping.signal, this.#wake.signal]))
        .catch(() => undefined);
    }
  }

  async #renew(): Promise<void> {
    const { bus, identity, renewEveryMs, lostAfterMs, clock, logger, results } = this.#options;
    const { botId, attempt, fencing } = identity;
    try {
      const timeoutMs = Math.min(renewEveryMs, longestAnswerMs);
      const request = { botId, attempt, fencing, results: results() };
      const reply = anyCommands.parse(await bus.request(runnerSubjects.lease(botId), request, { timeoutMs }));
      if (this.#stopping.signal.aborted) return;
      if (!reply.held) return this.#lose('the scheduler gave the bot to another run, or ended it');
      this.#heldAtMs = clock.now();
      this.#options.listener.applied(reply.appliedSequence);
      if (reply.leaveRequested && !this.#leaveTold) {
        this.#leaveTold = true;
        this.#options.listener.leaveRequested();
      }
      this.#options.listener.commands(reply.commands);
    } catch (error) {
      const silentMs = clock.now() - this.#heldAtMs;
      logger.warn({ err: error, silentMs }, 'The lease could not be renewed.');
      if (silentMs >= lostAfterMs && this.#silenceEndsIt) this.#lose(`the scheduler gave no answer for ${silentMs} ms`);
    }
  }

  #lose(why: string): void {
    if (this.#lost || this.#stopping.signal.aborted) return;
    this.#lost = true;
    this.#options.logger.error({ why }, `The lease is lost: ${why}. Leaving without writing anything more.`);
    this.#options.listener.lost(why);
  }
}

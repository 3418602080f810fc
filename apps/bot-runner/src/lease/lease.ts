import { leaseReply, liveViewWanted, runnerSubjects } from '@rapporteur/contracts';
import type { CommandResult, LiveView } from '@rapporteur/contracts';
import { z } from 'zod';
import type { RunContext } from '../run-context.ts';

/** The part of the bus that a lease needs. */
export interface LeaseBus {
  request(subject: string, body: unknown, options: { readonly timeoutMs: number }): Promise<unknown>;
  onNotification(subject: string, listener: (body: unknown) => void): { stop(): Promise<void> };
}

export interface LeaseListener {
  /** Reports up to this number are in the database. */
  applied(sequence: number): void;
  /** A customer requested that the bot leaves. Called once. */
  leaveRequested(): void;
  /** Customers' commands: all that the scheduler has no result of, oldest first, each time. */
  commands(commands: readonly unknown[]): void;
  /** Another run is to replace this one. May be called again. */
  displaced(): void;
  /** The other run records: this one leaves, and reports no end. May be called again. */
  replaced(): void;
  /** The right to attend and to write is permanently lost. Called once. */
  lost(why: string): void;
}

export interface LeaseOptions extends Pick<RunContext, 'identity' | 'clock' | 'logger'> {
  readonly bus: LeaseBus;
  readonly renewEveryMs: number;
  readonly lostAfterMs: number;
  readonly listener: LeaseListener;
  /** The results of commands; each request contains them. */
  readonly results: () => readonly CommandResult[];
  /** Whether the machine of this run has no CPU for another one. */
  readonly late: () => boolean;
  readonly live: {
    /** The scheduler requests a live view. */
    wanted(): void;
    /** A view to send along once; null: none. */
    take(): LiveView | null;
  };
}

/** After this time the request goes to every instance of the scheduler: the one that NATS chose may hang. */
const firstResponseMs = 1_000;
const anyResponseMs = 3_000;
/** Pause before the next attempt once no instance responded. */
const retryMs = 1_000;

/** A command of an unknown kind must not cost a runner its lease: commands are parsed one by one. */
const anyCommands = leaseReply.extend({ commands: z.array(z.unknown()).default([]) });
type AnyReply = z.infer<typeof anyCommands>;

/** This run's right to attend and to write, renewed every few seconds, and at once on a notification. */
export class Lease {
  readonly #options: LeaseOptions;
  readonly #stopping = new AbortController();
  #wake: AbortController = new AbortController();
  #heldAtMs: number;
  #leaveReported = false;
  #lost = false;
  #endsOnDisconnection = true;
  #notification: { stop(): Promise<void> } | undefined;
  #loop: Promise<void> | undefined;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#heldAtMs = options.clock.monotonic();
  }

  get isLost(): boolean {
    return this.#lost;
  }

  start(): void {
    if (this.#loop !== undefined) return;
    const { bus, identity } = this.#options;
    this.#notification = bus.onNotification(runnerSubjects.notification(identity.botId), (body) => {
      if (liveViewWanted.safeParse(body).success) this.#options.live.wanted();
      else this.renewNow();
    });
    this.#loop = this.#run();
  }

  /** All data is written and only reports wait: from now on the lease ends only when the scheduler ends it. */
  outlastDisconnection(): void {
    this.#endsOnDisconnection = false;
  }

  /** Renews without waiting for the interval. */
  renewNow(): void {
    this.#wake.abort();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#notification?.stop().catch(() => undefined);
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { clock, renewEveryMs } = this.#options;
    while (!this.#stopping.signal.aborted && !this.#lost) {
      this.#wake = new AbortController();
      const renewed = await this.#renew();
      if (this.#lost) return;
      const pauseMs = renewed ? renewEveryMs : Math.min(renewEveryMs, retryMs);
      await clock.sleep(pauseMs, AbortSignal.any([this.#stopping.signal, this.#wake.signal])).catch(() => undefined);
    }
  }

  async #renew(): Promise<boolean> {
    const { lostAfterMs, clock, logger } = this.#options;
    try {
      const reply = await this.#request();
      if (!this.#stopping.signal.aborted) this.#take(reply);
      return true;
    } catch (error) {
      const silentMs = clock.monotonic() - this.#heldAtMs;
      logger.warn({ err: error, silentMs }, 'The lease could not be renewed.');
      if (silentMs >= lostAfterMs && this.#endsOnDisconnection)
        this.#lose(`the scheduler did not respond for ${silentMs} ms`);
      return false;
    }
  }

  /** Requests one instance of the scheduler, and all of them when it does not respond within a second. */
  async #request(): Promise<AnyReply> {
    const { bus, identity, renewEveryMs, results, late } = this.#options;
    const live = this.#options.live.take();
    const { botId, attempt, fencing } = identity;
    const request = {
      botId,
      attempt,
      fencing,
      results: results(),
      ...(late() ? { late: true } : {}),
      ...(live === null ? {} : { live }),
    };
    const sendRequest = async (subject: string, limitMs: number): Promise<AnyReply> =>
      anyCommands.parse(await bus.request(subject, request, { timeoutMs: Math.min(renewEveryMs, limitMs) }));
    try {
      return await sendRequest(runnerSubjects.lease(botId), firstResponseMs);
    } catch {
      this.#stopping.signal.throwIfAborted();
      return await sendRequest(runnerSubjects.leaseOfAny(botId), anyResponseMs);
    }
  }

  #take(reply: AnyReply): void {
    const { clock, listener } = this.#options;
    if (!reply.held) return this.#lose('the scheduler gave the bot to another run, or ended it');
    this.#heldAtMs = clock.monotonic();
    listener.applied(reply.appliedSequence);
    if (reply.leaveRequested && !this.#leaveReported) {
      this.#leaveReported = true;
      listener.leaveRequested();
    }
    if (reply.displaced === true) listener.displaced();
    if (reply.replaced === true) listener.replaced();
    listener.commands(reply.commands);
  }

  #lose(why: string): void {
    if (this.#lost || this.#stopping.signal.aborted) return;
    this.#lost = true;
    this.#options.logger.error({ why }, `The lease is lost: ${why}. Leaving without writing anything more.`);
    this.#options.listener.lost(why);
  }
}

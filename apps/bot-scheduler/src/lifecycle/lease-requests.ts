import { randomUUID } from 'node:crypto';
import { leaseRequest, liveViewSubject, runnerSubjects } from '@rapporteur/contracts';
import type { LeaseReply, LeaseRequest } from '@rapporteur/contracts';
import { withStorableText } from '@rapporteur/database';
import type { Executor } from '@rapporteur/database';
import { repeatUntilStopped } from '@rapporteur/service-runtime';
import type { Clock, Logger } from '@rapporteur/service-runtime';
import type { Bus } from '@rapporteur/event-bus';
import type { RequestBus, Context } from '../schema/context.ts';
import type { RecordingWindow } from './recording-window.ts';
import { renewLeases } from './leases.store.ts';

interface RenewalBatchesOptions {
  readonly database: Executor;
  readonly clock: Clock;
  readonly window: RecordingWindow;
  readonly logger: Logger;
  /** Concurrent statements: the connections reserved for renewals. */
  readonly concurrency: number;
  /** From the start of one batch to the start of the next; default 500. */
  readonly everyMs?: number;
}

/** Batches renewals: one statement per instance and half second. */
interface RenewalBatches {
  /** Resolves after the commit; with null when the renewal could not be recorded within some seconds. Never rejects. */
  renew(request: LeaseRequest): Promise<LeaseReply | null>;
  /** True once a batch that began after the call is committed; it may hold no renewal at all. Never rejects. */
  probe(): Promise<boolean>;
  /** Resolves when the batches in progress are done; waiting renewals are dropped. */
  stop(): Promise<void>;
}

interface Waiting {
  /** Null: a probe. */
  readonly request: LeaseRequest | null;
  readonly receivedMs: number;
  /** Null: it was not recorded. */
  settle(reply: LeaseReply | null): void;
}

const defaultEveryMs = 500;
const mostPerBatch = 5_000;
const mostWaiting = 20_000;
/** No runner waits longer: the sender of an older request may be gone. */
const longestWaitMs = 5_000;
/** The result of a probe. */
const recorded: LeaseReply = { held: false, appliedSequence: 0, leaveRequested: false, commands: [] };

const keyOf = ({ botId, attempt, fencing }: Pick<LeaseRequest, 'botId' | 'attempt' | 'fencing'>): string =>
  `${botId} ${attempt} ${fencing}`;

export function createRenewalBatches(options: RenewalBatchesOptions): RenewalBatches {
  return new TimedBatches(options);
}

class TimedBatches implements RenewalBatches {
  readonly #options: RenewalBatchesOptions;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #waiting: Waiting[] = [];
  /** Monotonic. */
  #beganMs = -Infinity;
  #planned: Promise<void> | undefined;
  #failing = false;

  constructor(options: RenewalBatchesOptions) {
    this.#options = options;
  }

  renew(request: LeaseRequest): Promise<LeaseReply | null> {
    return this.#add(request);
  }

  async probe(): Promise<boolean> {
    return (await this.#add(null)) !== null;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#planned;
    await Promise.all(this.#running);
    for (const { settle } of this.#waiting.splice(0)) settle(null);
  }

  #add(request: LeaseRequest | null): Promise<LeaseReply | null> {
    const { clock, window } = this.#options;
    if (this.#stopping.signal.aborted) return Promise.resolve(null);
    if (this.#waiting.length >= mostWaiting) {
      window.noteDropped();
      return Promise.resolve(null);
    }
    return new Promise((settle) => {
      this.#waiting.push({ request, receivedMs: clock.monotonic(), settle });
      this.#plan();
    });
  }

  #plan(): void {
    if (this.#waiting.length === 0 || this.#running.size >= this.#options.concurrency) return;
    this.#planned ??= this.#pause().then(() => {
      this.#planned = undefined;
      if (this.#stopping.signal.aborted) return;
      const batch = this.#write().finally(() => {
        this.#running.delete(batch);
        this.#plan();
      });
      this.#running.add(batch);
      this.#plan();
    });
  }

  async #pause(): Promise<void> {
    const { clock, everyMs = defaultEveryMs } = this.#options;
    const leftMs = this.#beganMs + everyMs - clock.monotonic();
    await clock.sleep(Math.max(0, leftMs), this.#stopping.signal).catch(() => undefined);
  }

  async #write(): Promise<void> {
    const { database, clock } = this.#options;
    const beganMs = clock.now();
    this.#beganMs = clock.monotonic();
    const batch = this.#take(this.#beganMs);
    try {
      const requests = [...newestOf(batch).values()];
      const renewed = await renewLeases(database, requests, new Date(beganMs));
      this.#noteRecorded(beganMs);
      const replies = new Map(renewed.map((row) => [keyOf(row), row.reply]));
      for (const waiting of batch) this.#settle(waiting, replies);
    } catch (error) {
      this.#noteFailure(error);
      for (const { settle } of batch) settle(null);
    }
  }

  #noteRecorded(beganMs: number): void {
    const { window, logger } = this.#options;
    window.noteRecorded(beganMs);
    if (this.#failing) logger.info({}, 'Lease renewals are recorded again.');
    this.#failing = false;
  }

  #noteFailure(error: unknown): void {
    if (!this.#failing) this.#options.logger.error({ err: error }, 'Lease renewals cannot be recorded; trying again.');
    this.#failing = true;
  }

  #take(nowMs: number): Waiting[] {
    const batch: Waiting[] = [];
    for (const waiting of this.#waiting.splice(0, mostPerBatch)) {
      if (nowMs - waiting.receivedMs <= longestWaitMs) batch.push(waiting);
      else waiting.settle(null);
    }
    return batch;
  }

  #settle(waiting: Waiting, replies: ReadonlyMap<string, LeaseReply | 'locked'>): void {
    const reply = waiting.request === null ? recorded : (replies.get(keyOf(waiting.request)) ?? null);
    // Another transaction is changing the lease: it is retried with the next batch.
    if (reply === 'locked') this.#waiting.push(waiting);
    else waiting.settle(reply);
  }
}

/** One request per lease: the newest has the newest results of commands. */
function newestOf(batch: readonly Waiting[]): Map<string, LeaseRequest> {
  const newest = new Map<string, LeaseRequest>();
  for (const { request } of batch) if (request !== null) newest.set(keyOf(request), request);
  return newest;
}

export interface HandleLeaseRequestsDependencies extends Pick<Context, 'database' | 'clock' | 'logger'> {
  /** Notifies the instance that waits for a live view. */
  readonly bus: RequestBus & Pick<Bus, 'notify'>;
  /** Maximum number of database connections for renewals. */
  readonly poolSize: number;
  readonly window: RecordingWindow;
  /** Pause between two probes of the renewal path. */
  readonly probeEveryMs: number;
}

const probeTimeoutMs = 3_000;

/**
 * Responds to every runner's renewals, and sends itself a probe through the bus and the database, so that the window of
 * recorded time continues while no runner renews. Throws for a body that is not a lease request or is on another bot's
 * subject.
 */
export function handleLeaseRequests({ bus, clock, probeEveryMs, ...dependencies }: HandleLeaseRequestsDependencies): {
  stop(): Promise<void>;
} {
  const batches = createRenewalBatches({ ...dependencies, clock, concurrency: dependencies.poolSize });
  const response =
    (subjectOf: (botId: string) => string) =>
    async (body: unknown, subject: string): Promise<LeaseReply | undefined> => {
      const { live, ...request } = leaseRequest.parse(withStorableText(body));
      // The runner's credential authorizes the subject; the body is untrusted.
      if (subject !== subjectOf(request.botId))
        throw new Error(`A lease request for bot ${request.botId} arrived on ${subject}.`);
      const reply = await batches.renew(request);
      if (live !== undefined && reply?.held === true) bus.notify(liveViewSubject(request.botId), live);
      return reply ?? undefined;
    };
  const own = `lease-probe.v1.${randomUUID()}`;
  const limit = mostWaiting;
  const replies = [
    bus.reply(runnerSubjects.lease('*'), response(runnerSubjects.lease), { limit }),
    bus.reply(runnerSubjects.leaseOfAny('*'), response(runnerSubjects.leaseOfAny), { limit, everyInstance: true }),
    bus.reply(own, async () => (await batches.probe()) || undefined),
  ];
  // A failed probe needs no handling: it is not recorded.
  const probe = () =>
    bus.request(own, null, { timeoutMs: probeTimeoutMs }).then(
      () => undefined,
      () => undefined,
    );
  const probing = repeatUntilStopped(clock, probeEveryMs, probe);
  return {
    stop: async () => {
      await Promise.all(replies.map((reply) => reply.stop()));
      await batches.stop();
      await probing.stop();
    },
  };
}

import type { Database } from '@rapporteur/database';
import type { Bus } from './bus.ts';
import type { BusLogger, Stoppable } from './ports.ts';
import { unsynced } from './unsynced.ts';

/** A consumer's confirmation to the owner of an event. May be lost: the event is redelivered and confirmed again. */
export interface Settlement {
  readonly id: string;
  readonly consumer: string;
  /** The consumer can never handle this event; the text states why. */
  readonly refusal?: string;
}

/** Core NATS subject on which consumers confirm events of a service's outbox, several at once. */
export function settledSubject(service: string): string {
  return `settled.v1.${service}`;
}

export interface SettlementDependencies {
  readonly database: Database;
  readonly bus: Bus;
  readonly service: string;
  readonly logger: BusLogger;
}

/** Far below the first pause between two notifications, so that batching causes no redelivery. */
const writeTogetherMs = 100;
/** Further ones are dropped: those events are redelivered. */
const largestBacklog = 20_000;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Receives confirmations and marks their events as settled, many with one statement. */
export class SettlementListener implements Stoppable {
  readonly #dependencies: SettlementDependencies;
  readonly #listening: Stoppable;
  #settled = new Map<string, Set<string>>();
  #backlog = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(dependencies: SettlementDependencies) {
    this.#dependencies = dependencies;
    const subject = settledSubject(dependencies.service);
    this.#listening = dependencies.bus.onNotification(subject, (body) => this.#receive(body), { shareAs: 'outbox' });
  }

  #receive(body: unknown): void {
    for (const item of Array.isArray(body) ? body : [body]) {
      const settlement = parse(item);
      if (settlement !== null && this.#backlog < largestBacklog) this.#note(settlement);
    }
  }

  #note({ id, consumer, refusal }: Settlement): void {
    if (refusal !== undefined) {
      this.#dependencies.logger.error(
        { eventId: id, consumer, refusal },
        'A consumer can never handle an event; it is put aside.',
      );
    }
    this.#settled.set(consumer, (this.#settled.get(consumer) ?? new Set()).add(id));
    this.#backlog += 1;
    this.#timer ??= setTimeout(() => this.#write(), writeTogetherMs);
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const settled = this.#settled;
    this.#settled = new Map();
    this.#backlog = 0;
    this.#writing = this.#writing.then(async () => {
      for (const [consumer, ids] of settled) await this.#mark(consumer, [...ids]);
    });
  }

  async #mark(consumer: string, ids: string[]): Promise<void> {
    const { database, logger } = this.#dependencies;
    try {
      await database.query(
        `update outbox set settled_by = array_append(settled_by, $1),
                settled_at = case when consumers <@ array_append(settled_by, $1) then now() end
           from ${unsynced}
          where id = any($2::uuid[]) and settled_at is null and not ($1 = any(settled_by))`,
        [consumer, ids],
      );
    } catch (error) {
      logger.warn(
        { err: error, consumer, events: ids.length },
        'Settled events could not be marked; they are published once more.',
      );
    }
  }

  async stop(): Promise<void> {
    await this.#listening.stop();
    this.#write();
    await this.#writing;
  }
}

function parse(body: unknown): Settlement | null {
  if (typeof body !== 'object' || body === null) return null;
  const { id, consumer, refusal } = body as { id?: unknown; consumer?: unknown; refusal?: unknown };
  if (typeof id !== 'string' || !uuid.test(id) || typeof consumer !== 'string') return null;
  return { id, consumer, ...(typeof refusal === 'string' ? { refusal } : {}) };
}

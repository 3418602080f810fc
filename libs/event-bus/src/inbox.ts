import { eventEnvelope } from '@rapporteur/contracts';
import type { EventDefinition, EventEnvelope } from '@rapporteur/contracts';
import type { Database, Executor } from '@rapporteur/database';
import { fail, Failure } from '@rapporteur/failures';
import type { Bus } from './bus.ts';
import type { MessageFacts } from './consumer.ts';
import { settledSubject } from './settlement.ts';
import type { Settlement } from './settlement.ts';

export interface InboxOptions {
  readonly database: Database;
  readonly bus: Bus;
  /** The consumer's name in event definitions. */
  readonly service: string;
}

export interface Inbox {
  /**
   * A handler for `bus.consume`: the work and the inbox row of its event commit together, so an event takes effect
   * once. Work that throws a Failure which is not retryable is rolled back and the event stored as refused: its owner
   * does not publish it again.
   */
  handle<T>(
    definition: EventDefinition<T>,
    work: (transaction: Executor, event: EventEnvelope<T>) => Promise<void>,
    wishes?: HandleWishes<T>,
  ): (message: unknown, facts: MessageFacts) => Promise<void>;
}

export interface HandleWishes<T> {
  /** Runs after the commit, also for a duplicate (notify the service's own outbox there). */
  readonly after?: () => void;
  /**
   * False: the work would change nothing, so the event is settled without a transaction or a row. Must be evaluated
   * after the event arrived, on data committed before it.
   */
  readonly concerns?: (event: EventEnvelope<T>) => Promise<boolean>;
}

const cleanEveryMs = 3_600_000;
const rowsRemovedAtOnce = 5_000;
/** Limit of the reason sent to the owner; the inbox has the whole. */
const longestRefusal = 2_000;

export function createInbox({ database, bus, service }: InboxOptions): Inbox {
  let cleanedAt = performance.now();
  const note = (executor: Executor, eventId: string, refusal: string | null): Promise<unknown[]> =>
    executor.query(
      'insert into inbox (consumer, event_id, refusal) values ($1, $2, $3) on conflict do nothing returning event_id',
      [service, eventId, refusal],
    );
  const settle = (facts: MessageFacts, id: string, refusal?: string): void => {
    if (facts.outbox === null) return;
    const settlement: Settlement = { id, consumer: service };
    const reported = refusal === undefined ? settlement : { ...settlement, refusal: refusal.slice(0, longestRefusal) };
    bus.notifyBatched(settledSubject(facts.outbox), reported);
  };
  /**
   * Rows are kept longer than a message on the bus, so that a late one still finds its row. A failure costs only space.
   */
  const clean = async (): Promise<void> => {
    if (performance.now() - cleanedAt < cleanEveryMs) return;
    cleanedAt = performance.now();
    await database
      .query(
        `delete from inbox where (consumer, event_id) in
           (select consumer, event_id from inbox where handled_at < now() - interval '14 days' limit $1)`,
        [rowsRemovedAtOnce],
      )
      .catch(() => undefined);
  };
  return {
    handle: (definition, work, { after, concerns } = {}) => {
      /** False when the event was ignored. */
      const act = async (message: unknown, id: string): Promise<boolean> => {
        const read = concerns === undefined ? null : parse(message, definition);
        if (read !== null && concerns !== undefined && !(await concerns(read))) return false;
        await database.transaction(async (transaction) => {
          const fresh = await note(transaction, id, null);
          if (fresh.length > 0) await work(transaction, read ?? parse(message, definition));
        });
        return true;
      };
      return async (message, facts) => {
        const id = idOf(message, definition);
        let acted: boolean;
        try {
          acted = await act(message, id);
        } catch (error) {
          if (error instanceof Failure && !error.retryable) {
            await note(database, id, error.message);
            settle(facts, id, error.message);
          }
          throw error;
        }
        settle(facts, id);
        if (acted) after?.();
        await clean();
      };
    },
  };
}

function idOf<T>(message: unknown, definition: EventDefinition<T>): string {
  const envelope = eventEnvelope.safeParse(message);
  if (envelope.success) return envelope.data.id;
  throw fail('VALIDATION', { message: `A message on ${definition.type} is no event: ${envelope.error.message}` });
}

function parse<T>(message: unknown, definition: EventDefinition<T>): EventEnvelope<T> {
  const envelope = eventEnvelope.parse(message);
  const data = definition.heard.safeParse(envelope.data);
  if (data.success) return { ...envelope, data: data.data };
  throw fail('VALIDATION', { message: `An event does not fit ${definition.type}: ${data.error.message}` });
}

import { eventEnvelope } from '@rapporteur/contracts';
import type { EventDefinition, EventEnvelope } from '@rapporteur/contracts';
import { together } from '@rapporteur/async';
import { prepared } from '@rapporteur/database';
import type { Database, Executor } from '@rapporteur/database';
import { fail, Failure } from '@rapporteur/failures';
import type { Bus } from './bus.ts';
import type { MessageFacts } from './consumer.ts';
import { traceAsText } from './message-trace.ts';
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
    options?: HandleOptions<T>,
  ): Handler;
  /** The same for many events: those that wait are one transaction. Where it fails, each gets one of its own. */
  handleMany<T>(definition: EventDefinition<T>, work: ManyWork<T>, options?: HandleOptions<T>): Handler;
}

export type ManyWork<T> = (transaction: Executor, events: readonly TracedEvent<T>[]) => Promise<void>;

export type Handler = (message: unknown, facts: MessageFacts) => Promise<void>;

/** An event with the trace in which it arrived; null: none. */
export type TracedEvent<T> = EventEnvelope<T> & { readonly trace: string | null };

export interface HandleOptions<T> {
  /** Runs after the commit, also for a duplicate (notify the service's own outbox there). */
  readonly after?: () => void;
  /**
   * False: the work would change nothing, so the event is settled without a transaction or a row. Must be evaluated
   * after the event arrived, on data committed before it.
   */
  readonly concerns?: (event: EventEnvelope<T>) => Promise<boolean>;
}

const noteSql = prepared(`insert into inbox (consumer, event_id, refusal)
  select $1, event_id, $3 from unnest($2::uuid[]) as event_id order by event_id on conflict do nothing returning event_id`);
/** Events of one transaction. */
const mostAtOnce = 50;
const cleanEveryMs = 3_600_000;
const rowsRemovedAtOnce = 5_000;
/** Limit of the reason sent to the owner; the inbox has the whole. */
const longestRefusal = 2_000;

export function createInbox({ database, bus, service }: InboxOptions): Inbox {
  let cleanedAt = performance.now();
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
  /** @param commit stores an event and its effects, once */
  const handlerOf = <T>(
    definition: EventDefinition<T>,
    { after, concerns }: HandleOptions<T>,
    commit: (arrived: Arrived<T>) => Promise<void>,
  ): Handler => {
    /** False when the event was ignored. */
    const act = async (message: unknown, id: string): Promise<boolean> => {
      const read = concerns === undefined ? null : parse(message, definition);
      if (read !== null && concerns !== undefined && !(await concerns(read))) return false;
      await commit({ id, event: () => read ?? parse(message, definition), trace: traceAsText() });
      return true;
    };
    return async (message, facts) => {
      const id = idOf(message, definition);
      let acted: boolean;
      try {
        acted = await act(message, id);
      } catch (error) {
        if (error instanceof Failure && !error.retryable) {
          await note(database, service, [id], error.message);
          settle(facts, id, error.message);
        }
        throw error;
      }
      settle(facts, id);
      if (acted) after?.();
      await clean();
    };
  };
  return {
    handle: (definition, work, options = {}) =>
      handlerOf(definition, options, ({ id, event }) =>
        database.transaction(async (transaction) => {
          const fresh = await note(transaction, service, [id]);
          if (fresh.length > 0) await work(transaction, event());
        }),
      ),
    handleMany: (definition, work, options = {}) =>
      handlerOf(definition, options, commitTogether({ database, service, work })),
  };
}

/** Each run is one transaction of the events that wait. */
function commitTogether<T>({
  database,
  service,
  work,
}: Pick<InboxOptions, 'database' | 'service'> & { readonly work: ManyWork<T> }): (
  arrived: Arrived<T>,
) => Promise<void> {
  return together(mostAtOnce, async (arrived: readonly Arrived<T>[]) => {
    await database.transaction(async (transaction) => {
      const ids = arrived.map(({ id }) => id);
      const fresh = new Set((await note(transaction, service, ids)).map(({ event_id }) => event_id));
      // The second of two with one id is a duplicate.
      const events = arrived.filter(({ id }) => fresh.delete(id));
      if (events.length === 0) return;
      await work(
        transaction,
        events.map(({ event, trace }) => ({ ...event(), trace })),
      );
    });
    return [];
  });
}

/** @returns those that are new */
function note(
  executor: Executor,
  consumer: string,
  eventIds: readonly string[],
  refusal: string | null = null,
): Promise<{ event_id: string }[]> {
  return executor.query(noteSql, [consumer, eventIds, refusal]);
}

interface Arrived<T> {
  readonly id: string;
  /** Throws VALIDATION. */
  readonly event: () => EventEnvelope<T>;
  readonly trace: string | null;
}

function idOf<T>(message: unknown, definition: EventDefinition<T>): string {
  const envelope = eventEnvelope.safeParse(message);
  if (envelope.success) return envelope.data.id;
  throw fail('VALIDATION', { message: `A message on ${definition.type} is no event: ${envelope.error.message}` });
}

function parse<T>(message: unknown, definition: EventDefinition<T>): EventEnvelope<T> {
  const envelope = eventEnvelope.parse(message);
  const data = definition.accepted.safeParse(envelope.data);
  if (data.success) return { ...envelope, data: data.data };
  throw fail('VALIDATION', { message: `An event does not fit ${definition.type}: ${data.error.message}` });
}

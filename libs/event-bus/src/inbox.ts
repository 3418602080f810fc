import { fail } from '@rapporteur/failures';
import { eventEnvelope } from '@rapporteur/contracts';
import type { EventDefinition, EventEnvelope } from '@rapporteur/contracts';
import type { Database, Executor } from '@rapporteur/database';
import type { Bus } from './bus.ts';
import type { MessageFacts } from './consumer.ts';
import { settledSubject } from './outbox.ts';

export interface InboxOptions {
  readonly database: Database;
  readonly bus: Bus;
  /** The consumer's name, as event definitions list it. */
  readonly service: string;
}

export interface Inbox {
  /**
   * A handler for `bus.consume`: the work and the note that this event was handled commit together, so the same event
   * never acts twice. `after` runs once the commit is done, also for a duplicate (ring the own outbox there).
   */
  handle<T>(
    definition: EventDefinition<T>,
    work: (transaction: Executor, event: EventEnvelope<T>) => Promise<void>,
    after?: () => void,
  ): (message: unknown, facts: MessageFacts) => Promise<void>;
}

export function createInbox({ database, bus, service }: InboxOptions): Inbox {
  return {
    handle: (definition, work, after) => async (message, facts) => {
      const event = parse(definition, message);
      await database.transaction(async (transaction) => {
        const fresh = await transaction.query(
          'insert into inbox (consumer, event_id) values ($1, $2) on conflict do nothing returning event_id',
          [service, event.id],
        );
        if (fresh.length > 0) await work(transaction, event);
      });
      if (facts.outbox !== null) bus.ring(settledSubject(facts.outbox), { id: event.id, consumer: service });
      after?.();
    },
  };
}

function parse<T>(definition: EventDefinition<T>, message: unknown): EventEnvelope<T> {
  const envelope = eventEnvelope.safeParse(message);
  const data = definition.data.safeParse(envelope.data?.data);
  if (!envelope.success || !data.success) {
    throw fail('VALIDATION', { message: `An event does not fit ${definition.type}: ${(envelope.error ?? data.error)?.message ?? ''}` });
  }
  return { ...envelope.data, data: data.data };
}

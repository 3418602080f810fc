import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { defineEvent } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { createTestDatabase, testNats, waitFor } from '@rapporteur/testbed';
import type { TestDatabase } from '@rapporteur/testbed';
import { z } from 'zod';
import { connectBus, createInbox, createOutbox } from '../index.ts';
import type { Bus, HandleOptions, Outbox } from '../index.ts';
import { recordingLogger } from './recording-logger.ts';
import { openServiceDatabase, unsettledIn } from './service-database.ts';

const shape = z.object({ number: z.int() });
export const oneListener = defineEvent('bots.v1.numbered', ['listener'], shape);
export const twoListeners = defineEvent('bots.v1.shared', ['listener', 'archive'], shape);
export const withoutConsumer = defineEvent('bots.v1.unconsumed', [], shape);

interface Effect {
  readonly id: string;
  readonly data: { readonly number: number };
}
type Work = (transaction: Pick<Database, 'query'>, event: Effect) => Promise<void>;

/**
 * A service that owns events and one that consumes them, each with a database, and one connection to the bus; new for
 * each test.
 */
export class OutboxHarness {
  readonly stops: (() => Promise<void>)[] = [];
  #server: TestDatabase | undefined;
  #owner: Database | undefined;
  #listener: Database | undefined;
  #bus: Bus | undefined;
  logger = recordingLogger();

  get owner(): Database {
    return there(this.#owner);
  }

  get listener(): Database {
    return there(this.#listener);
  }

  get bus(): Bus {
    return there(this.#bus);
  }

  async open(): Promise<void> {
    this.#server = await createTestDatabase();
    this.#owner = await openServiceDatabase(this.#server.url, 'owner');
    this.#listener = await openServiceDatabase(this.#server.url, 'listener');
  }

  async next(): Promise<void> {
    for (const database of [this.owner, this.listener]) await database.query('truncate outbox, inbox, effects');
    this.logger = recordingLogger();
    const bus = await connectBus({ url: testNats().url, name: 'outbox test', logger: this.logger });
    this.#bus = bus;
    await bus.ensureStreams();
    this.stops.push(() => bus.close());
  }

  async clear(): Promise<void> {
    for (const stop of this.stops.splice(0).toReversed()) await stop();
  }

  async close(): Promise<void> {
    await this.#owner?.close();
    await this.#listener?.close();
    await this.#server?.drop();
  }

  startOutbox(settings: Partial<Parameters<typeof createOutbox>[0]> = {}): Outbox {
    const { owner: database, bus, logger } = this;
    const outbox = createOutbox({ database, bus, service: 'owner', logger, ...settings });
    outbox.start();
    this.stops.push(() => outbox.stop());
    return outbox;
  }

  /** Writes each event's number once per commit of its work. */
  async startListener(
    definition = oneListener,
    service = 'listener',
    work: Work = noteEffect,
    options: HandleOptions<{ number: number }> = {},
  ): Promise<void> {
    const inbox = createInbox({ database: this.listener, bus: this.bus, service });
    const consumer = await this.bus.consume({
      consumer: service,
      subject: definition.type,
      handle: inbox.handle(definition, (transaction, event) => work(transaction, event), options),
    });
    this.stops.push(() => consumer.stop());
  }

  async effects(): Promise<number[]> {
    const rows = await this.listener.query<{ number: number }>('select number from effects order by number');
    return rows.map((row) => row.number);
  }

  settled(): Promise<unknown> {
    return waitFor(async () => (await unsettledIn(this.owner)) === 0, { what: 'every event to be settled' });
  }
}

export async function noteEffect(transaction: Pick<Database, 'query'>, event: Effect): Promise<void> {
  await transaction.query('insert into effects (event_id, number) values ($1, $2)', [event.id, event.data.number]);
}

/** A harness for the tests of this file. */
export function useOutboxHarness(): OutboxHarness {
  const harness = new OutboxHarness();
  beforeAll(() => harness.open());
  beforeEach(() => harness.next());
  afterEach(() => harness.clear());
  afterAll(() => harness.close());
  return harness;
}

function there<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('The rig is not open yet.');
  return part;
}

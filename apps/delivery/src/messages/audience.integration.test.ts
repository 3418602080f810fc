import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { botStatusChanged } from '@rapporteur/contracts';
import { connectBus } from '@rapporteur/event-bus';
import type { Bus } from '@rapporteur/event-bus';
import { createLogger } from '@rapporteur/service-runtime';
import { waitFor } from '@rapporteur/testbed';
import { envelope, statusChanged } from '../testing/bot-events.ts';
import { startDeliveryUnderTest, startSurroundings } from '../testing/delivery-under-test.ts';
import type { Surroundings } from '../testing/delivery-under-test.ts';
import { startReceiver } from '@rapporteur/testbed/receiver';
import type { Receiver } from '@rapporteur/testbed/receiver';
import { createAudience } from './audience.ts';

let surroundings: Surroundings;
let instances: { url: string; stop(): Promise<boolean> }[];
let receiver: Receiver;
let bus: Bus;
/** Ids of events that delivery reported as settled. */
const settled = new Set<string>();

beforeAll(async () => {
  surroundings = await startSurroundings();
  instances = await Promise.all([startDeliveryUnderTest(surroundings), startDeliveryUnderTest(surroundings)]);
  receiver = await startReceiver();
  const url = surroundings.environment['RAPPORTEUR_BUS_URL'] ?? '';
  bus = await connectBus({ url, name: 'test', logger: createLogger('test', 'silent') });
  bus.onNotification('settled.v1.test', (items) => {
    for (const { id } of items as { id: string }[]) settled.add(id);
  });
});
afterAll(async () => {
  await bus.close();
  await receiver.close();
  await Promise.all(instances.map((instance) => instance.stop()));
  await surroundings.stop();
});

/** Publishes so many steps of a bot at once and resolves once all are settled. */
async function reportSteps(
  teamId: string,
  count: number,
  legacy: { webhookUrl: string } | null = null,
): Promise<string[]> {
  const events = Array.from({ length: count }, (_, index) =>
    envelope(botStatusChanged.type, statusChanged(teamId, { sequence: index + 1, legacy }), randomUUID()),
  );
  await Promise.all(events.map((event) => bus.publish(event.type, event, { outbox: 'test' })));
  await waitFor(() => events.every(({ id }) => settled.has(id)), { what: 'every step to be settled' });
  return events.map(({ id }) => id);
}

const notesOf = (ids: readonly string[]) =>
  surroundings.database.query('select event_id from inbox where event_id = any($1::uuid[])', [ids]);

test('an event without a subscriber is settled without a row, and the first one after a new endpoint is delivered', async () => {
  const teamId = randomUUID();
  const before = await reportSteps(teamId, 20);
  expect(await notesOf(before)).toEqual([]);
  const [first, second] = instances;
  // Any instance may receive a step; each sees the endpoint once its creation has responded.
  await surroundings.api(first?.url ?? '', teamId).endpoint(`${receiver.url}/first`);
  const after = await reportSteps(teamId, 20);
  expect(await notesOf(after)).toHaveLength(20);
  await surroundings.api(second?.url ?? '', teamId).endpoint(`${receiver.url}/chat`, { events: ['bot.chat_message'] });
  await waitFor(() => receiver.calls.length === 20, { what: 'every step at the endpoint' });
  expect(new Set(receiver.calls.map(({ path }) => path))).toEqual(new Set(['/first']));
});

test("a legacy bot's own address gets webhooks although its team has no endpoint", async () => {
  const calls = receiver.calls.length;
  const [id = ''] = await reportSteps(randomUUID(), 1, { webhookUrl: `${receiver.url}/own` });
  expect(await notesOf([id])).toHaveLength(1);
  await waitFor(() => receiver.calls.length === calls + 1, { what: 'the call' });
  expect(receiver.calls.at(-1)?.path).toBe('/own');
});

test('many requests are one statement, each with the result for its own team and event, and all fail together', async () => {
  const [listening, deaf] = [randomUUID(), randomUUID()];
  await surroundings.api(instances[0]?.url ?? '', listening).endpoint(receiver.url, { events: ['bot.completed'] });
  let statements = 0;
  let broken = false;
  const audience = createAudience({
    query: (sql, values) => {
      statements += 1;
      return broken ? Promise.reject(new Error('away')) : surroundings.database.query(sql, values);
    },
  });
  const responses = await Promise.all([
    audience.isSubscribed(listening, 'bot.completed'),
    audience.isSubscribed(listening, 'bot.status_change'),
    audience.isSubscribed(deaf, 'bot.completed'),
  ]);
  expect(responses).toEqual([true, false, false]);
  expect(statements).toBe(1);
  broken = true;
  const failing = await Promise.allSettled([
    audience.isSubscribed(deaf, 'bot.failed'),
    audience.isSubscribed(deaf, 'bot.failed'),
  ]);
  expect(failing.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  broken = false;
  expect(await audience.isSubscribed(listening, 'bot.completed')).toBe(true);
});

import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createTestDatabase } from '@rapporteur/testbed';
import { openDeliveryDatabase } from '../schema/open-delivery-database.ts';
import { redactAttemptsSql } from './forgotten-bots.store.ts';
import { attemptsOfSql } from './message-history.store.ts';

const fillSql = `
  with endpoint as (
    insert into webhook_endpoints (endpoint_id, team_id, url, events, enabled, secret, created_at, updated_at)
    select gen_random_uuid(), gen_random_uuid(), 'https://example.com', '{bot.completed}', true, '', now(), now()
      from generate_series(1, 20) returning endpoint_id
  ), message as (
    insert into messages (message_id, team_id, bot_id, event, body, created_at)
    select 'msg_' || n, gen_random_uuid(), case when n <= 20 then $1::uuid else gen_random_uuid() end, 'bot.completed', '', now()
      from generate_series(1, 2000) as n returning message_id
  ), delivery as (
    insert into deliveries (delivery_id, endpoint_id, message_id, partition, state, tries, attempts, created_at, settled_at)
    select gen_random_uuid(), endpoint_id, message_id, endpoint_id, 'failed', 1, 1, now(), now() from endpoint, message returning delivery_id
  )
  insert into attempts (attempt_id, delivery_id, number, outcome, response_body, started_at, duration_ms)
  select gen_random_uuid(), delivery_id, 1, 'failed', 'no', now(), 1 from delivery`;

test('attempts of a bot or a message are found without reading all there are', async () => {
  const server = await createTestDatabase(openDeliveryDatabase);
  const database = await openDeliveryDatabase(server.url, 2);
  const botId = randomUUID();
  await database.query(fillSql, [botId]);
  await database.query('analyze');
  const statements: [string, unknown[]][] = [
    [redactAttemptsSql, [botId]],
    [attemptsOfSql, ['msg_1', null]],
  ];
  for (const [sql, values] of statements) {
    const explained = await database.query(`explain (format json) ${sql}`, values);
    const plan = JSON.stringify(explained);
    expect(plan).toContain('attempts_number');
    expect(plan).not.toMatch(/"Seq Scan"[^{}]*"Relation Name":"attempts"/);
  }
  await database.query(redactAttemptsSql, [botId]);
  const kept = await database.query('select 1 from attempts where response_body is null');
  expect(kept).toHaveLength(400);
  await database.close();
  await server.drop();
});

import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { FakeClock } from '@rapporteur/async/testing';
import type { Database } from '@rapporteur/database';
import type { OutboundRequest } from '@rapporteur/outbound-http';
import { createLogger, Secret } from '@rapporteur/service-runtime';
import { useBotsDatabase } from '../testing/suite-database.ts';
import { addNotice, sendNotices } from './operator-notices.ts';

let database: Database;
useBotsDatabase((opened) => void (database = opened));

test('a notice is signed, repeated with growing pauses until it is accepted, and dropped after a day', async () => {
  const clock = new FakeClock();
  const key = randomBytes(32);
  const sent: OutboundRequest[] = [];
  let status = 500;
  const http = {
    request: async (request: OutboundRequest) => {
      sent.push(request);
      return { status, headers: {}, bodyPrefix: Buffer.alloc(0), durationMs: 1 };
    },
  };
  const secret = new Secret(`whsec_${key.toString('base64')}`);
  const logger = createLogger('notices', 'silent');
  const send = () =>
    sendNotices({ database, http, url: 'https://ops.example', secret, now: () => clock.now(), logger });
  const add = () => addNotice(database, { event: 'canary.ended', data: { canary: 'meet' } }, new Date(clock.now()));

  await add();
  await send();
  await send();
  expect(sent).toHaveLength(1);
  const [{ headers, body }] = sent as [OutboundRequest];
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${(body as Buffer).toString()}`;
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  expect(JSON.parse((body as Buffer).toString())).toMatchObject({ event: 'canary.ended', data: { canary: 'meet' } });

  await clock.advance(15_000);
  await send();
  await clock.advance(15_000);
  await send();
  expect(sent).toHaveLength(2);
  await clock.advance(15_000);
  status = 204;
  await send();
  await clock.advance(3_600_000);
  await send();
  expect(sent).toHaveLength(3);

  status = 500;
  await add();
  await clock.advance(86_400_001);
  await send();
  expect(await database.query('select from operator_notices')).toEqual([]);
});

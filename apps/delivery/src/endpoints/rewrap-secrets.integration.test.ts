import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '@rapporteur/database';
import { createSecretBox } from '@rapporteur/secret-box';
import { createLogger } from '@rapporteur/service-runtime';
import { FakeClock } from '@rapporteur/async/testing';
import { createTestDatabase, waitFor } from '@rapporteur/testbed';
import { openDeliveryDatabase } from '../schema/open-delivery-database.ts';
import type { EndpointRow } from '../schema/entities.ts';
import { createEndpointSecrets } from './endpoint-secrets.ts';
import type { EndpointSecrets, SealedSecrets } from './endpoint-secrets.ts';
import { createEndpoints } from './endpoints.store.ts';
import type { EndpointWithSecret } from './endpoints.store.ts';
import { keepSecretsRewrapped, rewrapSecrets } from './rewrap-secrets.ts';

const key = (): string => randomBytes(32).toString('base64');
const [old, young] = [key(), key()];
const clock = new FakeClock();
const logger = createLogger('test', 'silent');
let server: Awaited<ReturnType<typeof createTestDatabase>>;
let database: Database;
beforeAll(async () => {
  server = await createTestDatabase(openDeliveryDatabase);
  database = await openDeliveryDatabase(server.url, 8);
});
afterAll(async () => {
  await database.close();
  await server.drop();
});

const secretsWith = (current: string, former: string[] = []): EndpointSecrets =>
  createEndpointSecrets(createSecretBox({ current, former }));
const endpointsWith = (secrets: EndpointSecrets) => createEndpoints(database, secrets, () => clock.now());
const wanted = {
  url: 'https://example.com/',
  name: null,
  events: ['bot.failed'],
  enabled: true,
  format: 'v2',
  headers: { authorization: 'Bearer canary' },
} as const;
const sealedOf = (row: EndpointRow): SealedSecrets => ({
  endpointId: row.endpoint_id,
  teamId: row.team_id,
  secret: row.secret,
  previousSecret: row.previous_secret,
  previousSecretExpiresAt: row.previous_secret_expires_at,
});

describe('a new secret key', () => {
  test('takes over every secret while they are read and rotated, and then needs the old one no more', async () => {
    const first = endpointsWith(secretsWith(old));
    const made: EndpointWithSecret[] = [];
    for (let count = 0; count < 450; count += 1) made.push(await first.create(randomUUID(), wanted));
    const both = secretsWith(young, [old]);
    const rotating = endpointsWith(both);
    const known = new Map(made.map(({ endpoint, secret }) => [endpoint.endpoint_id, secret]));
    const load = async (): Promise<void> => {
      for (const { endpoint } of made.filter((_each, index) => index % 9 === 0)) {
        const rotated = await rotating.rotateSecret(endpoint.team_id, endpoint.endpoint_id);
        known.set(endpoint.endpoint_id, rotated.secret);
        const row = await rotating.get(endpoint.team_id, endpoint.endpoint_id);
        expect(both.forSigning(sealedOf(row), clock.now())).toHaveLength(2);
      }
    };
    const dependencies = { database, secrets: both, clock, logger };
    await Promise.all([load(), rewrapSecrets(dependencies)]);
    await rewrapSecrets(dependencies);
    expect(await rewrapSecrets(dependencies)).toEqual({ rewrapped: 0, unreadable: 0 });
    const alone = secretsWith(young);
    const rows = await database.query<EndpointRow>('select * from webhook_endpoints');
    expect(rows).toHaveLength(450);
    for (const row of rows) {
      expect(alone.forSigning(sealedOf(row), clock.now())[0]).toBe(known.get(row.endpoint_id));
      expect(alone.openHeaders({ ...sealedOf(row), headers: row.headers })).toEqual(wanted.headers);
    }
  });

  test('leaves what opens with no key, and a rotation makes it good', async () => {
    const teamId = randomUUID();
    const { endpoint } = await endpointsWith(secretsWith(key())).create(teamId, wanted);
    const secrets = secretsWith(young);
    expect(await rewrapSecrets({ database, secrets, clock, logger })).toEqual({ rewrapped: 0, unreadable: 1 });
    const endpoints = endpointsWith(secrets);
    const rotated = await endpoints.rotateSecret(teamId, endpoint.endpoint_id);
    expect(rotated.endpoint.previous_secret_expires_at).toBeNull();
    const row = await endpoints.get(teamId, endpoint.endpoint_id);
    expect(secrets.forSigning(sealedOf(row), clock.now())).toEqual([rotated.secret]);
  });

  test('is brought in by a loop that also forgets secrets whose overlap is over', async () => {
    const teamId = randomUUID();
    const { endpoint } = await endpointsWith(secretsWith(young)).create(teamId, wanted);
    await endpointsWith(secretsWith(young)).rotateSecret(teamId, endpoint.endpoint_id);
    await clock.advance(25 * 3_600_000);
    const running = keepSecretsRewrapped({
      database,
      secrets: secretsWith(young),
      clock,
      logger,
      hasFormerKeys: true,
    });
    await waitFor(
      async () => {
        const row = await endpointsWith(secretsWith(young)).get(teamId, endpoint.endpoint_id);
        return row.previous_secret === null && row.previous_secret_expires_at === null;
      },
      { what: 'the previous secret to go' },
    );
    await running.stop();
    await running.stop();
  });
});

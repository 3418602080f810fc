import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase, serviceProcesses, testNats } from '@rapporteur/testbed';
import type { TestDatabase } from '@rapporteur/testbed';
import { openIdentity } from './identity/open-identity.ts';
import { startStubOwner } from './testing/stub-owner.ts';
import type { StubOwner } from './testing/stub-owner.ts';

const adminToken = 'an admin token of more than thirty-two characters';
const processes = serviceProcesses(join(import.meta.dirname, 'main.ts'));
const opened: { database?: TestDatabase; scheduler?: StubOwner } = {};
afterAll(async () => {
  await processes.killAll();
  await opened.scheduler?.stop();
  await opened.database?.drop();
});

describe('the gateway process', () => {
  test('starts, serves a team made over the admin API, keeps keys out of its log and stops cleanly', async () => {
    opened.database = await createTestDatabase();
    opened.scheduler = await startStubOwner();
    opened.scheduler.response = {
      status: 201,
      body: { success: true, data: { bot_id: '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11' } },
    };
    const service = await processes.start({
      RAPPORTEUR_PORT: '0',
      RAPPORTEUR_ADMIN_PORT: '0',
      RAPPORTEUR_ADMIN_TOKEN: adminToken,
      RAPPORTEUR_DATABASE_URL: opened.database.url,
      RAPPORTEUR_BUS_URL: testNats().url,
      RAPPORTEUR_INTERNAL_SECRET: 'x'.repeat(40),
      RAPPORTEUR_BOT_SCHEDULER_URL: `${opened.scheduler.url}/`,
      RAPPORTEUR_CALENDAR_SYNC_URL: 'http://127.0.0.1:1',
      RAPPORTEUR_DELIVERY_URL: 'http://127.0.0.1:1',
      RAPPORTEUR_SSO_IDP_URL: 'http://127.0.0.1:1',
      RAPPORTEUR_STORAGE_CONFIG_URL: 'http://127.0.0.1:1',
    });
    const { output } = service;
    const [admin = '', url = ''] = service.urls;
    expect({ admin, output: output() }).toMatchObject({ admin: expect.stringMatching(/^http/) });

    const made = await fetch(`${admin}/admin/v1/teams`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: '{"name":"First team"}',
    });
    const { data } = (await made.json()) as { data: { api_key: string } };
    const created = await fetch(`${url}/v2/bots`, {
      method: 'POST',
      headers: { 'x-service-api-key': data.api_key, 'content-type': 'application/json' },
      body: '{"bot_name":"Rapporteur","meeting_url":"https://meet.google.com/abc-defg-hij"}',
    });
    expect(created.status).toBe(201);
    expect(await (await fetch(`${url}/health/ready`)).json()).toEqual({ ready: true });
    expect(await (await fetch(`${admin}/health/ready`)).json()).toMatchObject({ checks: { database: 'ok' } });
    expect((await fetch(`${url}/admin/v1/teams`)).status).toBe(404);
    const requested = { headers: { 'x-service-api-key': data.api_key } };
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    expect((await fetch(`${url}/metrics`, requested)).status).toBe(404);
    expect(await (await fetch(`${admin}/metrics`)).text()).toMatch(/route="\/v2\/bots",status="201"/);

    expect(await service.end('SIGTERM')).toBe(0);
    expect(output()).toMatch(/"route":"\/v2\/bots","status":201.*"teamId":/);
    expect(output()).not.toContain(data.api_key);
    const [row] = await readUse(opened.database.url);
    expect(row?.used).toBe(true);
  });
});

/** Output of the process while stopping. */
async function readUse(url: string): Promise<{ used: boolean }[]> {
  const database = await openIdentity(url);
  try {
    return await database.query<{ used: boolean }>('select last_used_at is not null as used from api_keys');
  } finally {
    await database.close();
  }
}

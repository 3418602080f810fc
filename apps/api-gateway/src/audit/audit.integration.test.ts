import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FakeClock } from '@rapporteur/async/testing';
import { createLogger, createService } from '@rapporteur/service-runtime';
import { waitFor } from '@rapporteur/testbed';
import { gatewayMetrics } from '../metrics.ts';
import { AuditLog } from './audit-log.ts';
import { insertEntries } from './audit.store.ts';
import { send, startEdge } from '../testing/gateway-under-test.ts';
import type { Edge } from '../testing/gateway-under-test.ts';
import type { ListedEntry } from './audit.store.ts';

let edge: Edge;
let url: string;
beforeAll(async () => {
  edge = await startEdge();
  edge.scheduler.response = {
    status: 404,
    body: {
      success: false,
      error: 'Not Found',
      code: 'FST_ERR_NOT_FOUND',
      statusCode: 404,
      message: 'There is no such bot.',
      details: null,
    },
  };
  url = await edge.startGateway();
});
afterAll(() => edge.stop());

async function newTeam() {
  const teamId = await edge.createTeam();
  const key = await edge.createKey(teamId, 'full');
  const log = async (query = '') => {
    const { status, body } = await send('get', `${url}/v2/audit-log${query}`, { key });
    return {
      status,
      ...(body as unknown as { data: ListedEntry[]; cursor: string | null; prev_cursor: string | null }),
    };
  };
  const logged = (count: number) =>
    waitFor(
      async () => {
        const { data } = await log();
        return data.length >= count && data;
      },
      { what: `${count} entries` },
    );
  return { teamId, key, log, logged };
}

describe('the audit log', () => {
  test('has every change with its key, target, outcome and request', async () => {
    const { key, logged } = await newTeam();
    const botId = randomUUID();
    await send('post', `${url}/v2/bots/${botId}/leave`, { key, headers: { 'x-request-id': 'the-request' } });
    expect(await logged(1)).toEqual([
      {
        entry_id: expect.any(String),
        at: expect.stringMatching(/Z$/),
        key_id: expect.stringMatching(/^[\da-f-]{36}$/),
        user: null,
        user_id: null,
        action: 'leaveBot',
        target: { bot_id: botId },
        status: 404,
        request_id: 'the-request',
      },
    ]);
  });

  test('has a read of one object once, and no poll of a status, no list and no preflight', async () => {
    const { key, logged } = await newTeam();
    const botId = randomUUID();
    for (const path of ['/v2/bots', `/v2/bots/${botId}/status`, `/v2/bots/${botId}`, `/v2/bots/${botId}`])
      await send('get', `${url}${path}`, { key });
    await send('post', `${url}/v2/bots/preflight`, {
      key,
      body: { bot_name: 'Guest', meeting_url: 'https://meet.google.com/abc-defg-hij' },
    });
    await send('get', `${url}/v2/bots/${randomUUID()}`, { key });
    const entries = await logged(2);
    expect(entries.map(({ action }) => action)).toEqual(['getBot', 'getBot']);
  });

  test('is paged in both directions, and refuses a cursor of another list', async () => {
    const { key, log, logged } = await newTeam();
    for (let count = 0; count < 3; count += 1) await send('post', `${url}/v2/bots/${randomUUID()}/leave`, { key });
    const all = await logged(3);
    const first = await log('?limit=2');
    expect(first.data).toEqual(all.slice(0, 2));
    const second = await log(`?limit=2&cursor=${encodeURIComponent(first.cursor ?? '')}`);
    expect(second.data).toEqual(all.slice(2));
    const back = await log(`?limit=2&cursor=${encodeURIComponent(second.prev_cursor ?? '')}`);
    expect(back.data).toEqual(first.data);
    expect((await log('?cursor=nonsense')).status).toBe(400);
  });

  test('is filtered by action, key, user and time, and refuses a time that is none', async () => {
    const { teamId, key, log, logged } = await newTeam();
    const other = await edge.createKey(teamId, 'full');
    const user = { id: randomUUID(), name: 'Ada % Lovelace <ada@example.com>', role: 'member' as const };
    const authorization = await edge.authorizationOf(teamId, user);
    await send('post', `${url}/v2/bots/${randomUUID()}/leave`, { key });
    await send('post', `${url}/v2/bots/${randomUUID()}/pause-recording`, { key: other });
    await send('post', `${url}/v2/bots/${randomUUID()}/leave`, { headers: { authorization } });
    const [newest, middle, oldest] = await logged(3);
    const found = async (query: string) => (await log(query)).data.map(({ entry_id: id }) => id);
    expect(await found('?action=pauseBotRecording')).toEqual([middle?.entry_id]);
    expect(await found(`?key_id=${oldest?.key_id}`)).toEqual([oldest?.entry_id]);
    expect(await found('?user=ada%20%25%20l')).toEqual([newest?.entry_id]);
    expect(await found(`?user=${user.id.toUpperCase()}`)).toEqual([newest?.entry_id]);
    expect(newest).toMatchObject({ user: user.name, user_id: user.id });
    expect(await found('?user=x%25')).toEqual([]);
    expect(await found(`?after=${middle?.at}&before=${newest?.at}`)).toEqual([middle?.entry_id]);
    expect((await log('?after=yesterday')).status).toBe(400);
  });

  test('is of one team only', async () => {
    const one = await newTeam();
    await send('post', `${url}/v2/bots/${randomUUID()}/leave`, { key: one.key });
    await one.logged(1);
    expect((await (await newTeam()).log()).data).toEqual([]);
  });

  test('goes on after a request whose parameters no database stores', async () => {
    const { key, log } = await newTeam();
    for (const id of ['%00', 'a%00b', `${'a'.repeat(199)}%F0%9F%98%80`])
      await send('get', `${url}/v2/bots/${id}`, { key });
    await send('post', `${url}/v2/bots/${randomUUID()}/leave`, { key });
    const entries = await waitFor(
      async () => {
        const { data } = await log();
        return data.some(({ action }) => action === 'leaveBot') && data;
      },
      { what: 'the last entry' },
    );
    expect(entries.map(({ target }) => target['bot_id'])).toEqual(
      expect.arrayContaining(['', 'ab', `${'a'.repeat(199)}\ufffd`]),
    );
  });

  test('records a read again after ten minutes, also when the time of day was set back meanwhile', async () => {
    const clock = new FakeClock(Date.now());
    const service = createService({ name: 'api-gateway', logger: createLogger('api-gateway', 'silent') });
    const written: string[] = [];
    const audit = new AuditLog({
      write: async (entries) => void written.push(...entries.map(({ action }) => action)),
      clock,
      logger: service.logger,
      metrics: service.metrics.declare(gatewayMetrics),
    });
    const { teamId } = await newTeam();
    const read = { teamId, keyId: null, user: null, userId: null, target: {}, status: 200, requestId: 'r' };
    audit.noteRead({ ...read, action: 'a' });
    clock.correct(-3_600_000);
    await clock.advance(600_000);
    audit.noteRead({ ...read, action: 'a' });
    await audit.stop();
    expect(written).toEqual(['a', 'a']);
  });

  test('drops alone what the database refuses, counts it, and keeps its values out of the log', async () => {
    const lines: string[] = [];
    const log = new Writable({ write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()) });
    const service = createService({ name: 'api-gateway', logger: createLogger('api-gateway', 'info', log) });
    const audit = new AuditLog({
      write: (entries) => insertEntries(edge.database, entries),
      clock: service.clock,
      logger: service.logger,
      metrics: service.metrics.declare(gatewayMetrics),
    });
    const { teamId, log: list } = await newTeam();
    const entry = { keyId: null, user: null, userId: null, action: 'a', target: {}, status: 200, requestId: 'r' };
    audit.note({ ...entry, teamId });
    audit.note({ ...entry, teamId: 'no-uuid-the-canary' });
    audit.note({ ...entry, teamId, target: { name: '\0the-canary' } });
    audit.note({ ...entry, teamId, action: 'b' });
    await audit.stop();
    expect((await list()).data.map(({ action }) => action).toSorted()).toEqual(['a', 'b']);
    expect((await service.metrics.render()).text).toMatch(/rapporteur_audit_entries_dropped_total\S* 2/);
    expect(lines.join('')).toContain('22P0');
    expect(
      lines.filter((line) => JSON.stringify((JSON.parse(line) as { err: unknown }).err).includes('canary')),
    ).toEqual([]);
  });
});

import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { JetStreamManager } from '@nats-io/jetstream';
import { connect, credsAuthenticator } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { runnerSubjects } from '@rapporteur/contracts';
import { freePort, startOwnNats, waitFor } from '@rapporteur/testbed';
import type { OwnNats } from '@rapporteur/testbed';
import { connectBus, createCredentialIssuer, openBusAuthority, runnerInboxPrefix } from './index.ts';
import type { Bus, BusAuthority } from './index.ts';
import { recordingLogger } from './testing/recording-logger.ts';

const folder = mkdtempSync(join(tmpdir(), 'rapporteur-authority-'));
const logger = recordingLogger();
const own = randomUUID();
const other = randomUUID();
const stops: (() => Promise<unknown>)[] = [];
let authority: BusAuthority;
let server: OwnNats;
let services: Bus;

beforeAll(async () => {
  authority = await openBusAuthority(folder);
  server = await startOwnNats({ authConfig: authority.serverConfig });
  services = await connectBus({
    url: server.url,
    credentials: authority.serviceCredentials,
    name: 'services',
    logger,
  });
  await services.ensureStreams();
});
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});
afterAll(async () => {
  await services.close();
  await server.remove();
  rmSync(folder, { recursive: true });
});

const credentialsOf = (botId: string, lifetimeSeconds = 600): Promise<string> =>
  createCredentialIssuer(authority.accountSeed).forBot(botId, lifetimeSeconds);

async function connectRunner(botId: string): Promise<Bus> {
  const bus = await connectBus({
    url: server.url,
    credentials: await credentialsOf(botId),
    inboxPrefix: runnerInboxPrefix(botId),
    name: `runner ${botId}`,
    logger,
  });
  stops.push(() => bus.close());
  return bus;
}

/** A runner's credential with another client. */
async function connectThief(botId: string): Promise<{ connection: NatsConnection; refusals: string[] }> {
  const connection = await connect({
    servers: server.url,
    authenticator: credsAuthenticator(new TextEncoder().encode(await credentialsOf(botId))),
    inboxPrefix: runnerInboxPrefix(botId),
  });
  const refusals: string[] = [];
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === 'error') refusals.push(status.error.message);
    }
  })();
  stops.push(() => connection.close());
  return { connection, refusals };
}

/** Public key of the account that issued a user's credentials. */
function accountOf(credentials: string): string {
  const claims = /^eyJ[\w-]+\.([\w-]+)\./m.exec(credentials)?.[1] ?? '';
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { iss: string }).iss;
}

/** JetStream in the services' account. */
async function ownersManager(): Promise<JetStreamManager> {
  const connection = await connect({
    servers: server.url,
    authenticator: credsAuthenticator(new TextEncoder().encode(authority.serviceCredentials)),
  });
  stops.push(() => connection.close());
  return jetstreamManager(connection);
}

describe('the keys of an installation', () => {
  test('are made once, kept for this user alone, and survive a restart of everything', async () => {
    const again = await openBusAuthority(folder);
    expect(again.accountSeed).toBe(authority.accountSeed);
    expect(statSync(join(folder, 'authority.json')).mode & 0o777).toBe(0o600);
    const bus = await connectBus({ url: server.url, credentials: again.serviceCredentials, name: 'later', logger });
    await bus.ensureStreams();
    await bus.close();
  });

  test('are never in the configuration of nats-server', () => {
    const seeds = Object.values(JSON.parse(readFileSync(join(folder, 'authority.json'), 'utf8')) as object) as string[];
    expect(seeds).toHaveLength(5);
    for (const seed of seeds) expect(authority.serverConfig).not.toContain(seed);
  });

  test("have the services' account loaded before any client connects, also when no stream is stored", async () => {
    const port = await freePort();
    const fresh = await startOwnNats({ authConfig: `${authority.serverConfig}\nhttp: 127.0.0.1:${port}` });
    stops.push(() => fresh.remove());
    const { accounts } = (await (await fetch(`http://127.0.0.1:${port}/accountz`)).json()) as { accounts: string[] };
    expect(accounts).toContain(accountOf(authority.serviceCredentials));
  });

  test('keep out who has none, or those of another installation', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'rapporteur-authority-'));
    stops.push(async () => rmSync(elsewhere, { recursive: true }));
    const stranger = await openBusAuthority(elsewhere);
    for (const credentials of [{}, { credentials: stranger.serviceCredentials }]) {
      await expect(connectBus({ url: server.url, ...credentials, name: 'stranger', logger })).rejects.toThrow(
        /did not accept the connection/,
      );
    }
  });
});

describe('a credential of a bot', () => {
  test('lets its runner report, renew its lease and receive its notifications', async () => {
    const runner = await connectRunner(own);
    const reports: unknown[] = [];
    const consumer = await services.consume({
      consumer: 'reports',
      subject: runnerSubjects.report('*'),
      handle: async (message) => void reports.push(message),
    });
    stops.push(() => consumer.stop());
    const lease = services.reply(runnerSubjects.lease('*'), async (body, subject) => ({ body, subject }));
    stops.push(() => lease.stop());
    const token = services.reply(runnerSubjects.joinToken('*'), async (body, subject) => ({ body, subject }));
    stops.push(() => token.stop());
    let notifications = 0;
    runner.onNotification(runnerSubjects.notification(own), () => (notifications += 1));
    await runner.publish(runnerSubjects.report(own), { sequence: 1 }, { messageId: 'one' });
    await waitFor(() => reports.length === 1, { what: 'the report' });
    await expect(runner.request(runnerSubjects.lease(own), { fencing: 3 }, { timeoutMs: 20_000 })).resolves.toEqual({
      body: { fencing: 3 },
      subject: runnerSubjects.lease(own),
    });
    await expect(runner.request(runnerSubjects.joinToken(own), { fencing: 3 }, { timeoutMs: 20_000 })).resolves.toEqual(
      {
        body: { fencing: 3 },
        subject: runnerSubjects.joinToken(own),
      },
    );
    services.notify(runnerSubjects.notification(own));
    await waitFor(() => notifications === 1, { what: 'the notification' });
  });

  test('publishes nothing but the reports, lease requests and token questions of its bot', async () => {
    const subjects: string[] = [];
    const subscriber = await connect({
      servers: server.url,
      authenticator: credsAuthenticator(new TextEncoder().encode(authority.serviceCredentials)),
    });
    stops.push(() => subscriber.close());
    subscriber.subscribe('>', { callback: (_error, message) => void subjects.push(message.subject) });
    await subscriber.flush();
    const { connection, refusals } = await connectThief(own);
    const forbidden = [
      runnerSubjects.report(other),
      runnerSubjects.lease(other),
      runnerSubjects.joinToken(other),
      runnerSubjects.notification(own),
      `${runnerSubjects.report(own)}.more`,
      'bots.v1.status-changed',
      'bots.v1.ended',
      'identity.v1.tokens-granted',
      'settled.v1.bot-scheduler',
      `${runnerInboxPrefix(other)}.x`,
      '_INBOX.x',
      '$SYS.REQ.SERVER.PING',
    ];
    for (const subject of forbidden) connection.publish(subject, '{}');
    connection.publish(runnerSubjects.lease(own), '{}');
    await waitFor(() => subjects.includes(runnerSubjects.lease(own)), { what: 'the one that is allowed' });
    expect(subjects.filter((subject) => forbidden.includes(subject))).toEqual([]);
    await waitFor(() => refusals.length === forbidden.length, { what: 'every refusal' });
  });

  test('receives nothing but its notifications and its own replies', async () => {
    const { connection, refusals } = await connectThief(own);
    const forbidden = [
      '>',
      'bots.v1.>',
      runnerSubjects.report('*'),
      runnerSubjects.notification(other),
      runnerSubjects.notification('*'),
      runnerSubjects.lease(own),
      runnerSubjects.joinToken(own),
      `${runnerInboxPrefix(other)}.>`,
      '_INBOX.>',
      '$JS.API.>',
    ];
    const subjects: string[] = [];
    for (const subject of forbidden) {
      connection.subscribe(subject, { callback: (error, message) => void (error ?? subjects.push(message.subject)) });
    }
    await waitFor(() => refusals.length === forbidden.length, { what: 'every refusal' });
    await services.publish(runnerSubjects.report(other), { sequence: 1 });
    services.notify(runnerSubjects.notification(other));
    await connection.flush();
    expect(subjects).toEqual([]);
  });

  test('cannot look into, change or delete anything of JetStream', async () => {
    const { connection, refusals } = await connectThief(own);
    const manager = await jetstreamManager(connection, { checkAPI: false, timeout: 300 });
    const attempts: (() => Promise<unknown>)[] = [
      () => manager.getAccountInfo(),
      () => manager.streams.info('BOTS'),
      () => manager.streams.delete('BOTS'),
      () => manager.streams.purge('BOTS'),
      () => manager.streams.purge('RUNNERS'),
      () => manager.streams.getMessage('BOTS', { seq: 1 }),
      () => manager.streams.add({ name: 'MINE', subjects: ['mine'] }),
      () => manager.consumers.add('BOTS', { durable_name: 'mine' }),
      () => manager.consumers.delete('BOTS', 'reports'),
      () => jetstream(connection, { timeout: 300 }).consumers.get('BOTS', 'reports'),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toThrow();
    expect(refusals.length).toBeGreaterThanOrEqual(attempts.length);
    await services.ensureStreams();
  });

  test('gets neither JetStream nor a service to act for it by naming a command as the place for the response', async () => {
    const { connection } = await connectThief(own);
    const manager = await ownersManager();
    await services.publish('bots.v1.ended', { kept: true });
    const ended = async (): Promise<number> =>
      (await manager.streams.info('BOTS', { subjects_filter: 'bots.v1.ended' })).state.subjects?.['bots.v1.ended'] ?? 0;
    const before = await ended();
    expect(before).toBeGreaterThan(0);
    const commands = [
      '$JS.API.STREAM.PURGE.RUNNERS',
      '$JS.API.STREAM.PURGE.BOTS',
      '$JS.API.STREAM.DELETE.BOTS',
      'bots.v1.ended',
      'identity.v1.x',
    ];
    for (const reply of commands) connection.publish(runnerSubjects.report(own), '{}', { reply });
    await connection.flush();
    const reports = async (): Promise<number> =>
      (await manager.streams.info('RUNNERS', { subjects_filter: runnerSubjects.report(own) })).state.subjects?.[
        runnerSubjects.report(own)
      ] ?? 0;
    await waitFor(async () => (await reports()) >= commands.length, { what: 'the reports themselves' });
    expect(await ended()).toBe(before);
  });

  test('gets no service to publish for it by naming another subject for the response', async () => {
    let requested = 0;
    const lease = services.reply(runnerSubjects.lease('*'), async () => ({ held: (requested += 1) > 0 }));
    stops.push(() => lease.stop());
    const notified: unknown[] = [];
    services.onNotification('bots.v1.ended', (body) => notified.push(body));
    const { connection } = await connectThief(own);
    connection.publish(runnerSubjects.lease(own), '{}', { reply: 'bots.v1.ended' });
    await waitFor(() => requested === 1, { what: 'the question' });
    services.notify('bots.v1.ended', 'last');
    await waitFor(() => notified.includes('last'), { what: 'a ring from the service itself' });
    expect(notified).toEqual(['last']);
  });

  test('fills no more than its share of one stream, and drops no report of another bot', async () => {
    const manager = await ownersManager();
    await services.publish(runnerSubjects.report(other), { sequence: 1 });
    const { connection } = await connectThief(own);
    for (let count = 0; count < 5_000; count += 1) connection.publish(runnerSubjects.report(own), '{}');
    await connection.flush();
    const kept = async () => (await manager.streams.info('RUNNERS', { subjects_filter: '>' })).state.subjects ?? {};
    await waitFor(async () => (await kept())[runnerSubjects.report(own)] === 4_096, { what: 'the full share' });
    expect((await kept())[runnerSubjects.report(other)]).toBeGreaterThan(0);
    const { config } = await manager.streams.info('RUNNERS');
    expect(config).toMatchObject({ max_msgs_per_subject: 4_096, max_bytes: 268_435_456 });
  });

  test('takes no connection away from the services', async () => {
    const limited = await openBusAuthority(folder, { runnerConnections: 2 });
    const small = await startOwnNats({ authConfig: limited.serverConfig });
    stops.push(() => small.remove());
    const options = {
      servers: small.url,
      authenticator: credsAuthenticator(new TextEncoder().encode(await credentialsOf(own))),
      inboxPrefix: runnerInboxPrefix(own),
      reconnect: false,
    };
    for (let count = 0; count < 2; count += 1) {
      const connection = await connect(options);
      stops.push(() => connection.close());
    }
    await expect(connect(options).then((connection) => connection.flush())).rejects.toThrow();
    const bus = await connectBus({ url: small.url, credentials: limited.serviceCredentials, name: 'late', logger });
    stops.push(() => bus.close());
    await bus.ensureStreams();
  });

  test('ends with its lifetime', async () => {
    const expired = await credentialsOf(own, -5);
    await expect(
      connectBus({
        url: server.url,
        credentials: expired,
        inboxPrefix: runnerInboxPrefix(own),
        name: 'expired',
        logger,
      }),
    ).rejects.toThrow(/did not accept the connection/);
  });
});

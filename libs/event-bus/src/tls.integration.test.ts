import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runnerSubjects } from '@rapporteur/contracts';
import { certificateFor } from '@rapporteur/outbound-http/testing/certificate';
import { startOwnNats } from '@rapporteur/testbed';
import type { OwnNats } from '@rapporteur/testbed';
import { connectBus, createCredentialIssuer, openBusAuthority, runnerInboxPrefix } from './index.ts';
import type { Bus, BusAuthority, BusOptions } from './index.ts';
import type { BusTlsFiles } from './bus-address.ts';
import { recordingLogger } from './testing/recording-logger.ts';

const folder = mkdtempSync(join(tmpdir(), 'rapporteur-bus-tls-'));
const filesOf = (name: string, host: string) => {
  const { key, cert } = certificateFor(host);
  const files = { certFile: join(folder, `${name}.crt`), keyFile: join(folder, `${name}.key`) };
  writeFileSync(files.certFile, cert);
  writeFileSync(files.keyFile, key);
  return files;
};
const server = filesOf('server', 'localhost');
const client = filesOf('client', 'rapporteur');
const bots = filesOf('bots', 'rapporteur-bots');
const stranger = filesOf('stranger', 'rapporteur');
let authority: BusAuthority;
let nats: OwnNats;

beforeAll(async () => {
  authority = await openBusAuthority(folder);
  const known = join(folder, 'known.crt');
  writeFileSync(known, [client, bots].map(({ certFile }) => readFileSync(certFile, 'utf8')).join(''));
  const tls = `tls { cert_file: "${server.certFile}", key_file: "${server.keyFile}", ca_file: "${known}", verify: true }`;
  nats = await startOwnNats({ authConfig: `${authority.serverConfig}\n${tls}` });
});
afterAll(async () => {
  await nats.remove();
  rmSync(folder, { recursive: true, force: true });
});

describe('a NATS server with an authority of its own and client certificates', () => {
  const connect = (tls: BusTlsFiles, over: Partial<BusOptions>) =>
    connectBus({
      url: `tls://localhost:${new URL(nats.url).port}`,
      name: 'tls test',
      logger: recordingLogger(),
      tls,
      ...over,
    });
  const asBot = async (botId: string) => ({
    credentials: await createCredentialIssuer(authority.accountSeed).forBot(botId, 600),
    inboxPrefix: runnerInboxPrefix(botId),
  });

  test('is reached with its authority and a certificate that it knows', async () => {
    const bus = await connect({ caFile: server.certFile, ...client }, { credentials: authority.serviceCredentials });
    await bus.ensureStreams();
    expect(bus.healthy()).toBe(true);
    await bus.close();
  });

  test('is reached by a bot with the certificate of all bots, whose own credential states what it may do', async () => {
    const [botId, other] = [randomUUID(), randomUUID()];
    const services = await connect(
      { caFile: server.certFile, ...client },
      { credentials: authority.serviceCredentials },
    );
    services.reply(runnerSubjects.lease('*'), async (_body, subject) => subject);
    const bot = await connect({ caFile: server.certFile, ...bots }, await asBot(botId));
    const renew = (bus: Bus, of: string) => bus.request(runnerSubjects.lease(of), {}, { timeoutMs: 2_000 });
    expect(await renew(bot, botId)).toBe(runnerSubjects.lease(botId));
    await expect(renew(bot, other)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await bot.close();
    await services.close();
  });

  test('is not reached with less', async () => {
    const { caFile, ...own } = { caFile: server.certFile, ...client };
    const service = { credentials: authority.serviceCredentials };
    const attempts: Record<string, Promise<Bus>> = {
      'without its authority': connect(own, service),
      'with another authority': connect({ caFile: stranger.certFile, ...own }, service),
      'with a certificate that it does not know': connect({ caFile, ...stranger }, service),
      'by a bot with its credential alone': connect({ caFile }, await asBot(randomUUID())),
      'by a bot with the certificate alone': connect({ caFile, ...bots }, {}),
    };
    const outcomes = Object.entries(attempts).map(async ([how, attempt]) => {
      const message = attempt.then(
        (bus) => bus.close().then(() => 'reached'),
        (error: unknown) => (error as Error).message,
      );
      return [how, await message];
    });
    expect(Object.fromEntries(await Promise.all(outcomes))).toEqual({
      'without its authority': expect.stringContaining('certificate'),
      'with another authority': expect.stringContaining('certificate'),
      // The server ends the connection without an error, and the client retries until its deadline.
      'with a certificate that it does not know': expect.stringContaining('timeout'),
      'by a bot with its credential alone': expect.stringContaining('timeout'),
      'by a bot with the certificate alone': expect.stringContaining('Authorization Violation'),
    });
  });
});

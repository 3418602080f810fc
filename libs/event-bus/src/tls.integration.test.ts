import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { certificateFor } from '@rapporteur/outbound-http/testing/certificate';
import { startOwnNats } from '@rapporteur/testbed';
import type { OwnNats } from '@rapporteur/testbed';
import { connectBus } from './index.ts';
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
const stranger = filesOf('stranger', 'rapporteur');
let nats: OwnNats;

beforeAll(async () => {
  const authConfig = `tls { cert_file: "${server.certFile}", key_file: "${server.keyFile}", ca_file: "${client.certFile}", verify: true }`;
  nats = await startOwnNats({ authConfig });
});
afterAll(async () => {
  await nats.remove();
  rmSync(folder, { recursive: true, force: true });
});

describe('a NATS server with an authority of its own and client certificates', () => {
  const connect = (tls: BusTlsFiles) =>
    connectBus({
      url: `tls://localhost:${new URL(nats.url).port}`,
      name: 'tls test',
      logger: recordingLogger(),
      tls,
    });

  test('is reached with its authority and a certificate that it knows', async () => {
    const bus = await connect({ caFile: server.certFile, ...client });
    await bus.ensureStreams();
    expect(bus.healthy()).toBe(true);
    await bus.close();
  });

  test.each<[what: string, tls: BusTlsFiles, reason: RegExp]>([
    ['without its authority', client, /certificate/],
    ['with another authority', { caFile: stranger.certFile, ...client }, /certificate/],
    // The server ends the connection without an error, and the client retries until its deadline.
    ['with a certificate that it does not know', { caFile: server.certFile, ...stranger }, /timeout/],
  ])('is not reached %s', async (_what, tls, reason) => {
    await expect(connect(tls)).rejects.toThrow(reason);
  });
});

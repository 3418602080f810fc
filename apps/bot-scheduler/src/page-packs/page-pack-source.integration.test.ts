import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import { startReceiver } from '@rapporteur/testbed/receiver';
import type { Receiver } from '@rapporteur/testbed/receiver';
import { pagePackSourceOf } from './page-pack-source.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const keyText = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
const other = generateKeyPairSync('ed25519');
const signed = (text: string, key = privateKey): string => sign(null, Buffer.from(text), key).toString('base64');

let folder: string;
let server: Receiver;
let address: string;
const served = new Map<string, { readonly status: number; readonly body: string }>();
const http = createOutboundHttp({ allow: ['loopback'], requireHttps: false });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rapporteur-page-packs-'));
  server = await startReceiver(({ path }, response) => {
    const { status, body } = served.get(path) ?? { status: 404, body: '' };
    response.writeHead(status).end(body);
  });
  address = `${server.url}/packs.json?token=t`;
});
beforeEach(() => served.clear());
afterAll(async () => {
  http.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const serve = (body: string, signature: string): void => {
  served.set('/packs.json?token=t', { status: 200, body });
  served.set('/packs.json.sig?token=t', { status: 200, body: signature });
};
const sourceOf = (pagePacks: string, pagePackKeys: string[] = []) => {
  const source = pagePackSourceOf({ pagePacks, pagePackKeys }, http);
  if (source === null) throw new Error('There is no source.');
  return source();
};

describe('a file or folder', () => {
  test('gives one overlay, the overlays of a list, or those of each JSON file', async () => {
    writeFileSync(join(folder, 'meet.json'), '{"platform":"meet"}');
    writeFileSync(join(folder, 'others.json'), ' [{"platform":"teams"},{"platform":"zoom"}]');
    writeFileSync(join(folder, '.hidden.json'), '{}');
    writeFileSync(join(folder, 'notes.txt'), 'no page pack');
    expect(await sourceOf(join(folder, 'meet.json'))).toEqual(['{"platform":"meet"}']);
    expect(await sourceOf(folder)).toEqual(['{"platform":"meet"}', '{"platform":"teams"}', '{"platform":"zoom"}']);
  });

  test.each([
    ['that is missing', 'missing.json', null, 'unreachable'],
    ['that is huge', 'huge.json', `"${'x'.repeat(1024 * 1024)}"`, 'invalid'],
    ['whose list is broken', 'broken.json', '[{', 'invalid'],
    ['whose list is nested without end', 'deep.json', '['.repeat(500_000), 'invalid'],
  ])('%s is refused', async (_what, name, text, reason) => {
    if (text !== null) writeFileSync(join(folder, name), text);
    await expect(sourceOf(join(folder, name))).rejects.toMatchObject({ name: 'PagePackRefusal', reason });
    rmSync(join(folder, name), { force: true });
  });
});

describe('an address', () => {
  const text = '[{"platform":"meet"}]';

  test('gives what one of the configured keys signed', async () => {
    const spki = other.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
    serve(text, `${signed(text)}\n`);
    expect(await sourceOf(address, [spki, keyText])).toEqual(['{"platform":"meet"}']);
  });

  test.each([
    ['by another key', () => signed(text, other.privateKey)],
    ['over another document', () => signed(`${text} `)],
    ['that is none', () => 'no signature'],
    ['that is empty', () => ''],
  ])('is refused with a signature %s', async (_what, signature) => {
    serve(text, signature());
    await expect(sourceOf(address, [keyText])).rejects.toMatchObject({ reason: 'unsigned' });
  });

  test('is refused when document or signature are missing or too large, without its token in the sentence', async () => {
    await expect(sourceOf(address, [keyText])).rejects.toMatchObject({ reason: 'unreachable' });
    serve(text, 'x'.repeat(1_000));
    const refusal = await sourceOf(address, [keyText]).catch((error: unknown) => error as Error);
    expect(refusal).toMatchObject({ reason: 'unreachable' });
    expect((refusal as Error).message).not.toContain('token');
  });
});

describe('a configuration', () => {
  test('without a source has none', () => {
    expect(pagePackSourceOf({ pagePackKeys: [] }, http)).toBeNull();
  });

  test('with an address but no key, or with a key of another kind, does not start', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey;
    const wrong = rsa.export({ format: 'der', type: 'spki' }).toString('base64');
    expect(() => pagePackSourceOf({ pagePacks: address, pagePackKeys: [] }, http)).toThrow(/RAPPORTEUR_PAGE_PACK_KEYS/);
    for (const key of [wrong, 'x'])
      expect(() => pagePackSourceOf({ pagePacks: address, pagePackKeys: [key] }, http)).toThrow(/Key 1 of/);
  });
});

import { createHash, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { cpuMsOfReading, longestTurnMs } from '@rapporteur/testbed';
import { readAuthnRequest } from '../saml/authn-request.ts';
import { respond } from '../saml/sign-in.ts';
import { checkPair, generatePair, readKey } from './key-pairs.ts';

const nowMs = Date.now();
const pair = await generatePair('example.com', nowMs);
const longKey = generateKeyPairSync('rsa', { modulusLength: 4_096 }).privateKey;
const longestPem = 16_384;

/** CPU of 100 signatures with RSA-2048, about 20 ms: longer work stops all other requests. */
const key = readKey(pair.keyPem);
if (key === null) throw new Error('The generated key cannot be read.');
const allowedMs = cpuMsOfReading(
  () => {
    for (let count = 0; count < 100; count += 1) sign('sha256', Buffer.alloc(256), key);
  },
  null,
  0,
);

const hashed = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);
const pem = (label: string, der: Buffer): string =>
  `-----BEGIN ${label}-----\n${der.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`;

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, 0x82, content.length >> 8, content.length & 0xff]), content]);
}

/** A DSA or DH key without its public half, which OpenSSL computes while it reads: seconds at this length. */
function keyToComplete(oid: string, bytes: number): string {
  const integer = (first: number): Buffer => {
    const value = randomBytes(bytes);
    value[0] = first;
    value[bytes - 1] = 1;
    return der(2, value);
  };
  const numbers = [integer(0x7f), integer(0x3f), integer(0x3f)];
  const parameters = der(
    0x30,
    ...(oid.startsWith('0607') ? numbers : [numbers[0], numbers[1]].map((n) => n ?? Buffer.alloc(0))),
  );
  const algorithm = der(0x30, Buffer.from(oid, 'hex'), parameters);
  return pem('PRIVATE KEY', der(0x30, Buffer.from('020100', 'hex'), algorithm, der(4, integer(0x3f))));
}

const longestRequest = (unit: (index: number) => string): string => {
  const head = `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="a" Version="2.0" IssueInstant="2026-01-01T00:00:00Z"><saml:Issuer>google.com</saml:Issuer>`;
  const end = '</samlp:AuthnRequest>';
  let body = '';
  for (let index = 0; head.length + body.length + end.length < 16_350; index += 1) body += unit(index);
  const xml = `${head}${body}${end}`;
  return deflateRawSync(xml).toString('base64');
};

describe('no synchronous work takes longer than 20 ms at the largest accepted input', () => {
  const upload = (keyPem: string) => () => {
    try {
      checkPair({ certPem: pair.certPem, keyPem }, nowMs);
    } catch {
      // A refusal is a result.
    }
    return Promise.resolve();
  };
  const provider = {
    entity_id: '&'.repeat(1_024),
    acs_url: `https://a.example/${'&'.repeat(1_980)}`,
    audience: '&'.repeat(1_024),
    logout_url: null,
  };
  const longPem = longKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const sp = {
    login: { email: `${'a'.repeat(240)}@example.com` },
    provider,
    request: { id: 'a'.repeat(256) },
    workspace: { workspace_id: randomUUID() },
  };
  test.each<[string, () => Promise<unknown>]>([
    ['six key pairs at once', () => Promise.all(Array.from({ length: 6 }, () => generatePair('a.example', nowMs)))],
    ['an uploaded pair', upload(pair.keyPem)],
    ['an uploaded key of 4096 bits', upload(longPem)],
    ['an uploaded DSA key', upload(keyToComplete('06072a8648ce380401', 2_900))],
    ['an uploaded DH key', upload(keyToComplete('06092a864886f70d010301', 1_000))],
    ['a PEM of headers', upload('-----BEGIN PRIVATE KEY-----'.repeat(longestPem / 27))],
    ['a sign-in request of elements', async () => readAuthnRequest(longestRequest(() => '<b/>'))],
    [
      'a sign-in request of attributes',
      async () => readAuthnRequest(longestRequest((index) => (index === 0 ? '<b ' : `a${index}="" `))),
    ],
    ['a sign-in request of references', async () => readAuthnRequest(longestRequest(() => '&lt;'))],
    [
      'a response signed with 4096 bits',
      async () => respond({ ...sp, pair: { ...pair, keyPem: longPem } }, { issuer: 'https://api.example.test', nowMs }),
    ],
  ])('%s', async (_what, work) => {
    expect(await longestTurnMs(work, allowedMs)).toBeLessThan(allowedMs);
  });
});

test('a certificate is signed by its own key, for its domain, and has a number of its own', async () => {
  const other = await generatePair('example.com', nowMs);
  checkPair(pair, nowMs);
  expect(hashed(other.certPem)).not.toBe(hashed(pair.certPem));
  expect(() => checkPair({ ...pair, keyPem: other.keyPem }, nowMs)).toThrow('their moduli differ');
});

test('a key is read in PKCS #8 and in PKCS #1; other lengths and kinds are refused by name', () => {
  const pkcs1 = key.export({ type: 'pkcs1', format: 'pem' }).toString();
  checkPair({ ...pair, keyPem: `Bag Attributes\n${pkcs1}` }, nowMs);
  const refusal = (keyPem: string) => () => checkPair({ ...pair, keyPem }, nowMs);
  const ofLength = (modulusLength: number) =>
    generateKeyPairSync('rsa', { modulusLength }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  expect(refusal(ofLength(1_024))).toThrow('2048 to 4096 bits, not 1024');
  expect(refusal(ofLength(4_104))).toThrow('2048 to 4096 bits, not 4104');
  const others = [
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
    generateKeyPairSync('ed25519').privateKey,
    generateKeyPairSync('rsa-pss', { modulusLength: 2_048 }).privateKey,
  ].map((made) => made.export({ type: 'pkcs8', format: 'pem' }).toString());
  const locked = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'p' } as const;
  for (const refused of [...others, key.export(locked).toString(), 'no key'])
    expect(refusal(refused)).toThrow('not an unencrypted RSA private key');
});

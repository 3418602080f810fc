import { createPrivateKey, randomBytes, randomUUID, X509Certificate } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { internalCalls } from '@rapporteur/contracts';
import type { SignInReply, SsoPage } from '@rapporteur/contracts';
import { seeded } from '@rapporteur/testbed';
import { generatePair } from '../logins/key-pairs.ts';
import { encodedRequest, formFields, requestXml } from '../testing/saml-requests.ts';
import { startPartners } from '../testing/service-providers/partners.ts';
import type { Partner } from '../testing/service-providers/partners.ts';
import { responseMutants } from '../testing/service-providers/response-mutants.ts';
import type { WriteResponse } from '../testing/service-providers/response-mutants.ts';
import { startSsoUnderTest } from '../testing/sso-under-test.ts';
import type { SsoUnderTest } from '../testing/sso-under-test.ts';
import { signedResponse } from './saml-response.ts';

// Needs python3 and go, and the packages of two service providers from their registries.
const share = Number(process.env['SOAK_SHARE'] ?? 1);
const signIns = Math.max(20, Math.round(1_000 * share));
const malformed = Math.max(50, Math.round(500 * share));
const random = seeded(Number(process.env['SOAK_SEED'] ?? 1));
const atOnce = 8;
const teamId = randomUUID();
/** One bot signs in again and again: it takes one slot of the login, whatever the pace of the test. */
const botId = randomUUID();
const selector = { platform: 'meet', credentialId: null, emailGroup: '' } as const;
const acsUrl = 'https://www.google.com/a/example.com/acs';
const audience = 'google.com/a/example.com';
const issuer = 'https://api.example.test/v2/meet-sso';
const email = 'bot@example.com';

let sso: SsoUnderTest;
let base = '';
let certificate = '';
let partners: Partner[] = [];

beforeAll(async () => {
  partners = await startPartners();
  sso = await startSsoUnderTest();
  base = await sso.start();
  const made = await sso.api(base, teamId, '/meet-workspaces')('POST', '', {
    domain: 'example.com',
    generate_keypair: true,
  });
  const workspace = made.body['data'] as { workspace_id: string; cert_pem: string };
  certificate = workspace.cert_pem;
  const { workspace_id } = workspace;
  await sso.api(base, teamId, '/meet-logins')('POST', '', { email, name: 'Bot', workspace_id });
}, 1_300_000);
afterAll(async () => {
  await Promise.all(partners.map((partner) => partner.stop()));
  await sso?.stop();
}, 60_000);

async function ticketOf(): Promise<string> {
  await sso.internal(base, internalCalls.logins.reserve.path, { botId, teamId, selector });
  const order = { botId, teamId, attempt: 1, meetingUrlHost: null, selector, failed: null };
  const reply = await sso.internal<SignInReply>(base, internalCalls.logins.signIn.path, order);
  if (reply.outcome !== 'credentials' || reply.credentials.platform !== 'meet') throw new Error('There is no ticket.');
  return reply.credentials.ticket;
}

const open = (call: { samlRequest: string | null; relayState?: string | null; ticket: string | null }) =>
  sso.internal<SsoPage>(base, internalCalls.ssoPages.signIn.path, { relayState: null, ...call }, 'api-gateway');

async function inParallel(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

test(`${signIns} sign-ins are accepted by four independent service providers`, async () => {
  const refused: string[] = [];
  await inParallel(signIns, async () => {
    const requestId = `g${randomBytes(12).toString('hex')}`;
    const samlRequest = encodedRequest(requestXml({ id: requestId }));
    const page = await open({ samlRequest, ticket: await ticketOf() });
    const xml = Buffer.from(formFields(page.html).fields.get('SAMLResponse') ?? '', 'base64').toString();
    for (const partner of partners) {
      const reply = await partner.accept({ xml, certificate, acsUrl, audience, issuer, requestId });
      if (!('name' in reply) || reply.name !== email) refused.push(`${partner.name}: ${JSON.stringify(reply)}`);
    }
  });
  expect(refused.slice(0, 5)).toEqual([]);
}, 900_000);

/**
 * Mutants that a service provider wrongly accepts, always as the signed user: samlify verifies one signature and no
 * audience; crewjam/saml accepts a signed assertion alone.
 */
const isKnown = (partner: string, what: string): boolean =>
  partner === 'samlify' || (partner === 'crewjam/saml' && what === 'no signature of the response');

test('mutated responses are refused by each of them, and never sign in another user', async () => {
  const [pair, other] = [await generatePair('example.com', Date.now()), await generatePair('example.com', Date.now())];
  const [requestId, workspaceId] = ['the-request', 'a1b2c3d4-0000-4000-8000-000000000000'];
  const write: WriteResponse = ({ otherKey = false, nowMs = Date.now(), ...over } = {}) => {
    const { keyPem, certPem } = otherKey ? other : pair;
    const signing = {
      key: createPrivateKey(keyPem),
      certificate: new X509Certificate(certPem).raw.toString('base64'),
    };
    return signedResponse({ issuer, email, acsUrl, audience, requestId, nowMs, workspaceId, ...over }, signing);
  };
  const posted = { certificate: pair.certPem, acsUrl, audience, issuer, requestId };
  for (const partner of partners)
    expect({ of: partner.name, reply: await partner.accept({ ...posted, xml: write() }) }).toEqual({
      of: partner.name,
      reply: { name: email },
    });
  const mutants = responseMutants(write, random);
  expect(mutants.length).toBeGreaterThanOrEqual(200);
  const accepted: { readonly by: string; readonly what: string; readonly as: string }[] = [];
  for (const { what, xml } of mutants) {
    for (const partner of partners) {
      const reply = await partner.accept({ ...posted, xml });
      if ('name' in reply) accepted.push({ by: partner.name, what, as: reply.name });
    }
  }
  const taken = Map.groupBy(accepted, ({ by }) => by);
  const counts = [...taken].map(([by, mutantsTaken]) => `${by} ${mutantsTaken.length}`).join(', ');
  console.info(`${mutants.length} mutants at ${partners.length} service providers; accepted: ${counts}`);
  expect(accepted.filter(({ by, what, as }) => as !== email || !isKnown(by, what))).toEqual([]);
}, 300_000);

/** Requests that no identity provider may respond to with an assertion. */
function malformedRequest(index: number): string | null {
  const xml = requestXml();
  const byte = () => Math.floor(random() * 256);
  const at = Math.floor(random() * xml.length);
  const kinds: readonly (() => string | null)[] = [
    () => Buffer.from(Array.from({ length: 1 + Math.floor(random() * 2_000) }, byte)).toString('base64'),
    () =>
      deflateRawSync(Buffer.from(Array.from({ length: 1 + Math.floor(random() * 2_000) }, byte))).toString('base64'),
    () => encodedRequest(xml.slice(0, at)),
    () => encodedRequest(`${xml.slice(0, at)}<!-- x -->${xml.slice(at)}`),
    () => encodedRequest(`${xml.slice(0, at)}<!DOCTYPE a [<!ENTITY b "${'b'.repeat(500)}">]>${xml.slice(at)}`),
    () => encodedRequest(xml.replaceAll('example.com', `${randomBytes(4).toString('hex')}.example`)),
    () => encodedRequest(requestXml({ issueInstant: new Date(Date.now() - (6 + index) * 60_000).toISOString() })),
    () => encodedRequest(requestXml({ acsUrl: `https://evil.example/${'a'.repeat(index)}` })),
    () => encodedRequest(requestXml({ content: '<a>'.repeat(20 + index) + '</a>'.repeat(20 + index) })),
    () => deflateRawSync(Buffer.alloc(1_000_000 + index, 'a')).toString('base64'),
    () => encodedRequest(xml).slice(1),
    () => 'A'.repeat(16_388 + index),
  ];
  return (kinds[index % kinds.length] ?? (() => null))();
}

test(`${malformed} malformed requests are refused within a second each, in bounded CPU time and memory`, async () => {
  const before = process.memoryUsage().rss;
  const cpuBefore = process.cpuUsage();
  const wrong: unknown[] = [];
  await inParallel(malformed, async (index) => {
    const samlRequest = malformedRequest(index);
    const ticket = await ticketOf();
    const beganMs = performance.now();
    const { status, html } = await open({ samlRequest, ticket });
    const tookMs = performance.now() - beganMs;
    if (status !== 400 || html.includes('SAMLResponse') || tookMs > 1_000)
      wrong.push({ index, status, tookMs, samlRequest: samlRequest?.slice(0, 200) });
  });
  expect(wrong.slice(0, 5)).toEqual([]);
  const grownMb = (process.memoryUsage().rss - before) / 2 ** 20;
  const { user, system } = process.cpuUsage(cpuBefore);
  // The CPU time is that of the whole process: the test, its tickets and the service.
  const cpuMs = (user + system) / 1_000 / malformed;
  console.info(
    `${malformed} malformed requests; ${cpuMs.toFixed(1)} ms of CPU time each, resident memory grew by ${grownMb.toFixed(0)} MB`,
  );
  expect(cpuMs).toBeLessThan(100);
  expect(grownMb).toBeLessThan(150);
}, 300_000);

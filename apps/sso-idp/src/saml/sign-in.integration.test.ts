import { randomUUID } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SAML } from '@node-saml/node-saml';
import { internalCalls } from '@rapporteur/contracts';
import type { SignInReply, SsoPage } from '@rapporteur/contracts';
import { startSsoUnderTest } from '../testing/sso-under-test.ts';
import type { SsoUnderTest } from '../testing/sso-under-test.ts';
import { encodedRequest, formFields, requestXml } from '../testing/saml-requests.ts';
import type { RequestOptions } from '../testing/saml-requests.ts';

let sso: SsoUnderTest;
let base = '';
let workspaceId = '';
let certificate = '';
const teamId = randomUUID();
const selector = { platform: 'meet', credentialId: null, emailGroup: '' } as const;

beforeAll(async () => {
  sso = await startSsoUnderTest();
  base = await sso.start({ RAPPORTEUR_SESSIONS_PER_LOGIN: '1000' });
  const made = await sso.api(base, teamId, '/meet-workspaces')('POST', '', {
    domain: 'example.com',
    generate_keypair: true,
  });
  const { workspace_id, cert_pem } = made.body['data'] as { workspace_id: string; cert_pem: string };
  workspaceId = workspace_id;
  certificate = cert_pem;
  await sso.api(base, teamId, '/meet-logins')('POST', '', { email: 'Bot-1@example.com', name: 'Bot', workspace_id });
}, 60_000);
afterAll(() => sso.stop());

/** Another implementation, as strict as it can be. */
const serviceProvider = () =>
  new SAML({
    callbackUrl: 'https://www.google.com/a/example.com/acs',
    issuer: 'google.com/a/example.com',
    idpCert: certificate,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: true,
    entryPoint: 'https://api.example.test/v2/meet-sso/sign-in',
  });

/** A ticket as an active runner gets it. */
async function ticketOf(botId: string = randomUUID()): Promise<string> {
  await sso.internal(base, internalCalls.logins.reserve.path, { botId, teamId, selector });
  const reply = await sso.internal<SignInReply>(base, internalCalls.logins.signIn.path, {
    botId,
    teamId,
    attempt: 1,
    meetingUrlHost: null,
    selector,
    failed: null,
  });
  if (reply.outcome !== 'credentials' || reply.credentials.platform !== 'meet') throw new Error('There is no ticket.');
  return reply.credentials.ticket;
}

const open = (call: { samlRequest: string | null; relayState?: string | null; ticket: string | null }) =>
  sso.internal<SsoPage>(base, internalCalls.ssoPages.signIn.path, { relayState: null, ...call }, 'api-gateway');
const openXml = async (options: RequestOptions, ticket?: string) =>
  open({ samlRequest: encodedRequest(requestXml(options)), ticket: ticket ?? (await ticketOf()) });

describe('the sign-in address', () => {
  test('responds to a request that a live runner carries with a form that posts the response, RelayState byte for byte', async () => {
    const relayState = `https://mail.google.com/a/example.com?a=1&b="<'>é`;
    const page = await open({
      samlRequest: encodedRequest(requestXml({ id: 'request-1' })),
      relayState,
      ticket: await ticketOf(),
    });
    const { action, fields } = formFields(page.html);
    expect({ status: page.status, action }).toEqual({
      status: 200,
      action: 'https://www.google.com/a/example.com/acs',
    });
    expect(fields.get('RelayState')).toBe(relayState);
    const xml = Buffer.from(fields.get('SAMLResponse') ?? '', 'base64').toString();
    expect(xml).toContain('InResponseTo="request-1"');
    expect(xml).toContain('>Bot-1@example.com</saml:NameID>');
    expect(page.policy).toMatch(/default-src 'none'.*script-src 'nonce-/);
    expect(page.html).toContain(/nonce-([^']+)/.exec(page.policy)?.[1]);
  });

  test('gives one assertion per ticket, also to two that come at once', async () => {
    const ticket = await ticketOf();
    const pages = await Promise.all(Array.from({ length: 5 }, () => openXml({}, ticket)));
    expect(pages.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 403, 403, 403, 403]);
    const again = { id: 'same-request' };
    const next = await ticketOf();
    const same = await Promise.all([openXml(again, next), openXml(again, next)]);
    expect(same.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 403]);
    expect((await openXml({}, ticket)).status).toBe(403);
  });

  test('takes a request once', async () => {
    expect((await openXml({ id: 'again' })).status).toBe(200);
    expect(await openXml({ id: 'again' })).toMatchObject({ status: 400, html: expect.stringContaining('used before') });
  });

  test('refuses a request without a ticket, with an invented one, or with one of an ended bot', async () => {
    for (const ticket of [null, '', 'x'.repeat(43), '"; drop table logins; --'])
      expect((await open({ samlRequest: encodedRequest(requestXml()), ticket })).status).toBe(403);
    const botId = randomUUID();
    const ticket = await ticketOf(botId);
    await sso.internal(base, internalCalls.logins.release.path, { botId, teamId });
    expect((await openXml({}, ticket)).status).toBe(403);
    const old = await ticketOf();
    await sso.database.query(`update sign_in_tickets set expires_at = now() where used_at is null`);
    expect((await openXml({}, old)).status).toBe(403);
  });

  test('posts to registered addresses only', async () => {
    for (const options of [
      { acsUrl: 'https://evil.example/acs' },
      { acsUrl: 'https://www.google.com/a/example.com/acs?x' },
      { acsUrl: 'https://WWW.google.com/a/example.com/acs' },
      { acsUrl: 'https://www.google.com/a/other.example/acs' },
      { issuer: 'google.com/a/other.example' },
      { issuer: 'evil' },
    ])
      expect([options, (await openXml(options)).status]).toEqual([options, 400]);
    expect((await openXml({ acsUrl: null })).status).toBe(200);
  });
});

describe('a request that is wrong', () => {
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const saml = 'xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"';
  const wrong: readonly (readonly [string, string | Buffer])[] = [
    ['too old', requestXml({ issueInstant: minutesAgo(6) })],
    ['of the future', requestXml({ issueInstant: minutesAgo(-4) })],
    ['without a time', requestXml({ issueInstant: 'yesterday' })],
    ['for another address', requestXml({ attributes: ' Destination="https://other.example/"' })],
    ['with a bad ID', requestXml({ id: '1 or 1=1' })],
    ['of another version', requestXml().replace('Version="2.0"', 'Version="1.1"')],
    ['by another binding', requestXml().replace('HTTP-POST', 'HTTP-Artifact')],
    ['with two issuers', requestXml({ content: `<saml:Issuer ${saml}>google.com</saml:Issuer>` })],
    ['with a comment in its issuer', requestXml({ issuer: 'google.com/a/example.com<!-- .evil -->' })],
    ['with elements in its issuer', requestXml({ issuer: '<x>google.com/a/example.com</x>' })],
    ['with a DTD', requestXml().replace('?>', '?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>')],
    ['with an entity bomb', requestXml().replace('?>', '?><!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]>')],
    ['with a comment in its XML declaration', requestXml().replace('<?xml ', '<?xml <!-- x --> ')],
    ['with a DTD in its XML declaration', requestXml().replace('<?xml ', '<?xml <!DOCTYPE a> ')],
    ['in another encoding', requestXml().replace('UTF-8', 'UTF-7')],
    ['with an ampersand alone', requestXml({ attributes: ' Destination="https://api.example.test/?a=1& b"' })],
    ['with CDATA', requestXml({ issuer: '<![CDATA[google.com]]>' })],
    ['with a processing instruction', requestXml({ content: '<?php evil ?>' })],
    [
      'with a signature inside',
      requestXml({ content: '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"/>' }),
    ],
    ['that is a response', requestXml().replaceAll('AuthnRequest', 'Response')],
    ['in another namespace', requestXml().replace('SAML:2.0:protocol', 'SAML:3.0:protocol')],
    ['nested too deeply', requestXml({ content: '<a>'.repeat(40) + '</a>'.repeat(40) })],
    ['not well-formed', requestXml().replace('</samlp:AuthnRequest>', '')],
    ['with an undefined entity', requestXml({ issuer: '&evil;' })],
    ['with a repeated attribute', requestXml({ attributes: ' Version="2.0"' })],
    ['not UTF-8', Buffer.from([0xff, 0xfe, 0xfd])],
    ['empty', ''],
    ['a deflate bomb', Buffer.alloc(20_000_000, 'a')],
  ];

  test.each(wrong)('is refused when it is %s, with a page in plain words and without a 5xx', async (_what, content) => {
    const encoded = typeof content === 'string' ? encodedRequest(content) : deflateRawSync(content).toString('base64');
    const page = await open({ samlRequest: encoded, ticket: await ticketOf() });
    expect({ status: page.status, title: /<h1>(.*)<\/h1>/.exec(page.html)?.[1] }).toEqual({
      status: 400,
      title: 'Sign-in refused',
    });
    expect(page.html).not.toMatch(/SAMLResponse|passwd|evil/);
  });

  test('is refused when its encoding is none', async () => {
    const good = encodedRequest(requestXml());
    for (const samlRequest of [null, '', '%%%', 'AAAA', `${good}A`, good.slice(1), ` ${good}`, 'A'.repeat(16_388)])
      expect((await open({ samlRequest, ticket: await ticketOf() })).status).toBe(400);
    const relayState = 'r'.repeat(8_193);
    expect((await open({ samlRequest: good, relayState, ticket: await ticketOf() })).status).toBe(400);
  });

  test('leaves its ticket good for a right one', async () => {
    const ticket = await ticketOf();
    expect((await openXml({ issuer: 'evil' }, ticket)).status).toBe(400);
    expect((await openXml({}, ticket)).status).toBe(200);
  });
});

describe('a request that cannot be met', () => {
  const policy = (format: string) =>
    `<samlp:NameIDPolicy Format="urn:oasis:names:tc:SAML:2.0:nameid-format:${format}"/>`;
  const saml = 'xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"';
  const context = (names: readonly string[], comparison = 'exact') => {
    const reference = (name: string) =>
      `<saml:AuthnContextClassRef ${saml}>urn:oasis:names:tc:SAML:2.0:ac:classes:${name}</saml:AuthnContextClassRef>`;
    return `<samlp:RequestedAuthnContext Comparison="${comparison}">${names.map(reference).join('')}</samlp:RequestedAuthnContext>`;
  };
  const subject = `<saml:Subject ${saml}><saml:NameID>boss@example.com</saml:NameID></saml:Subject>`;

  test.each([
    ['a transient name', policy('transient'), 'Requester', 'InvalidNameIDPolicy'],
    ['a persistent name', policy('persistent'), 'Requester', 'InvalidNameIDPolicy'],
    ['exactly a certificate', context(['X509']), 'Responder', 'NoAuthnContext'],
    ['exactly a password without protection', context(['Password']), 'Responder', 'NoAuthnContext'],
    ['more than a password', context(['PasswordProtectedTransport'], 'better'), 'Responder', 'NoAuthnContext'],
    ['another user', subject, 'Responder', 'UnknownPrincipal'],
  ])('for %s gets a signed SAML error response, and its ticket stays good', async (_what, content, outer, inner) => {
    const ticket = await ticketOf();
    const page = await openXml({ id: 'unmet', content }, ticket);
    const { action, fields } = formFields(page.html);
    expect({ status: page.status, action }).toEqual({
      status: 200,
      action: 'https://www.google.com/a/example.com/acs',
    });
    const SAMLResponse = fields.get('SAMLResponse') ?? '';
    const xml = Buffer.from(SAMLResponse, 'base64').toString();
    expect(xml).toContain('InResponseTo="unmet"');
    expect(xml).not.toContain('Assertion ');
    await expect(serviceProvider().validatePostResponseAsync({ SAMLResponse })).rejects.toThrow(
      new RegExp(`SAML provider returned ${outer} error`),
    );
    expect(xml).toContain(`<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${inner}"/>`);
    expect((await openXml({}, ticket)).status).toBe(200);
  });

  test.each([
    ['one of several contexts', context(['X509', 'PasswordProtectedTransport'])],
    ['at least a password', context(['Password'], 'minimum')],
    ['at most a certificate', context(['X509'], 'maximum')],
    ['any context', context(['unspecified'])],
  ])('is none when it asks for %s', async (_what, content) => {
    const { fields } = formFields((await openXml({ content })).html);
    expect(Buffer.from(fields.get('SAMLResponse') ?? '', 'base64').toString()).toContain('status:Success');
  });
});

describe('the sign-out address', () => {
  const logoutUrl = 'https://sp.example.com/logout?x=1';
  const entityId = 'https://sp.example.com/metadata';
  const provider = { entity_id: entityId, acs_url: 'https://sp.example.com/acs', logout_url: logoutUrl };
  const names = 'xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"';
  const logoutXml = (nameId: string, issuer = entityId, sessionIndex = '') =>
    requestXml({
      id: 'out-1',
      issuer,
      acsUrl: null,
      content: `<saml:NameID ${names}>${nameId}</saml:NameID>${sessionIndex}`,
    }).replaceAll('AuthnRequest', 'LogoutRequest');
  const signOut = (xml: string | null, relayState: string | null = null) =>
    sso.internal<SsoPage>(
      base,
      internalCalls.ssoPages.signOut.path,
      { samlRequest: xml === null ? null : encodedRequest(xml), relayState },
      'api-gateway',
    );
  beforeAll(async () => {
    const google = { entity_id: 'google.com/a/example.com', acs_url: 'https://www.google.com/a/example.com/acs' };
    const patched = await sso.api(base, teamId, '/meet-workspaces')('PATCH', `/${workspaceId}`, {
      service_providers: [google, provider],
    });
    expect(patched.status).toBe(200);
  });

  test('leads a registered service provider back with a signed LogoutResponse', async () => {
    const page = await signOut(logoutXml('bot-1@example.com'), 'a b&c');
    expect(page.status).toBe(302);
    expect(page.location).toMatch(/^https:\/\/sp\.example\.com\/logout\?x=1&SAMLResponse=/);
    const query = (page.location ?? '').slice((page.location ?? '').indexOf('SAMLResponse='));
    const container = Object.fromEntries(new URLSearchParams(query));
    expect(container['RelayState']).toBe('a b&c');
    const read = serviceProvider().validateRedirectAsync(container, query);
    await expect(read).resolves.toMatchObject({ loggedOut: true });
    const changed = { ...container, RelayState: 'other' };
    const forged = query.replace('a%20b%26c', 'other');
    await expect(serviceProvider().validateRedirectAsync(changed, forged)).rejects.toThrow(/signature/i);
  });

  test('is that of the workspace that signed the user in, not of another team with the same names', async () => {
    const stranger = randomUUID();
    const theirs = { ...provider, logout_url: 'https://stranger.example/out' };
    const workspaces = sso.api(base, stranger, '/meet-workspaces');
    const body = { domain: 'example.com', generate_keypair: true, service_providers: [theirs] };
    const made = (await workspaces('POST', '', body)).body['data'] as { workspace_id: string };
    const login = { email: 'bot-1@example.com', name: 'Bot', workspace_id: made.workspace_id };
    expect((await sso.api(base, stranger, '/meet-logins')('POST', '', login)).status).toBe(201);
    await sso.database.query(`update login_workspaces set created_at = 'epoch' where workspace_id = $1`, [
      made.workspace_id,
    ]);
    const index = (id: string) => `<samlp:SessionIndex>_w-${id}_${'0'.repeat(40)}</samlp:SessionIndex>`;
    const leadsTo = async (sessionIndex: string) =>
      (await signOut(logoutXml('bot-1@example.com', entityId, sessionIndex))).location?.split('?')[0] ?? null;
    expect(await leadsTo(index(workspaceId))).toBe('https://sp.example.com/logout');
    expect(await leadsTo(index(made.workspace_id))).toBe('https://stranger.example/out');
    for (const none of ['', '<samlp:SessionIndex>theirs</samlp:SessionIndex>', index(randomUUID())])
      expect([none, await leadsTo(none)]).toEqual([none, null]);
    expect((await workspaces('DELETE', `/${made.workspace_id}`)).status).toBe(200);
  });

  test.each([
    ['without a request', null],
    ['of an unregistered service provider', logoutXml('bot-1@example.com', 'https://other.example')],
    ['of one without a logout_url', logoutXml('bot-1@example.com', 'google.com/a/example.com')],
    ['for an unknown user', logoutXml('boss@example.com')],
    ['that is not a LogoutRequest', requestXml()],
  ])('leads nowhere %s', async (_what, xml) => {
    expect(await signOut(xml)).toMatchObject({
      status: 200,
      location: null,
      html: expect.stringContaining('Signed out'),
    });
  });
});

describe('a service provider of a workspace', () => {
  const good = { entity_id: 'https://sp.example.com', acs_url: 'https://sp.example.com/acs' };
  test.each([
    ['entity_id', { ...good, entity_id: 'https://sp.example.com\n' }],
    ['entity_id', { ...good, entity_id: 'a\u0001b' }],
    ['audience', { ...good, audience: 'a\u0085b' }],
    ['acs_url', { ...good, acs_url: 'https://sp.example.com/\nacs' }],
    ['logout_url', { ...good, logout_url: 'https://sp.example.com/\tout' }],
  ])('is refused with a control character in %s', async (field, provider) => {
    const reply = await sso.api(base, teamId, '/meet-workspaces')('PATCH', `/${workspaceId}`, {
      service_providers: [provider],
    });
    expect([reply.status, JSON.stringify(reply.body)]).toEqual([400, expect.stringContaining(field)]);
  });
});

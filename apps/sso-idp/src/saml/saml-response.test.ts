import { createPrivateKey, randomBytes, randomUUID, X509Certificate } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { SAML } from '@node-saml/node-saml';
import { DOMParser } from '@xmldom/xmldom';
import fc from 'fast-check';
import * as samlify from 'samlify';
import { SignedXml } from 'xml-crypto';
import { generatePair } from '../logins/key-pairs.ts';
import { signedResponse } from './saml-response.ts';
import type { SignedResponseParts } from './saml-response.ts';

const acsUrl = 'https://www.google.com/a/example.com/acs';
const audience = 'google.com/a/example.com';
const issuer = 'https://api.example.test/v2/meet-sso';
const nowMs = Date.now();
const pair = await generatePair('example.com', nowMs);
const otherPair = await generatePair('example.com', nowMs);

function respondWith(over: Partial<SignedResponseParts> = {}, { certPem, keyPem } = pair): string {
  const parts = {
    issuer,
    email: 'bot@example.com',
    acsUrl,
    audience,
    requestId: `r${randomBytes(8).toString('hex')}`,
    nowMs,
    workspaceId: randomUUID(),
  };
  const certificate = new X509Certificate(certPem).raw.toString('base64');
  return signedResponse({ ...parts, ...over }, { key: createPrivateKey(keyPem), certificate });
}

const strict = new SAML({
  callbackUrl: acsUrl,
  entryPoint: 'https://api.example.test/v2/meet-sso/sign-in',
  issuer: audience,
  audience,
  idpCert: pair.certPem,
  wantAssertionsSigned: true,
  wantAuthnResponseSigned: true,
  idpIssuer: issuer,
});
const nodeSaml = async (xml: string) => {
  const SAMLResponse = Buffer.from(xml).toString('base64');
  return (await strict.validatePostResponseAsync({ SAMLResponse })).profile?.nameID;
};

samlify.setSchemaValidator({ validate: async () => 'checked elsewhere' });
const provider = samlify.ServiceProvider({
  entityID: audience,
  wantAssertionsSigned: true,
  wantMessageSigned: true,
  assertionConsumerService: [{ Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST', Location: acsUrl }],
});
const identityProvider = samlify.IdentityProvider({
  entityID: issuer,
  signingCert: pair.certPem,
  wantAuthnRequestsSigned: false,
  singleSignOnService: [
    {
      Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
      Location: 'https://api.example.test/v2/meet-sso/sign-in',
    },
  ],
});
const samlifyReads = async (xml: string): Promise<unknown> => {
  const body = { SAMLResponse: Buffer.from(xml).toString('base64') };
  const { extract } = await provider.parseLoginResponse(identityProvider, 'post', { body });
  return (extract as { nameID: unknown }).nameID;
};

describe('a signed response', () => {
  test('is accepted by independent service providers, whatever the name holds', async () => {
    const names = ['bot@example.com', "o'neil+x@example.com", 'a&b@example.com', 'a<b>@example.com', 'é中@example.com'];
    for (const email of names) {
      const xml = respondWith({ email });
      expect(await nodeSaml(xml)).toBe(email);
      expect(await samlifyReads(xml)).toBe(email);
    }
  });

  test('has two signatures that xml-crypto verifies over the unchanged bytes', () => {
    const xml = respondWith();
    const document = new DOMParser().parseFromString(xml, 'application/xml');
    const signatures = Array.from(document.getElementsByTagName('ds:Signature'));
    expect(signatures).toHaveLength(2);
    for (const signature of signatures) {
      const signed = new SignedXml({ publicCert: pair.certPem });
      signed.loadSignature(signature as never);
      expect(signed.checkSignature(xml)).toBe(true);
    }
  });

  test('states what the service provider has to check', () => {
    const xml = respondWith({ requestId: 'the-request' });
    expect(xml).toContain(`Destination="${acsUrl}"`);
    expect(xml).toContain(`Recipient="${acsUrl}"`);
    expect(xml.match(/InResponseTo="the-request"/g)).toHaveLength(2);
    expect(xml).toContain(`<saml:Audience>${audience}</saml:Audience>`);
    expect(xml).toContain(`NotOnOrAfter="${new Date(nowMs + 300_000).toISOString()}"`);
    expect(xml).toContain(`NotBefore="${new Date(nowMs - 60_000).toISOString()}"`);
  });

  test('is refused when any value in it is changed, beside the certificate that comes along', async () => {
    const xml = respondWith();
    const places = [...xml.matchAll(/(?:="|>)(?=[A-Za-z0-9_])/g)]
      .map(({ index, 0: start }) => index + start.length)
      .filter((place) => !isInKeyInfo(xml, place) && !isNamespace(xml, place));
    expect(places.length).toBeGreaterThan(40);
    for (const place of places) {
      const changed = xml.slice(0, place) + (xml[place] === 'B' ? 'C' : 'B') + xml.slice(place + 1);
      await expect(nodeSaml(changed)).rejects.toThrow();
    }
  });

  test.each<[string, () => string]>([
    ['signed with another key', () => respondWith({}, otherPair)],
    ['for another audience', () => respondWith({ audience: 'google.com/a/other.example' })],
    ['expired', () => respondWith({ nowMs: nowMs - 3_600_000 })],
    ['of the future', () => respondWith({ nowMs: nowMs + 3_600_000 })],
    ['with a comment in its name', () => respondWith().replace('bot@example.com<', 'bot@example.com<!---->.evil<')],
    ['without its signatures', () => respondWith().replaceAll(/<ds:Signature .*?<\/ds:Signature>/g, '')],
    ['with a second assertion before the signed one', () => wrapped('before')],
    ['with a second assertion behind the signed one', () => wrapped('behind')],
  ])('is refused when it is %s', async (_what, make) => {
    await expect(nodeSaml(make())).rejects.toThrow();
  });
});

/** The certificate inside of a signature is not signed; a service provider trusts its configured one. */
function isInKeyInfo(xml: string, place: number): boolean {
  return [...xml.matchAll(/<ds:KeyInfo>.*?<\/ds:KeyInfo>/g)].some(
    ({ index, 0: whole }) => place >= index && place < index + whole.length,
  );
}

/** Another namespace makes another document: `xmlns` is covered by the mutants of whole elements. */
function isNamespace(xml: string, place: number): boolean {
  return /xmlns:\w+="$/.test(xml.slice(Math.max(0, place - 20), place));
}

function wrapped(where: 'before' | 'behind'): string {
  const xml = respondWith();
  const [assertion = ''] = /<saml:Assertion .*<\/saml:Assertion>/.exec(xml) ?? [];
  const evil = assertion.replaceAll('bot@example.com', 'admin@example.com').replace(/ ID="[^"]*"/, ' ID="evil"');
  return xml.replace(assertion, where === 'before' ? `${evil}${assertion}` : `${assertion}${evil}`);
}

describe('every value', () => {
  test('is signed and read again as it was given, whatever it holds', async () => {
    const unit = fc.constantFrom(...'aZ0&<>"\'\t\né中 ;#-'.split(''), '&amp;', ']]>', '\r', '😀');
    const value = fc.string({ unit, minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(value, value, async (requestId, workspaceId) => {
        const xml = respondWith({ requestId, workspaceId });
        expect(await nodeSaml(xml)).toBe('bot@example.com');
        const response = new DOMParser().parseFromString(xml, 'application/xml').documentElement;
        expect(response?.getAttribute('InResponseTo')).toBe(requestId);
      }),
      { numRuns: 15 },
    );
  });

  test('is refused when XML cannot hold it', () => {
    for (const email of ['\u0000', '\u001f', '\uD800', '\uFFFF'])
      expect(() => respondWith({ email })).toThrow(/does not allow/);
  });
});

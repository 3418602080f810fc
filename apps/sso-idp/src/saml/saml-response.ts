import { randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { SignedXml } from 'xml-crypto';
import { isXmlText } from './authn-request.ts';

/** The signed-in user, the recipient and the request that it responds to. */
export interface SignedResponseParts {
  readonly issuer: string;
  readonly email: string;
  readonly acsUrl: string;
  readonly audience: string;
  readonly requestId: string;
  /** Epoch ms. */
  readonly nowMs: number;
  readonly workspaceId: string;
}

export interface SigningKey {
  readonly key: KeyObject;
  /** DER of the certificate in base64. */
  readonly certificate: string;
}

const samlp = 'urn:oasis:names:tc:SAML:2.0:protocol';
const saml = 'urn:oasis:names:tc:SAML:2.0:assertion';
const exclusiveC14n = 'http://www.w3.org/2001/10/xml-exc-c14n#';
/** A little in the past, for a service provider whose clock is behind. */
const notBeforeMs = 60_000;
const validMs = 5 * 60_000;

const sessionStart = '_w-';

/** The workspace in a session index of this service; null for any other text. */
export function workspaceOfSession(sessionIndex: string): string | null {
  return /^_w-([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})_[\da-f]{40}$/.exec(sessionIndex)?.[1] ?? null;
}

/** Status codes from the outer one inwards, without `urn:oasis:names:tc:SAML:2.0:status:`, and a readable message. */
export interface ResponseStatus {
  readonly codes: readonly string[];
  readonly message: string | null;
}

type AnyResponse = Pick<SignedResponseParts, 'issuer' | 'requestId' | 'nowMs'> & { readonly destination: string };

/** A SAML 2.0 response with one assertion, each signed by itself (RSA-SHA256, exclusive canonicalization). */
export function signedResponse(parts: SignedResponseParts, signing: SigningKey): string {
  const assertion = signed(signing, assertionOf(parts));
  const status = { codes: ['Success'], message: null };
  return signed(signing, responseXml('Response', { ...parts, destination: parts.acsUrl, status, assertion }));
}

/** A signed SAML 2.0 response that states why there is no assertion. */
export function signedErrorResponse(parts: AnyResponse & { status: ResponseStatus }, signing: SigningKey): string {
  return signed(signing, responseXml('Response', { ...parts, assertion: '' }));
}

/** The response to a LogoutRequest. The redirect binding signs the address, so it contains no signature. */
export function logoutResponse(parts: AnyResponse): string {
  return responseXml('LogoutResponse', { ...parts, status: { codes: ['Success'], message: null }, assertion: '' });
}

interface ResponseParts extends AnyResponse {
  readonly status: ResponseStatus;
  /** A signed assertion, or empty. */
  readonly assertion: string;
}

function responseXml(name: 'Response' | 'LogoutResponse', parts: ResponseParts): string {
  const { issuer, destination, requestId, nowMs, status, assertion } = parts;
  const code = status.codes.reduceRight(
    (content, one) =>
      `<samlp:StatusCode Value="${text(`urn:oasis:names:tc:SAML:2.0:status:${one}`)}">${content}</samlp:StatusCode>`,
    '',
  );
  const message = status.message === null ? '' : `<samlp:StatusMessage>${text(status.message)}</samlp:StatusMessage>`;
  const to = `Destination="${text(destination)}" InResponseTo="${text(requestId)}"`;
  return (
    `<samlp:${name} xmlns:samlp="${samlp}" ID="${newId()}" Version="2.0" IssueInstant="${instant(nowMs)}" ${to}>` +
    `<saml:Issuer xmlns:saml="${saml}">${text(issuer)}</saml:Issuer>` +
    `<samlp:Status>${code}${message}</samlp:Status>${assertion}</samlp:${name}>`
  );
}

function assertionOf(parts: SignedResponseParts): string {
  const { issuer, email, acsUrl, audience, requestId, nowMs, workspaceId } = parts;
  const id = newId();
  const [now, until] = [instant(nowMs), instant(nowMs + validMs)];
  const attributes = ['email', 'mail', 'uid'].map(
    (name) =>
      `<saml:Attribute Name="${name}" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:basic">` +
      `<saml:AttributeValue>${text(email)}</saml:AttributeValue></saml:Attribute>`,
  );
  return (
    `<saml:Assertion xmlns:saml="${saml}" ID="${id}" Version="2.0" IssueInstant="${now}">` +
    `<saml:Issuer>${text(issuer)}</saml:Issuer>` +
    `<saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">${text(email)}</saml:NameID>` +
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">` +
    `<saml:SubjectConfirmationData InResponseTo="${text(requestId)}" NotOnOrAfter="${until}" Recipient="${text(acsUrl)}"/>` +
    `</saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions NotBefore="${instant(nowMs - notBeforeMs)}" NotOnOrAfter="${until}"><saml:AudienceRestriction>` +
    `<saml:Audience>${text(audience)}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
    `<saml:AuthnStatement AuthnInstant="${now}" SessionIndex="${sessionStart}${text(workspaceId)}${id}"><saml:AuthnContext>` +
    `<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport</saml:AuthnContextClassRef>` +
    `</saml:AuthnContext></saml:AuthnStatement>` +
    `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement></saml:Assertion>`
  );
}

/** The element with an enveloped signature behind its issuer. */
function signed({ key, certificate }: SigningKey, xml: string): string {
  const signer = new SignedXml({
    privateKey: key,
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: exclusiveC14n,
    getKeyInfoContent: () => `<ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data>`,
  });
  signer.addReference({
    xpath: '/*',
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', exclusiveC14n],
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
  });
  signer.computeSignature(xml, {
    prefix: 'ds',
    location: { reference: "/*/*[local-name(.)='Issuer']", action: 'after' },
  });
  return signer.getSignedXml();
}

/** Character data or the value of an attribute. Throws for text that XML does not allow. */
function text(value: string): string {
  if (!isXmlText(value)) throw new Error('A text holds characters that XML does not allow.');
  return value.replaceAll(/[&<>"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

const newId = (): string => `_${randomBytes(20).toString('hex')}`;

const instant = (ms: number): string => new Date(ms).toISOString();

import { createHash, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { element, text } from './canonical-xml.ts';

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
const ds = 'http://www.w3.org/2000/09/xmldsig#';
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
  const assertion = signed(signing, (signature) => assertionOf(parts, signature));
  const status = { codes: ['Success'], message: null };
  return signed(signing, ({ id, xml }) =>
    responseElement('samlp:Response', { ...parts, destination: parts.acsUrl, id, status, signature: xml, assertion }),
  );
}

/** A signed SAML 2.0 response that states why there is no assertion. */
export function signedErrorResponse(parts: AnyResponse & { status: ResponseStatus }, signing: SigningKey): string {
  return signed(signing, ({ id, xml }) =>
    responseElement('samlp:Response', { ...parts, id, signature: xml, assertion: '' }),
  );
}

/** The response to a LogoutRequest. The redirect binding signs the address, so it contains no signature. */
export function logoutResponse(parts: AnyResponse): string {
  const id = `_${randomBytes(20).toString('hex')}`;
  const status = { codes: ['Success'], message: null };
  return responseElement('samlp:LogoutResponse', { ...parts, id, status, signature: '', assertion: '' });
}

function statusElement({ codes, message }: ResponseStatus): string {
  const code = codes.reduceRight(
    (content, name) =>
      element('samlp:StatusCode', { attributes: { Value: `urn:oasis:names:tc:SAML:2.0:status:${name}` }, content }),
    '',
  );
  const sentence = message === null ? '' : element('samlp:StatusMessage', { content: text(message) });
  return element('samlp:Status', { content: `${code}${sentence}` });
}

interface ResponseParts extends AnyResponse {
  readonly id: string;
  readonly status: ResponseStatus;
  readonly signature: string;
  readonly assertion: string;
}

function responseElement(name: string, parts: ResponseParts): string {
  const { id, issuer, destination, requestId, nowMs, status, signature, assertion } = parts;
  const from = element('saml:Issuer', { namespaces: { saml }, content: text(issuer) });
  return element(name, {
    namespaces: { samlp },
    attributes: {
      ID: id,
      Version: '2.0',
      IssueInstant: instant(nowMs),
      Destination: destination,
      InResponseTo: requestId,
    },
    content: `${from}${signature}${statusElement(status)}${assertion}`,
  });
}

interface SignaturePlace {
  readonly id: string;
  /** The signature, or empty while the element's digest is computed. */
  readonly xml: string;
}

function assertionOf(parts: SignedResponseParts, { id, xml }: SignaturePlace): string {
  const { issuer, email, acsUrl, audience, requestId, nowMs, workspaceId } = parts;
  const until = instant(nowMs + validMs);
  const confirmation = element('saml:SubjectConfirmation', {
    attributes: { Method: 'urn:oasis:names:tc:SAML:2.0:cm:bearer' },
    content: element('saml:SubjectConfirmationData', {
      attributes: { InResponseTo: requestId, NotOnOrAfter: until, Recipient: acsUrl },
    }),
  });
  const nameId = element('saml:NameID', {
    attributes: { Format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress' },
    content: text(email),
  });
  const restriction = element('saml:AudienceRestriction', {
    content: element('saml:Audience', { content: text(audience) }),
  });
  const context = element('saml:AuthnContext', {
    content: element('saml:AuthnContextClassRef', {
      content: 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport',
    }),
  });
  return element('saml:Assertion', {
    namespaces: { saml },
    attributes: { ID: id, Version: '2.0', IssueInstant: instant(nowMs) },
    content: [
      element('saml:Issuer', { content: text(issuer) }),
      xml,
      element('saml:Subject', { content: `${nameId}${confirmation}` }),
      element('saml:Conditions', {
        attributes: { NotBefore: instant(nowMs - notBeforeMs), NotOnOrAfter: until },
        content: restriction,
      }),
      element('saml:AuthnStatement', {
        attributes: { AuthnInstant: instant(nowMs), SessionIndex: `${sessionStart}${workspaceId}${id}` },
        content: context,
      }),
      element('saml:AttributeStatement', {
        content: ['email', 'mail', 'uid'].map((name) => attribute(name, email)).join(''),
      }),
    ].join(''),
  });
}

function attribute(name: string, value: string): string {
  return element('saml:Attribute', {
    attributes: { Name: name, NameFormat: 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic' },
    content: element('saml:AttributeValue', { content: text(value) }),
  });
}

/** Writes an element twice: without its signature, for the digest, and with it. */
function signed({ key, certificate }: SigningKey, write: (place: SignaturePlace) => string): string {
  const id = `_${randomBytes(20).toString('hex')}`;
  const digest = createHash('sha256')
    .update(write({ id, xml: '' }))
    .digest('base64');
  const content = signedInfoContent(id, digest);
  // Canonicalized alone, SignedInfo declares the prefix that the document declares on Signature.
  const signedInfo = element('ds:SignedInfo', { namespaces: { ds }, content });
  const value = sign('RSA-SHA256', Buffer.from(signedInfo), key).toString('base64');
  const keyInfo = element('ds:KeyInfo', {
    content: element('ds:X509Data', { content: element('ds:X509Certificate', { content: certificate }) }),
  });
  const xml = element('ds:Signature', {
    namespaces: { ds },
    content: `${element('ds:SignedInfo', { content })}${element('ds:SignatureValue', { content: value })}${keyInfo}`,
  });
  return write({ id, xml });
}

function signedInfoContent(id: string, digest: string): string {
  const algorithm = (name: string, Algorithm: string) => element(name, { attributes: { Algorithm } });
  const transforms = [`${ds}enveloped-signature`, exclusiveC14n].map((uri) => algorithm('ds:Transform', uri)).join('');
  const reference = element('ds:Reference', {
    attributes: { URI: `#${id}` },
    content: [
      element('ds:Transforms', { content: transforms }),
      algorithm('ds:DigestMethod', 'http://www.w3.org/2001/04/xmlenc#sha256'),
      element('ds:DigestValue', { content: digest }),
    ].join(''),
  });
  return [
    algorithm('ds:CanonicalizationMethod', exclusiveC14n),
    algorithm('ds:SignatureMethod', 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'),
    reference,
  ].join('');
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}

import { inflateRawSync } from 'node:zlib';
import { DOMParser } from '@xmldom/xmldom';
import type { Element } from '@xmldom/xmldom';

/** The content of a service provider's `SAMLRequest`. */
export interface AuthnRequest {
  readonly id: string;
  /** Epoch ms. */
  readonly issuedAtMs: number;
  readonly issuer: string;
  /** Null where the request leaves it to the registration. */
  readonly acsUrl: string | null;
  readonly destination: string | null;
  /** The user that the request requires. */
  readonly subject: string | null;
  /** A requirement that this identity provider does not meet; null: none. */
  readonly unmet: Unmet | null;
}

/** A request of a registered service provider that gets a SAML error response. */
export interface Unmet {
  /** A short identifier for the log. */
  readonly reason: string;
  readonly sentence: string;
  /** The two status codes of the response, behind `urn:oasis:names:tc:SAML:2.0:status:`. */
  readonly status: readonly ['Requester' | 'Responder', string];
}

/** A request of a service provider to end a session. */
export interface LogoutRequest {
  readonly id: string;
  readonly issuedAtMs: number;
  readonly issuer: string;
  readonly destination: string | null;
  /** The user; null where the name is in another form. */
  readonly nameId: string | null;
  /** The session index of the assertion that began the session; null where the service provider does not send it. */
  readonly sessionIndex: string | null;
}

/** Why a request is refused. The message may be shown; of the request it contains only names of parts. */
export class RequestRefused extends Error {
  /** A short identifier for the log. */
  readonly reason: string;

  constructor(reason: string, sentence: string) {
    super(sentence);
    this.name = 'RequestRefused';
    this.reason = reason;
  }
}

const longestEncoded = 16_384;
const longestXmlBytes = 16_384;
const maxDepth = 16;
/** Elements and attributes together; a request has about twenty. */
const maxNodes = 500;
const samlp = 'urn:oasis:names:tc:SAML:2.0:protocol';
const saml = 'urn:oasis:names:tc:SAML:2.0:assertion';
const postBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';
const nameIdFormats = [
  'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:unspecified',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
];

/** Reads the parameter of the HTTP-Redirect binding: base64 of raw DEFLATE of XML. @throws RequestRefused */
export function readAuthnRequest(parameter: string): AuthnRequest {
  const { request, head } = readHead(parameter, 'AuthnRequest');
  const binding = attribute(request, 'ProtocolBinding');
  if (binding !== null && binding !== postBinding) {
    throw new RequestRefused('binding', 'The request requires another binding than HTTP-POST.');
  }
  return {
    ...head,
    acsUrl: attribute(request, 'AssertionConsumerServiceURL'),
    subject: subjectOf(request),
    unmet: unmetName(request) ?? unmetContext(request),
  };
}

/** The same for a LogoutRequest. @throws RequestRefused */
export function readLogoutRequest(parameter: string): LogoutRequest {
  const { request, head } = readHead(parameter, 'LogoutRequest');
  const nameId = onlyChild(request, saml, 'NameID');
  const sessionIndex = onlyChild(request, samlp, 'SessionIndex');
  return {
    ...head,
    nameId: nameId === null ? null : textOf(nameId),
    sessionIndex: sessionIndex === null ? null : textOf(sessionIndex),
  };
}

type Head = Pick<AuthnRequest, 'id' | 'issuedAtMs' | 'issuer' | 'destination'>;

/** Fields of every kind of request. */
function readHead(parameter: string, kind: 'AuthnRequest' | 'LogoutRequest'): { request: Element; head: Head } {
  const request = parse(inflate(parameter));
  if (request.namespaceURI !== samlp || request.localName !== kind) {
    throw new RequestRefused('kind', `The request is not a SAML ${kind}.`);
  }
  if (attribute(request, 'Version') !== '2.0') throw new RequestRefused('version', 'The request is not SAML 2.0.');
  const id = attribute(request, 'ID');
  if (id === null || !/^[A-Za-z_][\w.-]{0,255}$/.test(id))
    throw new RequestRefused('id', 'The request has no valid ID.');
  // The redirect binding signs the URL; an enveloped signature would not be verified.
  if (onlyChild(request, 'http://www.w3.org/2000/09/xmldsig#', 'Signature') !== null) {
    throw new RequestRefused(
      'enveloped-signature',
      'The request contains a signature, which this binding does not allow.',
    );
  }
  const issuer = onlyChild(request, saml, 'Issuer');
  if (issuer === null) throw new RequestRefused('issuer', 'The request names no issuer.');
  const destination = attribute(request, 'Destination');
  return { request, head: { id, issuedAtMs: issueInstant(request), issuer: textOf(issuer), destination } };
}

function inflate(parameter: string): string {
  if (parameter.length > longestEncoded) throw new RequestRefused('too-large', 'The request is too large.');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(parameter) || parameter.length % 4 !== 0) {
    throw new RequestRefused('base64', 'The request is not base64.');
  }
  try {
    const bytes = inflateRawSync(Buffer.from(parameter, 'base64'), { maxOutputLength: longestXmlBytes });
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch (error) {
    const tooLarge = (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
    throw tooLarge
      ? new RequestRefused('inflates-too-large', 'The request is too large.')
      : new RequestRefused('deflate', 'The request is not DEFLATE-compressed UTF-8 text.');
  }
}

/** The XML declaration without white space and quote variants: the only allowed instruction. */
const declaration = /^<\?xml version="1\.0"( encoding="utf-8")?( standalone="(yes|no)")?\?>$/;

/** An ampersand that is not a reference, or a reference to an entity that only a DTD could define. */
const undefinedReference = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-fA-F]{1,6});)/;

function parse(xml: string): Element {
  const body = withoutDeclaration(xml);
  // Comments, CDATA, DTDs and instructions are not valid in a request, and every entity attack needs one of them.
  if (/<[!?]/.test(body) || undefinedReference.test(body) || !isXmlText(xml)) {
    throw new RequestRefused('markup', 'The request contains XML markup that is not allowed.');
  }
  if ((body.match(/[<=]/g)?.length ?? 0) > maxNodes)
    throw new RequestRefused('too-large', 'The request contains too many elements and attributes.');
  checkDepth(body);
  try {
    const refuse = (message: string): never => {
      throw new Error(message);
    };
    const document = new DOMParser({ onError: (_level, message) => refuse(message) }).parseFromString(
      body,
      'application/xml',
    );
    const root = document.documentElement;
    if (root === null) throw new Error('no root element');
    return root;
  } catch {
    throw new RequestRefused('xml', 'The request is not well-formed XML.');
  }
}

function withoutDeclaration(xml: string): string {
  const end = xml.startsWith('<?xml') ? xml.indexOf('?>') + 2 : 0;
  const plain = xml
    .slice(0, end)
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([=?]) ?/g, '$1')
    .replaceAll("'", '"');
  return declaration.test(plain) ? xml.slice(end) : xml;
}

function checkDepth(xml: string): void {
  let depth = 0;
  let end = 0;
  for (let start = xml.indexOf('<'); start !== -1 && end !== -1; start = xml.indexOf('<', end)) {
    end = xml.indexOf('>', start);
    if (xml[start + 1] === '/') depth -= 1;
    else if (xml[end - 1] !== '/') depth += 1;
    if (depth > maxDepth) throw new RequestRefused('depth', 'The request nests its elements too deeply.');
  }
}

function attribute(of: Element, name: string): string | null {
  return of.getAttributeNode(name)?.value ?? null;
}

function children(of: Element): Element[] {
  return Array.from(of.childNodes).filter((node): node is Element => node.nodeType === node.ELEMENT_NODE);
}

function onlyChild(of: Element, namespace: string, name: string): Element | null {
  const found = children(of).filter((child) => child.localName === name && child.namespaceURI === namespace);
  if (found.length > 1) throw new RequestRefused('repeated', `The request contains ${name} more than once.`);
  return found[0] ?? null;
}

function textOf(element: Element): string {
  if (children(element).length > 0)
    throw new RequestRefused('nested-text', 'The request contains elements where text belongs.');
  return (element.textContent ?? '').trim();
}

function issueInstant(request: Element): number {
  const given = attribute(request, 'IssueInstant') ?? '';
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(given) ? Date.parse(given) : Number.NaN;
  if (Number.isNaN(ms)) throw new RequestRefused('issue-instant', 'The request has no valid IssueInstant.');
  return ms;
}

function unmetName(request: Element): Unmet | null {
  const policy = onlyChild(request, samlp, 'NameIDPolicy');
  const format = policy === null ? null : attribute(policy, 'Format');
  if (format === null || nameIdFormats.includes(format)) return null;
  const sentence = 'The request requires a name that is not an email address.';
  return { reason: 'name-id-format', sentence, status: ['Requester', 'InvalidNameIDPolicy'] };
}

/** Contexts from weakest to strongest; the last one is that of this identity provider. */
const contexts = ['unspecified', 'Password', 'PasswordProtectedTransport'].map(
  (name) => `urn:oasis:names:tc:SAML:2.0:ac:classes:${name}`,
);

function unmetContext(request: Element): Unmet | null {
  const requested = onlyChild(request, samlp, 'RequestedAuthnContext');
  if (requested === null) return null;
  const named = children(requested)
    .filter(({ localName, namespaceURI }) => localName === 'AuthnContextClassRef' && namespaceURI === saml)
    .map((reference) => contexts.indexOf(textOf(reference)));
  const own = contexts.length - 1;
  const comparison = attribute(requested, 'Comparison') ?? 'exact';
  // An unknown context counts as stronger than this identity provider's.
  const isMet = named.some((context) => {
    if (context === 0) return comparison !== 'better';
    if (comparison === 'maximum') return context === own || context === -1;
    if (context === -1) return false;
    return comparison === 'exact' ? context === own : comparison === 'minimum' || context < own;
  });
  if (isMet) return null;
  const sentence = 'The request requires another authentication than a password over a protected transport.';
  return { reason: 'authn-context', sentence, status: ['Responder', 'NoAuthnContext'] };
}

function subjectOf(request: Element): string | null {
  const subject = onlyChild(request, saml, 'Subject');
  if (subject === null) return null;
  const nameId = onlyChild(subject, saml, 'NameID');
  if (nameId === null) throw new RequestRefused('subject', 'The request names a user in a form that is not supported.');
  return textOf(nameId);
}

/** Whether XML 1.0 allows every character. */
export function isXmlText(value: string): boolean {
  // eslint-disable-next-line no-control-regex -- these are the characters that XML 1.0 does not allow
  return value.isWellFormed() && !/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/.test(value);
}

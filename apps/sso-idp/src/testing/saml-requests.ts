import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';

export interface RequestOptions {
  readonly id?: string;
  readonly issuer?: string;
  readonly acsUrl?: string | null;
  readonly issueInstant?: string;
  /** Attributes of the root, after the usual ones. */
  readonly attributes?: string;
  /** XML behind the issuer. */
  readonly content?: string;
}

/** The XML of a request as Google sends it, in the organization-wide profile of example.com. */
export function requestXml(options: RequestOptions = {}): string {
  const {
    id = `g${randomBytes(12).toString('hex')}`,
    issuer = 'google.com/a/example.com',
    acsUrl = 'https://www.google.com/a/example.com/acs',
    issueInstant = new Date().toISOString(),
    attributes = '',
    content = '<samlp:NameIDPolicy AllowCreate="true" Format="urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified"/>',
  } = options;
  const acs = acsUrl === null ? '' : ` AssertionConsumerServiceURL="${acsUrl}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${id}" Version="2.0" IssueInstant="${issueInstant}" ProtocolBinding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" ProviderName="google.com" IsPassive="false"${acs}${attributes}><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${issuer}</saml:Issuer>${content}</samlp:AuthnRequest>`;
}

/** The parameter of the HTTP-Redirect binding. */
export function encodedRequest(xml: string): string {
  return deflateRawSync(Buffer.from(xml)).toString('base64');
}

/** Hidden fields of the page that a sign-in responds with. */
export function formFields(html: string): { readonly action: string; readonly fields: ReadonlyMap<string, string> } {
  const plain = (text: string) =>
    text.replaceAll(/&#(\d+);/g, (_whole, code: string) => String.fromCharCode(Number(code)));
  const action = plain(/action="([^"]*)"/.exec(html)?.[1] ?? '');
  const fields = [...html.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, plain(value)] as const,
  );
  return { action, fields: new Map(fields) };
}

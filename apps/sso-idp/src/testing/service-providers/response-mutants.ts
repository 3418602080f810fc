/** A response that every service provider must refuse. */
export interface ResponseMutant {
  readonly what: string;
  readonly xml: string;
}

/** Writes a fresh response; `changes` are values that the identity provider signs. */
export type WriteResponse = (changes?: {
  readonly email?: string;
  readonly audience?: string;
  readonly issuer?: string;
  readonly nowMs?: number;
  readonly otherKey?: boolean;
}) => string;

const hourMs = 3_600_000;

/** Mutants of every class; `random` gives numbers from 0 to 1. */
export function responseMutants(write: WriteResponse, random: () => number): ResponseMutant[] {
  const each = (count: number, what: string, mutate: (xml: string) => string): ResponseMutant[] =>
    Array.from({ length: count }, (_, index) => ({ what: `${what} ${index + 1}`, xml: mutate(write()) }));
  return [
    ...each(40, 'another digest', (xml) => flipIn(xml, /<ds:DigestValue>([^<]+)/g, random)),
    ...each(40, 'another signature value', (xml) => flipIn(xml, /<ds:SignatureValue>([^<]+)/g, random)),
    ...each(80, 'a changed signed value', (xml) => flipIn(xml, signedValues, random)),
    ...signedWrongly(write),
    ...withoutSignatures(write),
    ...wrapped(write),
    ...rewritten(write),
  ];
}

/** Attribute values and texts that are signed: no namespaces, and nothing of KeyInfo or of signatures. */
const signedValues =
  /(?: (?:ID|Destination|InResponseTo|IssueInstant|Recipient|NotOnOrAfter|NotBefore|SessionIndex|AuthnInstant)="|<saml:(?:NameID Format="[^"]*"|Audience|Issuer|AttributeValue)>)([^"<]+)/g;

function flipIn(xml: string, pattern: RegExp, random: () => number): string {
  const found = [...xml.matchAll(pattern)];
  const match = found[Math.floor(random() * found.length)];
  const text = match?.[1];
  if (match === undefined || text === undefined) throw new Error('There is nothing to change.');
  // The last character of base64 may contain unused bits.
  const at = match.index + match[0].length - text.length + Math.floor(random() * (text.length - 4));
  return xml.slice(0, at) + (xml[at] === 'B' ? 'C' : 'B') + xml.slice(at + 1);
}

function signedWrongly(write: WriteResponse): ResponseMutant[] {
  return [
    { what: 'another key, its certificate beside', xml: write({ otherKey: true }) },
    { what: 'another audience', xml: write({ audience: 'google.com/a/other.example' }) },
    ...[1, 2, 24, 24 * 365].flatMap((hours) => [
      { what: `expired ${hours} h ago`, xml: write({ nowMs: Date.now() - hours * hourMs }) },
      { what: `valid in ${hours} h`, xml: write({ nowMs: Date.now() + hours * hourMs }) },
    ]),
  ];
}

const signature = /<ds:Signature .*?<\/ds:Signature>/;

function withoutSignatures(write: WriteResponse): ResponseMutant[] {
  const digestOf = (xml: string) => xml.replaceAll(/<ds:DigestValue>[^<]*/g, '<ds:DigestValue>');
  return [
    { what: 'no signature', xml: write().replaceAll(new RegExp(signature, 'g'), '') },
    { what: 'no signature of the response', xml: write().replace(signature, '') },
    { what: 'empty digests', xml: digestOf(write()) },
    { what: 'empty signature values', xml: write().replaceAll(/<ds:SignatureValue>[^<]*/g, '<ds:SignatureValue>') },
    { what: 'no reference', xml: write().replaceAll(/<ds:Reference .*?<\/ds:Reference>/g, '') },
    { what: 'no transforms', xml: write().replaceAll(/<ds:Transforms>.*?<\/ds:Transforms>/g, '') },
    { what: 'HMAC for RSA', xml: write().replaceAll('xmldsig-more#rsa-sha256', 'xmldsig-more#hmac-sha256') },
    { what: 'SHA-1 for SHA-256', xml: write().replaceAll('xmlenc#sha256', 'xmldsig#sha1') },
    { what: 'another canonicalization', xml: write().replaceAll('xml-exc-c14n#"', 'xml-exc-c14n#WithComments"') },
    { what: 'a reference to the whole document', xml: write().replaceAll(/ URI="#[^"]*"/g, ' URI=""') },
    { what: 'a reference to nothing', xml: write().replaceAll(/ URI="#[^"]*"/g, ' URI="#nothing"') },
  ];
}

const assertion = /<saml:Assertion .*<\/saml:Assertion>/;
const evilOf = (part: string, id = 'evil') =>
  part.replaceAll('bot@example.com', 'admin@example.com').replace(/ ID="[^"]*"/, ` ID="${id}"`);
const unsigned = (part: string) => part.replaceAll(new RegExp(signature, 'g'), '');

/** Signature wrapping: the signed element is moved, and another assertion takes its place. */
function wrapped(write: WriteResponse): ResponseMutant[] {
  const make = (what: string, wrap: (good: string, xml: string) => string): ResponseMutant => {
    const xml = write();
    const [good = ''] = assertion.exec(xml) ?? [];
    return { what: `wrapping: ${what}`, xml: wrap(good, xml) };
  };
  const extension = (inner: string) => `<samlp:Extensions>${inner}</samlp:Extensions>`;
  const object = (inner: string) => `<ds:Object xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${inner}</ds:Object>`;
  const idOf = (part: string) => / ID="([^"]*)"/.exec(part)?.[1] ?? '';
  return [
    make('evil before good', (good, xml) => xml.replace(good, `${evilOf(unsigned(good))}${good}`)),
    make('evil behind good', (good, xml) => xml.replace(good, `${good}${evilOf(unsigned(good))}`)),
    make('evil with the signature before good', (good, xml) => xml.replace(good, `${evilOf(good)}${good}`)),
    make('evil around good', (good, xml) =>
      xml.replace(good, evilOf(unsigned(good)).replace('</saml:Assertion>', `${good}</saml:Assertion>`)),
    ),
    make('good in extensions', (good, xml) => xml.replace(good, `${extension(good)}${evilOf(unsigned(good))}`)),
    make('good in an object', (good, xml) => xml.replace(good, `${evilOf(unsigned(good))}${object(good)}`)),
    make('good in the object of its signature', (good, xml) => {
      const [own = ''] = signature.exec(good) ?? [];
      const inside = own.replace('</ds:Signature>', `${object(unsigned(good))}</ds:Signature>`);
      return xml.replace(good, evilOf(good).replace(signature, inside));
    }),
    make('the same ID twice', (good, xml) => xml.replace(good, `${evilOf(unsigned(good), idOf(good))}${good}`)),
    make('the same ID twice, good first', (good, xml) =>
      xml.replace(good, `${good}${evilOf(unsigned(good), idOf(good))}`),
    ),
    make('a whole response inside', (_good, xml) =>
      unsigned(xml)
        .replaceAll('bot@example.com', 'admin@example.com')
        .replace('</samlp:Response>', `${extension(xml)}</samlp:Response>`),
    ),
    make('a response around', (good, xml) =>
      xml.replace(good, evilOf(unsigned(good))).replace('</samlp:Response>', `${object(xml)}</samlp:Response>`),
    ),
  ];
}

/** Another document that a lax parser reads as the signed one. */
function rewritten(write: WriteResponse): ResponseMutant[] {
  const name = 'bot@example.com</saml:NameID>';
  const doctype = '<!DOCTYPE r [<!ENTITY e "admin@example.com"><!ENTITY x SYSTEM "file:///etc/passwd">]>';
  const bomb = `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, level) => `<!ENTITY ${String.fromCharCode(98 + level)} "${`&${String.fromCharCode(97 + level)};`.repeat(10)}">`).join('')}]>`;
  return [
    { what: 'another user', xml: write().replace(name, 'admin@example.com</saml:NameID>') },
    { what: 'a user with an element', xml: write().replace(name, 'bot@example.com<x/>.evil</saml:NameID>') },
    { what: 'a user with CDATA', xml: write().replace(name, '<![CDATA[admin@example.com]]></saml:NameID>') },
    { what: 'an entity as user', xml: doctype + write().replace(name, '&e;</saml:NameID>') },
    { what: 'an external entity as user', xml: doctype + write().replace(name, '&x;</saml:NameID>') },
    { what: 'an entity bomb', xml: bomb + write().replace(name, '&j;</saml:NameID>') },
    {
      what: 'a second user',
      xml: write().replace('<saml:NameID ', '<saml:NameID>admin@example.com</saml:NameID><saml:NameID '),
    },
    {
      what: 'another attribute',
      xml: write().replace(
        '<saml:AttributeStatement>',
        '<saml:AttributeStatement><saml:Attribute Name="role"><saml:AttributeValue>admin</saml:AttributeValue></saml:Attribute>',
      ),
    },
    { what: 'no audience', xml: write().replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, '') },
    { what: 'no conditions', xml: write().replace(/<saml:Conditions .*<\/saml:Conditions>/, '') },
    { what: 'no confirmation', xml: write().replace(/<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/, '') },
    { what: 'a failure that is called success', xml: write().replace('status:Success', 'status:Responder') },
    { what: 'no assertion', xml: write().replace(assertion, '') },
    { what: 'half of it', xml: write().slice(0, 2_000) },
    { what: 'nothing', xml: '' },
    { what: 'no XML', xml: 'SAMLResponse' },
  ];
}

import { describe, expect, test } from '@jest/globals';
import { slowestReading } from '@rapporteur/testbed';
import { encodedRequest, requestXml } from '../testing/saml-requests.ts';
import { readAuthnRequest, RequestRefused } from './authn-request.ts';

const xml = requestXml({ id: 'the-request' });
const isRefused = (text: string): boolean => {
  try {
    readAuthnRequest(encodedRequest(text));
    return false;
  } catch (error) {
    if (error instanceof RequestRefused) return true;
    throw error;
  }
};

test('hostile requests of maximal size take at most 50 ms', () => {
  expect(slowestReading(16_384, readAuthnRequest).ms).toBeLessThan(50);
  const inflated = slowestReading(16_000, (text) => readAuthnRequest(encodedRequest(text)));
  const within = slowestReading(15_000, (text) => readAuthnRequest(encodedRequest(requestXml({ acsUrl: text }))));
  const behind = slowestReading(15_000, (text) => readAuthnRequest(encodedRequest(`${requestXml()}${text}`)));
  for (const { ms } of [inflated, within, behind]) expect(ms).toBeLessThan(50);
});

describe('a request', () => {
  test.each(['<!-- x -->', '<!DOCTYPE a [<!ENTITY b "c">]>', '<![CDATA[x]]>', '<?x y?>', '<', '&', '&b;', '\u0000'])(
    'is refused with %j at any place in it',
    (inserted) => {
      const places = Array.from({ length: xml.length + 1 }, (_, at) => at);
      const accepted = places.filter((at) => !isRefused(`${xml.slice(0, at)}${inserted}${xml.slice(at)}`));
      expect(accepted.map((at) => xml.slice(Math.max(0, at - 20), at))).toEqual([]);
    },
  );

  test('is refused when it is cut anywhere', () => {
    const lengths = Array.from({ length: xml.length }, (_, length) => length);
    expect(lengths.filter((length) => !isRefused(xml.slice(0, length)))).toEqual([]);
  });

  test.each(['', "<?xml version='1.0'?>", '<?xml version="1.0" encoding="utf-8" standalone="no" ?>'])(
    'may begin with %j',
    (declaration) => {
      const text = xml.replace(/^<\?xml.*?\?>/, declaration);
      expect(readAuthnRequest(encodedRequest(text))).toMatchObject({
        id: 'the-request',
        issuer: 'google.com/a/example.com',
      });
    },
  );

  test('may hold the five entities of XML and references to characters', () => {
    const acsUrl = 'https://www.example.com/acs?a=1&amp;b=&#50;&#x33;';
    expect(readAuthnRequest(encodedRequest(requestXml({ acsUrl }))).acsUrl).toBe(
      'https://www.example.com/acs?a=1&b=23',
    );
  });
});

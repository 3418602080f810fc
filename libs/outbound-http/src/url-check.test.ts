import { describe, expect, test } from '@jest/globals';
import { Failure } from '@rapporteur/failures';
import { readAllowList } from './allow-list.ts';
import { refusalSentence } from './outbound-failure.ts';
import { hostileHosts, malformedUrls } from './testing/hostile-urls.ts';
import { checkUrl } from './url-check.ts';

const nothingAllowed = { allow: readAllowList([]), requireHttps: false, ports: null };
const check = (url: string, allow: readonly string[], requireHttps = false): string => {
  try {
    checkUrl(url, { allow: readAllowList(allow), requireHttps, ports: null });
    return 'accepted';
  } catch (error) {
    return error instanceof Failure ? error.code : String(error);
  }
};

describe('a host that leads inside', () => {
  test('is tested in at least 100 forms', () => {
    expect(new Set(hostileHosts).size).toBeGreaterThanOrEqual(100);
  });

  test.each([...hostileHosts])('%s is refused, whatever the scheme and port, with the one sentence', (host) => {
    for (const url of [`http://${host}/`, `https://${host}/hook?x=1`, `http://${host}:8080/`]) {
      expect(() => checkUrl(url, nothingAllowed)).toThrow(refusalSentence);
    }
  });
});

describe('text that is no usable address', () => {
  test.each([...malformedUrls])('%j is refused', (url) => {
    expect(check(url, [])).toBe('VALIDATION');
  });

  test('never comes back in the error', () => {
    const secret = 'canary-7f3a';
    for (const url of [
      `https://user:${secret}@example.com/`,
      `ftp://example.com/${secret}`,
      `http://10.0.0.1/${secret}`,
    ]) {
      const error = (() => {
        try {
          return checkUrl(url, nothingAllowed);
        } catch (thrown) {
          return thrown as Failure;
        }
      })();
      expect(error).toBeInstanceOf(Failure);
      expect(JSON.stringify([(error as Failure).message, (error as Failure).details])).not.toContain(secret);
    }
  });
});

describe('an address outside', () => {
  test.each([
    'https://example.com/hook',
    'http://example.com:8080/',
    'https://example.com./',
    'https://bücher.example/',
    'https://93.184.216.34/',
    'https://[2606:2800:220:1:248:1893:25c8:1946]:8443/',
    'https://[64:ff9b::93.184.216.34]/',
    'https://localhost.example.com/',
    'https://internal.example.com/',
    'https://my-local.example/',
    'https://example.com:1/',
    'https://example.com:65535/',
  ])('%s is accepted', (url) => {
    expect(check(url, [])).toBe('accepted');
  });

  test('must be https where the operator configures it', () => {
    expect(check('http://example.com/', [], true)).toBe('VALIDATION');
    expect(check('https://example.com/', [], true)).toBe('accepted');
  });

  test('must use a port the operator named, when there is such a list', () => {
    const rules = { ...nothingAllowed, ports: new Set([443, 8443]) };
    expect(() => checkUrl('https://example.com:8443/', rules)).not.toThrow();
    expect(() => checkUrl('https://example.com:25/', rules)).toThrow('port');
  });
});

describe('the allow-list', () => {
  test.each([
    ['loopback', 'http://127.0.0.1:9000/', 'accepted'],
    ['loopback', 'http://127.255.0.3/', 'accepted'],
    ['loopback', 'http://localhost:9000/', 'accepted'],
    ['loopback', 'http://hooks.localhost/', 'accepted'],
    ['loopback', 'http://[::1]:9000/', 'accepted'],
    ['loopback', 'http://[::ffff:127.0.0.1]/', 'accepted'],
    ['loopback', 'http://0.0.0.0/', 'ADDRESS_REFUSED'],
    ['loopback', 'http://[::]/', 'ADDRESS_REFUSED'],
    ['loopback', 'http://10.0.0.1/', 'ADDRESS_REFUSED'],
    ['loopback', 'http://169.254.169.254/', 'ADDRESS_REFUSED'],
    ['10.0.0.0/8', 'http://10.9.8.7/', 'accepted'],
    ['10.0.0.0/8', 'http://0x0a.9.8.7/', 'accepted'],
    ['10.0.0.0/8', 'http://11.0.0.1/', 'accepted'],
    ['10.0.0.0/8', 'http://127.0.0.1/', 'ADDRESS_REFUSED'],
    ['10.1.2.3:8080', 'http://10.1.2.3:8080/', 'accepted'],
    ['10.1.2.3:8080', 'http://10.1.2.3:8081/', 'ADDRESS_REFUSED'],
    ['10.1.2.3', 'http://10.1.2.3:8081/', 'accepted'],
    ['10.1.2.3', 'http://10.1.2.4/', 'ADDRESS_REFUSED'],
    ['fd00::/8', 'https://[fd12::1]/', 'accepted'],
    ['[fd00::1]:8443', 'https://[fd00::1]:8443/', 'accepted'],
    ['[fd00::1]:8443', 'https://[fd00::1]/', 'ADDRESS_REFUSED'],
    ['receiver.internal:8080', 'http://receiver.internal:8080/', 'accepted'],
    ['receiver.internal:8080', 'http://RECEIVER.internal.:8080/', 'accepted'],
    ['receiver.internal:8080', 'http://receiver.internal/', 'ADDRESS_REFUSED'],
    ['receiver.internal:8080', 'http://other.receiver.internal:8080/', 'ADDRESS_REFUSED'],
  ])('%s makes %s %s, over plain http too', (rule, url, expected) => {
    expect(check(url, [rule])).toBe(expected);
    const unlistedButPublic = url.includes('11.0.0.1');
    expect(check(url, [rule], true)).toBe(unlistedButPublic ? 'VALIDATION' : expected);
  });

  test.each([
    '10.0.0.0/33',
    '10.0.0/8',
    'example.com',
    'example.com:0',
    'example.com:70000',
    'a b:80',
    '[fd00::1]',
    '*',
    'http://x:1',
  ])('refuses the rule %j at the start, in plain words', (rule) => {
    expect(() => readAllowList([rule])).toThrow(`The allowed address "${rule}" is not understood.`);
  });
});

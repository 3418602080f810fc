import { expect, test } from '@jest/globals';
import { proxyOptions } from './proxy.ts';

test('exceptions reach Node in the notations of its agents and of its fetch', () => {
  const exceptions = ['fd00::1', '[fd00::2]', '10.0.0.0/9', 'hooks.example.com:8080'];
  const { proxyEnv } = proxyOptions({ http: 'http://[fd00::3]:3128', https: null, exceptions });
  expect(proxyEnv).toMatchObject({ HTTP_PROXY: 'http://[fd00::3]:3128' });
  const loopback = 'localhost,.localhost,127.0.0.1,127.0.0.0-127.255.255.255,::1,[::1]';
  const written = 'fd00::1,[fd00::1],fd00::2,[fd00::2],10.0.0.0-10.127.255.255,hooks.example.com:8080';
  expect(proxyEnv?.['NO_PROXY']).toBe(`${loopback},${written}`);
});

import { expect, test } from '@jest/globals';
import { chromiumArguments } from './launch-browser.ts';

const route = (proxy: Parameters<typeof chromiumArguments>[0]['proxy']): string[] =>
  chromiumArguments({ simulator: null, proxy }).filter((argument) => argument.startsWith('--proxy-'));

test('a proxy is given per scheme, with its exceptions in the form of Chromium', () => {
  const [http, https] = ['http://proxy.example.com:3128', 'http://10.0.0.9:3129'];
  expect(route(null)).toEqual([]);
  expect(route({ http: null, https, exceptions: [] })).toEqual([`--proxy-server=https=${https}`]);
  const exceptions = ['.example.com', 'host:8443', '10.0.0.0/8', 'fd00::1'];
  expect(route({ http, https, exceptions })).toEqual([
    `--proxy-server=http=${http};https=${https}`,
    '--proxy-bypass-list=example.com;.example.com;host:8443;10.0.0.0/8;[fd00::1]',
  ]);
});

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openSimulator } from '@rapporteur/simulator/shared';
import type { OpenSimulator } from '@rapporteur/simulator/shared';
import { startReceiver } from '@rapporteur/testbed/receiver';
import type { Receiver } from '@rapporteur/testbed/receiver';
import type { Browser, BrowserContext } from 'playwright-core';
import { signInToMeet } from '../sign-in/meet-sign-in.ts';
import type { SignInPorts } from '../sign-in/sign-in.ts';
import { signInToTeams } from '../sign-in/teams-sign-in.ts';
import { launchTestBrowser } from '../testing/test-browser.ts';

let simulator: OpenSimulator;
let browser: Browser;
let identityProvider: Receiver;
let signInUrl = '';

beforeAll(async () => {
  simulator = await openSimulator();
  browser = await launchTestBrowser(`--host-resolver-rules=${simulator.hostResolverRules}`);
  identityProvider = await startReceiver((_call, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<h1>Sign-in refused</h1>This test has no users.');
  });
  signInUrl = `${identityProvider.url}/sign-in`;
}, 60_000);

afterAll(async () => {
  await browser.close();
  await identityProvider.close();
  await simulator.stop();
});

const clock: SignInPorts['clock'] = {
  now: Date.now,
  sleep: async (ms) => {
    await sleep(ms);
  },
};

async function inBrowser<T>(
  work: (ports: SignInPorts & { readonly context: BrowserContext }) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'en-US' });
  try {
    return await work({ context, clock, signal: AbortSignal.timeout(30_000), timeoutMs: 6_000 });
  } finally {
    await context.close();
  }
}

async function configure(path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${simulator.controlUrl}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}

const password = 'correct horse';
const signInAs = async (email: string, over: object = {}, given = password) => {
  await configure('/microsoft-accounts', { email, password, ...over });
  return await inBrowser((ports) => signInToTeams(ports, { email, password: given }));
};

describe('the sign-in at Microsoft, whose pages keep the fields of other steps out of sight', () => {
  test('types the email before the password, and stays signed in to nothing else', async () => {
    expect(await signInAs('one@fields.example')).toEqual({ signedIn: true });
  });

  test('takes a refused password for wrong credentials', async () => {
    expect(await signInAs('two@fields.example', {}, 'wrong')).toMatchObject({ reason: 'invalid-credentials' });
  });

  test.each([
    ['mfa', 'mfa-required'],
    ['captcha', 'captcha'],
  ])('reports %s and does not go on', async (wall, reason) => {
    expect(await signInAs(`${wall}@fields.example`, { wall })).toMatchObject({ signedIn: false, reason });
  });

  test('names a page that it does not recognise, with what it shows', async () => {
    expect(await signInAs('three@fields.example', { wall: 'unknown' })).toMatchObject({
      reason: 'unknown-page',
      message: expect.stringMatching(
        /login\.microsoftonline\.com \(heading "Help us protect your account", fields none\)/,
      ),
    });
  });

  test('names the host where a federated domain continues', async () => {
    await configure('/microsoft-accounts', {
      email: 'a@federated.example',
      password,
      federatedHost: 'adfs.federated.example',
    });
    const outcome = await inBrowser(async (ports) => {
      const body = '<h1>Sign in</h1><form><input name="UserName"><input name="Password" type="password"></form>';
      await ports.context.route('https://adfs.federated.example/**', (route) =>
        route.fulfill({ contentType: 'text/html', body }),
      );
      return await signInToTeams(ports, { email: 'a@federated.example', password });
    });
    expect(outcome).toMatchObject({
      reason: 'unknown-page',
      message: expect.stringContaining('adfs.federated.example'),
    });
  });
});

describe('the sign-in at Google', () => {
  const signIn = async (domain: string, over: object) => {
    const certificates = ['-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----'];
    await configure('/google-domains', { domain, signInUrl, certificates, ...over });
    const login = { domain, email: `bot@${domain}`, signInUrl, ticketCookie: 'ticket', ticket: 't' };
    return await inBrowser((ports) => signInToMeet(ports, login));
  };

  test.each(['profile', 'username'])(
    'reaches the identity provider with domain-specific service URLs to %s',
    async (serviceUrls) => {
      expect(await signIn(`${serviceUrls}.example.com`, { serviceUrls })).toMatchObject({
        reason: 'saml-rejected',
        message: expect.stringContaining('This test has no users.'),
      });
    },
  );

  test('names a page that it does not recognise, which says nothing about the login', async () => {
    expect(await signIn('more.example.com', { serviceUrls: 'username', behavior: 'asks-more' })).toMatchObject({
      reason: 'unknown-page',
      message: expect.stringMatching(/accounts\.google\.com \(heading "Keep your account safe", fields phoneNumber\)/),
    });
  });
});

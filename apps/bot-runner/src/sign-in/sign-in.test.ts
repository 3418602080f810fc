import { expect, test } from '@jest/globals';
import type { SignInRequest, SignInResponse } from '@rapporteur/contracts';
import type { Clock } from '@rapporteur/service-runtime/process';
import type { BrowserContext } from 'playwright-core';
import { quietLogger } from '../testing/quiet-logger.ts';
import { SignIn } from './sign-in.ts';

/** A browser whose every page shows this. */
function browserThatShows(shown: { heading: string; fields: readonly object[]; text: string }): BrowserContext {
  const hidden = {
    first: () => hidden,
    filter: () => hidden,
    isVisible: async () => false,
    evaluate: async () => shown,
  };
  const page = {
    goto: async () => null,
    url: () => 'https://login.microsoftonline.com/common/step',
    close: async () => undefined,
    locator: () => hidden,
  };
  const context = { newPage: async () => page, cookies: async () => [], clearCookies: async () => undefined };
  return context as unknown as BrowserContext;
}

/** The end of a sign-in at such a page with a pool of two logins, and the requests for one. */
async function signInAt(shown: Parameters<typeof browserThatShows>[0]) {
  const requested: SignInRequest['failed'][] = [];
  let nowMs = 0;
  const clock = { now: () => nowMs, sleep: async (ms: number) => void (nowMs += ms) } as unknown as Clock;
  const context = browserThatShows(shown);
  const signIn = new SignIn({
    platform: 'teams',
    request: async (failed): Promise<SignInResponse> => {
      requested.push(failed);
      if (requested.length > 2) return { outcome: 'refused', message: 'No login is left.' };
      const credentialId = `00000000-0000-4000-8000-00000000000${requested.length}`;
      return {
        outcome: 'credentials',
        credentials: { platform: 'teams', credentialId, email: 'a@b.example', password: 'p' },
      };
    },
    context: () => context,
    clock,
    logger: quietLogger,
  });
  return { end: await signIn.ready(new AbortController().signal), requested };
}

test('a page that is not known is reported as that, and no other login of the pool is tried', async () => {
  const shown = { heading: 'Help us protect your account', fields: [], text: 'Update your phone.' };
  const { end, requested } = await signInAt(shown);
  expect(end).toMatchObject({
    code: 'TEAMS_LOGIN_FAILED_TIMEOUT',
    message: expect.stringContaining('does not recognise the sign-in page at login.microsoftonline.com'),
  });
  expect(requested).toMatchObject([null, { credentialId: expect.stringMatching(/1$/), unknownPage: true }]);
});

test.each([
  ['Your account or password is incorrect.', 'TEAMS_LOGIN_FAILED_INVALID_CREDENTIALS'],
  ['Approve sign in request', 'TEAMS_LOGIN_FAILED_MFA_REQUIRED'],
  ['Enter the characters you see', 'TEAMS_LOGIN_FAILED_CAPTCHA'],
])('"%s" ends in %s when every login of the pool meets it', async (text, code) => {
  const { end, requested } = await signInAt({ heading: '', fields: [], text });
  expect(end).toMatchObject({ code });
  expect(requested).toMatchObject([
    null,
    { code, credentialId: expect.stringMatching(/1$/), unknownPage: false },
    { code, credentialId: expect.stringMatching(/2$/), unknownPage: false },
  ]);
});

import { expect, test } from '@jest/globals';
import type { BrowserContext } from 'playwright-core';
import { signInToTeams } from './teams-sign-in.ts';

interface ShownPage {
  readonly text: string;
  readonly fields?: readonly string[];
}

/** A login host that shows the pages one after the other; the session cookie is there from the first on. */
function contextOf(pages: readonly ShownPage[]): { context: BrowserContext; pressed: string[] } {
  const pressed: string[] = [];
  const shown = (): ShownPage => pages[Math.min(pressed.length, pages.length - 1)]!;
  const locator = (selector: string): object => ({
    evaluate: async () => {
      const { text, fields = [] } = shown();
      return { heading: '', text, fields: fields.map((name) => ({ name, place: 0 })) };
    },
    isVisible: async () => false,
    fill: async () => undefined,
    click: async () => void pressed.push(selector),
    filter: () => locator(selector),
    first: () => locator(selector),
    nth: () => locator(selector),
  });
  const page = {
    goto: async () => null,
    url: () => 'https://login.microsoftonline.com/',
    locator,
    close: async () => undefined,
  };
  const context = { newPage: async () => page, cookies: async () => [{ name: 'ESTSAUTH', value: 'x' }] };
  return { context: context as unknown as BrowserContext, pressed };
}

async function signIn(pages: readonly ShownPage[]) {
  let nowMs = 0;
  const { context, pressed } = contextOf(pages);
  const clock = { now: () => nowMs, sleep: async (ms: number) => void (nowMs += ms) };
  const ports = { context, clock, signal: new AbortController().signal };
  return { outcome: await signInToTeams(ports, { email: 'bot@example.com', password: 'secret' }), pressed };
}

test('a session cookie beside a page that asks for a second factor is no sign-in', async () => {
  const { outcome } = await signIn([{ text: 'Approve sign in request' }]);
  expect(outcome).toMatchObject({ signedIn: false, reason: 'mfa-required' });
});

test('neither is one beside a form or the question whether to stay signed in, which is answered first', async () => {
  const { outcome, pressed } = await signIn([
    { text: 'Enter password', fields: ['passwd'] },
    { text: 'Stay signed in?' },
    { text: 'Welcome' },
  ]);
  expect(outcome).toEqual({ signedIn: true });
  expect(pressed).toEqual(['#idSIButton9, input[type="submit"]', '#idBtn_Back']);
});

import { expect, test } from '@jest/globals';
import { createGooglePages } from './google-pages.ts';

test('the simulator replaces Google only for domains that cannot be registered', async () => {
  const requested: string[] = [];
  const request = async ({ url }: { readonly url: string }) => {
    requested.push(new URL(url).host);
    return { status: 200, headers: {}, body: Buffer.from('') } as never;
  };
  const pages = createGooglePages({ http: { request }, simulatedGoogleUrl: 'http://127.0.0.1:8090/google' });
  for (const domain of ['bots.example.com', 'bots.example', 'contoso.com', 'example.com.evil.org']) {
    await pages.startSignIn(domain, 'https://api.example/sign-in');
    await pages.postResponse(domain, `https://www.google.com/a/${domain}/acs`, {});
  }
  expect(requested).toEqual([
    ...Array.from({ length: 4 }, () => '127.0.0.1:8090'),
    'mail.google.com',
    'www.google.com',
    'mail.google.com',
    'www.google.com',
  ]);
});

test.each([
  ['https://accounts.google.com/speedbump/samlconfirmaccount?x=1', 'accepted'],
  ['https://accounts.google.com/CheckCookie?continue=x', 'accepted'],
  ['https://accounts.google.com/v3/signin/rejected', 'unknown'],
  ['https://accounts.google.com.evil.example/speedbump/', 'unknown'],
])('a response that continues at %s is %s', async (location, outcome) => {
  const request = async () => ({ status: 302, headers: { location }, body: Buffer.from('') }) as never;
  const pages = createGooglePages({ http: { request }, simulatedGoogleUrl: null });
  expect(await pages.postResponse('contoso.com', 'https://www.google.com/a/contoso.com/acs', {})).toMatchObject({
    outcome,
  });
});

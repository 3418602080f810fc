import { failure, runSignIn, visibleText } from './sign-in.ts';
import type { SignInOutcome, SignInPorts } from './sign-in.ts';

export interface MeetSignIn {
  readonly domain: string;
  /** The identity provider's address; the ticket is sent there and nowhere else. */
  readonly signInUrl: string;
  readonly ticketCookie: string;
  readonly ticket: string;
}

const googleOrigins = ['https://accounts.google.com', 'https://www.google.com', 'https://meet.google.com'];
const sessionCookies: ReadonlySet<string> = new Set([
  'SID',
  'HSID',
  'SSID',
  'APISID',
  'SAPISID',
  '__Secure-1PSID',
  '__Secure-3PSID',
]);
const rejected =
  /cannot be accessed because|could not be verified|invalid (?:recipient|saml|login) |saml (?:response|assertion|request)|unable to process your request/i;

/** Signs in through the domain's SAML identity provider. */
export async function signInToMeet(ports: SignInPorts, signIn: MeetSignIn): Promise<SignInOutcome> {
  const { context } = ports;
  const { signInUrl, ticketCookie, ticket } = signIn;
  const secure = signInUrl.startsWith('https:');
  await context.addCookies([
    { name: ticketCookie, value: ticket, url: signInUrl, httpOnly: true, secure, sameSite: 'Lax' },
  ]);
  const address = `https://mail.google.com/a/${encodeURIComponent(signIn.domain)}`;
  return await runSignIn(ports, address, async (page) => {
    const cookies = await context.cookies(googleOrigins);
    const url = page.url();
    // Before the first sign-in of an account in a browser Google requests a confirmation.
    const confirm = page.getByRole('button', { name: 'Continue' });
    if (url.includes('/speedbump/samlconfirmaccount') && (await confirm.isVisible())) {
      await confirm.click({ timeout: 1_000 });
      return null;
    }
    if (cookies.some(({ name, value }) => sessionCookies.has(name) && value !== '')) return { signedIn: true };
    if (url === signInUrl || url.startsWith(`${signInUrl}?`)) {
      const shown = await visibleText(page);
      if (!shown.includes('Sign-in refused')) return null;
      const [, sentence = ''] = shown.split('Sign-in refused');
      return failure(page, 'saml-rejected', `The identity provider refused the request. ${oneLine(sentence)}`.trim());
    }
    if (!/(^|\.)google\.com$/.test(new URL(url).hostname)) return null;
    const shown = await visibleText(page);
    if (!rejected.test(shown)) return null;
    return failure(page, 'saml-rejected', `Google rejected the SAML assertion: ${oneLine(shown)}`);
  });
}

function oneLine(shown: string): string {
  return shown.replaceAll(/\s+/g, ' ').trim().slice(0, 300);
}

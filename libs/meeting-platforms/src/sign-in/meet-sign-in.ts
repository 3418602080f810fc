import { failure, fillShown, oneLine, runSignIn } from './sign-in.ts';
import type { ShownPage, SignInOutcome, SignInPorts } from './sign-in.ts';

export interface MeetSignIn {
  readonly domain: string;
  /** Typed where Google requests the user name. */
  readonly email: string;
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
  let isNamed = false;
  return await runSignIn(ports, address, async (page, shown) => {
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
      if (!shown.text.includes('Sign-in refused')) return null;
      const [, sentence = ''] = shown.text.split('Sign-in refused');
      return failure(page, 'saml-rejected', `The identity provider refused the request. ${oneLine(sentence)}`.trim());
    }
    if (!/(^|\.)google\.com$/.test(shown.host)) return isEmpty(shown) ? null : 'unknown';
    if (rejected.test(shown.text))
      return failure(page, 'saml-rejected', `Google rejected the SAML assertion: ${oneLine(shown.text)}`);
    // Where the domain's service URLs do not lead to a profile, Google requests the user name first.
    const [name, next] = ['identifier', '#identifierNext button'];
    if (shown.fields.some((field) => field.name === name)) {
      isNamed = isNamed || (await fillShown(page, shown, { name, value: signIn.email, submit: next }));
      return null;
    }
    return isEmpty(shown) || new URL(url).pathname.endsWith('/acs') ? null : 'unknown';
  });
}

const isEmpty = ({ heading, fields }: ShownPage): boolean => heading === '' && fields.length === 0;

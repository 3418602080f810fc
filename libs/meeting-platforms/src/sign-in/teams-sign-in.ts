import type { Page } from 'playwright-core';
import { failure, runSignIn, visibleText } from './sign-in.ts';
import type { SignInFailureReason, SignInOutcome, SignInPorts } from './sign-in.ts';

export interface TeamsSignIn {
  readonly email: string;
  readonly password: string;
}

const address = 'https://login.microsoftonline.com/';
const sessionCookies: ReadonlySet<string> = new Set(['ESTSAUTH', 'ESTSAUTHPERSISTENT']);
const pressTimeoutMs = 2_000;

/** The pages that end a sign-in, in the order of the checks. */
const walls: readonly { readonly reason: SignInFailureReason; readonly text: RegExp; readonly message: string }[] = [
  {
    reason: 'captcha',
    text: /enter the characters you see|verify you(?:'|’)?re (?:a real person|not a robot)|help us beat the robots/i,
    message: 'Microsoft asked for a captcha, which the bot does not solve.',
  },
  {
    reason: 'mfa-required',
    text: /approve (?:a )?sign[- ]in request|enter (?:the )?code|verify your identity|more information required|authenticator/i,
    message: 'Microsoft asked for a second factor.',
  },
  {
    reason: 'invalid-credentials',
    text: /account or password is incorrect|couldn(?:'|’)t find an account|account doesn(?:'|’)t exist|account has been locked/i,
    message: 'Microsoft did not accept the email and password.',
  },
];

/** Signs in with email and password. Captchas and second factors are reported, never solved. */
export async function signInToTeams(ports: SignInPorts, signIn: TeamsSignIn): Promise<SignInOutcome> {
  const pressed = new Set<string>();
  /** Each form is sent once; any response is read. */
  const once = async (step: string, work: () => Promise<void>): Promise<void> => {
    if (pressed.has(step)) return;
    await work();
    pressed.add(step);
  };
  return await runSignIn(ports, address, async (page) => {
    const shown = await visibleText(page);
    const wall = walls.find(({ text }) => text.test(shown));
    if (wall !== undefined) return failure(page, wall.reason, wall.message);
    if (await page.locator('#usernameError, #passwordError').first().isVisible()) {
      return failure(page, 'invalid-credentials', 'Microsoft did not accept the email and password.');
    }
    if (/stay signed in\?/i.test(shown)) await once('stay', () => press(page, '#idBtn_Back'));
    else if (await page.locator('input[name="passwd"]').isVisible())
      await once('password', () => submit(page, 'input[name="passwd"]', signIn.password));
    else if (await page.locator('input[name="loginfmt"]').isVisible())
      await once('email', () => submit(page, 'input[name="loginfmt"]', signIn.email));
    // A session cookie may come with a page that still requires something.
    else if (await hasSession(ports)) return { signedIn: true };
    return null;
  });
}

async function hasSession({ context }: SignInPorts): Promise<boolean> {
  const cookies = await context.cookies(address);
  return cookies.some(({ name, value }) => sessionCookies.has(name) && value !== '');
}

async function submit(page: Page, field: string, value: string): Promise<void> {
  await page.locator(field).fill(value, { timeout: pressTimeoutMs });
  await press(page, 'input[type="submit"]');
}

async function press(page: Page, control: string): Promise<void> {
  await page.locator(control).first().click({ timeout: pressTimeoutMs });
}

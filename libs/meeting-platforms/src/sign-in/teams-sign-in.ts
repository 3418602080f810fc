import { failure, fillShown, press, runSignIn } from './sign-in.ts';
import type { SignInFailureReason, SignInOutcome, SignInPorts } from './sign-in.ts';

export interface TeamsSignIn {
  readonly email: string;
  readonly password: string;
}

const address = 'https://login.microsoftonline.com/';
const sessionCookies: ReadonlySet<string> = new Set(['ESTSAUTH', 'ESTSAUTHPERSISTENT']);

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

const submit = '#idSIButton9, input[type="submit"]';
/** Hosts of Microsoft's own sign-in; a federated domain continues elsewhere. */
const ownHosts = /(^|\.)(microsoftonline\.com|microsoft\.com|live\.com|office\.com|msauth\.net|cloud\.microsoft)$/;

/** Signs in with email and password. Captchas and second factors are reported, never solved. */
export async function signInToTeams(ports: SignInPorts, signIn: TeamsSignIn): Promise<SignInOutcome> {
  const done = new Set<string>();
  /** Each form is sent once; any response is read. */
  const once = async (step: string, work: () => Promise<unknown>): Promise<null> => {
    if (!done.has(step)) await work();
    done.add(step);
    return null;
  };
  return await runSignIn(ports, address, async (page, shown) => {
    const { host, heading, fields, text } = shown;
    const has = (name: string): boolean => fields.some((field) => field.name === name);
    if (!ownHosts.test(host) && fields.length > 0) {
      const message = `The domain of the login is federated: its sign-in continues at ${host}. Use a user whose password Microsoft checks.`;
      return failure(page, 'unknown-page', message);
    }
    const wall = walls.find((one) => one.text.test(text));
    if (wall !== undefined) return failure(page, wall.reason, wall.message);
    if (await page.locator('#usernameError, #passwordError').filter({ visible: true }).first().isVisible())
      return failure(page, 'invalid-credentials', 'Microsoft did not accept the email and password.');
    if (/stay signed in\?/i.test(heading) || /stay signed in\?/i.test(text))
      return await once('stay', () => press(page, '#idBtn_Back'));
    const fill = (name: string, value: string) => once(name, () => fillShown(page, shown, { name, value, submit }));
    if (has('loginfmt')) return await fill('loginfmt', signIn.email);
    if (has('passwd')) return await fill('passwd', signIn.password);
    // A session cookie may come with a page that still requires something.
    const cookies = await ports.context.cookies(address);
    if (cookies.some(({ name, value }) => sessionCookies.has(name) && value !== '')) return { signedIn: true };
    return heading === '' && fields.length === 0 ? null : 'unknown';
  });
}

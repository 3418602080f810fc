import type { EndCode } from '@rapporteur/bot-lifecycle';
import type {
  LoginPlatform,
  SignInResponse,
  SignInCredentials,
  SignInFailure,
  SignInRequest,
} from '@rapporteur/contracts';
import { eraseSession, signInToMeet, signInToTeams } from '@rapporteur/meeting-platforms';
import type { SignInFailureReason, SignInOutcome } from '@rapporteur/meeting-platforms';
import type { BrowserContext } from 'playwright-core';
import type { CodedEnd } from '../attendance/end-codes.ts';
import type { AttendanceListener } from '../attendance/attendance-listener.ts';
import type { RunContext } from '../run-context.ts';

export interface SignInDependencies extends Pick<RunContext, 'clock' | 'logger'> {
  readonly platform: LoginPlatform;
  /** Issues a login, and another one after a failure. */
  readonly request: (failed: SignInRequest['failed']) => Promise<SignInResponse>;
  /** The context of the page that joins the meeting. */
  readonly context: () => BrowserContext;
  /** For one login; default 30 000. */
  readonly timeoutMs?: number;
}

const failureCodes = {
  meet: {
    'saml-rejected': 'MEET_LOGIN_FAILED_SAML_REJECTED',
    'invalid-credentials': 'MEET_LOGIN_FAILED_TIMEOUT',
    captcha: 'MEET_LOGIN_FAILED_TIMEOUT',
    'mfa-required': 'MEET_LOGIN_FAILED_TIMEOUT',
    timeout: 'MEET_LOGIN_FAILED_TIMEOUT',
    'unknown-page': 'MEET_LOGIN_FAILED_TIMEOUT',
  },
  teams: {
    'saml-rejected': 'TEAMS_LOGIN_FAILED_TIMEOUT',
    'invalid-credentials': 'TEAMS_LOGIN_FAILED_INVALID_CREDENTIALS',
    captcha: 'TEAMS_LOGIN_FAILED_CAPTCHA',
    'mfa-required': 'TEAMS_LOGIN_FAILED_MFA_REQUIRED',
    timeout: 'TEAMS_LOGIN_FAILED_TIMEOUT',
    'unknown-page': 'TEAMS_LOGIN_FAILED_TIMEOUT',
  },
} as const satisfies Record<LoginPlatform, Record<SignInFailureReason, SignInFailure['code'] & EndCode>>;

const unavailable = { meet: 'MEET_LOGIN_UNAVAILABLE', teams: 'TEAMS_LOGIN_UNAVAILABLE' } as const;
/** Limits the logins tried, so that the join is not delayed further. */
const mostLogins = 3;

/** Signs the bot's browser in before it opens the meeting, and out at the end. */
export class SignIn implements AttendanceListener {
  readonly #dependencies: SignInDependencies;
  #signedIn: BrowserContext | null = null;

  constructor(dependencies: SignInDependencies) {
    this.#dependencies = dependencies;
  }

  async ready(signal: AbortSignal): Promise<CodedEnd | null> {
    return await this.#signIn(signal);
  }

  /** A browser that replaces a lost one has no session; a new page in the same browser has. */
  async renew(signal: AbortSignal): Promise<void> {
    if (this.#signedIn === this.#dependencies.context()) return;
    const end = await this.#signIn(signal);
    if (end !== null)
      this.#dependencies.logger.warn({ code: end.code }, `The bot could not sign in again. ${end.message}`);
  }

  async over(): Promise<void> {
    const context = this.#signedIn;
    this.#signedIn = null;
    if (context !== null) await eraseSession(context);
  }

  async #signIn(signal: AbortSignal): Promise<CodedEnd | null> {
    const { platform, logger } = this.#dependencies;
    let failed: SignInFailure | null = null;
    for (let tried = 0; ; tried += 1) {
      const response = await this.#dependencies.request(failed);
      if (response.outcome === 'refused') {
        return failed === null
          ? { code: unavailable[platform], message: response.message }
          : { code: failed.code, message: failed.message };
      }
      // The last failure was reported, and no further login is tried: another one finds the same unknown page.
      if (failed !== null && (tried >= mostLogins || failed.unknownPage))
        return { code: failed.code, message: failed.message };
      const { credentialId } = response.credentials;
      const outcome = await this.#use(response.credentials, signal);
      if (outcome.signedIn) {
        this.#signedIn = this.#dependencies.context();
        logger.info({ step: 'signed-in', credentialId }, 'The bot is signed in.');
        return null;
      }
      failed = this.#failureOf(credentialId, outcome);
      logger.warn(
        { credentialId, code: failed.code, host: failed.finalUrlHost },
        `A sign-in failed. ${failed.message}`,
      );
    }
  }

  async #use(credentials: SignInCredentials, signal: AbortSignal): Promise<SignInOutcome> {
    const { clock, timeoutMs } = this.#dependencies;
    const context = this.#dependencies.context();
    await eraseSession(context);
    const ports = { context, clock, signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
    return credentials.platform === 'meet'
      ? await signInToMeet(ports, credentials)
      : await signInToTeams(ports, credentials);
  }

  #failureOf(credentialId: string, outcome: Extract<SignInOutcome, { signedIn: false }>): SignInFailure {
    const { reason, message, finalUrlHost } = outcome;
    const code = failureCodes[this.#dependencies.platform][reason];
    const unknownPage = reason === 'unknown-page';
    return {
      credentialId,
      code,
      message: message.slice(0, 1_000),
      idpStatus: null,
      idpSubStatus: null,
      finalUrlHost,
      unknownPage,
    };
  }
}

import express from 'express';
import type { Response } from 'express';
import * as z from 'zod';

export const microsoftAccountSchema = z.strictObject({
  email: z.string().min(3).max(254),
  password: z.string().min(1).max(1_024),
  /** The step between a correct password and the session. */
  wall: z.enum(['none', 'captcha', 'mfa', 'stalls', 'unknown']).default('none'),
  /** The host of the organization's own sign-in, where the domain is federated. */
  federatedHost: z.string().max(253).optional(),
  /** Shows the "stay signed in" prompt. */
  requestStay: z.boolean().default(true),
});
export type MicrosoftAccount = z.infer<typeof microsoftAccountSchema>;

/** Accounts of simulated Microsoft 365 tenants. */
export class MicrosoftAccounts {
  readonly #accounts = new Map<string, MicrosoftAccount>();

  set(account: MicrosoftAccount): void {
    this.#accounts.set(account.email.toLowerCase(), account);
  }

  find(email: unknown): MicrosoftAccount | null {
    return (typeof email === 'string' ? this.#accounts.get(email.toLowerCase()) : undefined) ?? null;
  }
}

const wallWords = {
  captcha: 'Enter the characters you see',
  mfa: 'Approve sign in request. Open your Authenticator app.',
  stalls: 'Working on it',
  unknown: 'Help us protect your account',
} as const;

/** The pages of `login.microsoftonline.com` during a sign-in with a password. */
export function microsoftRoutes(accounts: MicrosoftAccounts): express.Router {
  const router = express.Router();
  const read = express.urlencoded({ extended: false, limit: 20_000 });
  router.get('/', (_request, response) => emailPage(response));
  router.post('/email', read, (request, response) => {
    const { loginfmt } = (request.body ?? {}) as Record<string, unknown>;
    const account = accounts.find(loginfmt);
    if (account === null) return emailPage(response, "We couldn't find an account with that username.");
    if (account.federatedHost !== undefined) return response.redirect(303, `https://${account.federatedHost}/adfs/ls/`);
    return passwordPage(response, account.email);
  });
  router.post('/password', read, (request, response) => {
    const { account: email, passwd } = (request.body ?? {}) as Record<string, unknown>;
    const account = accounts.find(email);
    if (account === null) return emailPage(response);
    if (passwd !== account.password)
      return passwordPage(response, account.email, 'Your account or password is incorrect.');
    if (account.wall !== 'none') return send(response, wallWords[account.wall], '');
    if (!account.requestStay) return signedIn(response, account.email);
    return send(
      response,
      'Stay signed in?',
      `${form('stay', account.email)}<input type="submit" id="idSIButton9" value="Yes"><input type="submit" id="idBtn_Back" value="No"></form>`,
    );
  });
  router.post('/stay', read, (request, response) => {
    const account = accounts.find(((request.body ?? {}) as Record<string, unknown>)['account']);
    if (account === null) return emailPage(response);
    return signedIn(response, account.email);
  });
  return router;
}

function emailPage(response: Response, error?: string): void {
  const field = `<input name="loginfmt" id="i0116" type="email" placeholder="Email, phone, or Skype">${parked('passwd', 'password')}`;
  const shown = error === undefined ? '' : `<div id="usernameError">${error}</div>`;
  send(
    response,
    'Sign in',
    `<form method="post" action="/email">${field}${shown}<input type="submit" id="idSIButton9" value="Next"></form>`,
  );
}

function passwordPage(response: Response, email: string, error?: string): void {
  const field = `${parked('loginfmt', 'text')}<input name="passwd" id="i0118" type="password" placeholder="Password">`;
  const shown = error === undefined ? '' : `<div id="passwordError">${error}</div>`;
  send(
    response,
    'Enter password',
    `${form('password', email)}${field}${shown}<input type="submit" id="idSIButton9" value="Sign in"></form>`,
  );
}

/** The field of another step: in the page, and out of sight as in Microsoft's, where it keeps a border and a padding. */
function parked(name: string, type: string): string {
  return `<input name="${name}" type="${type}" class="moveOffScreen" aria-hidden="true" tabindex="-1" style="position:fixed;bottom:0;right:0;width:0;height:0;opacity:0">`;
}

function form(action: string, email: string): string {
  return `<form method="post" action="/${action}"><input type="hidden" name="account" value="${escaped(email)}">`;
}

/** The session is valid at the login host and, through a redirect, at Teams. */
function signedIn(response: Response, email: string): void {
  const options = { path: '/', secure: true, sameSite: 'none' } as const;
  response.cookie('ESTSAUTH', 'simulated', { ...options, httpOnly: true });
  response.redirect(303, `https://teams.microsoft.com/simulated-sign-in?account=${encodeURIComponent(email)}`);
}

/** On the hosts of Teams: the last page of a sign-in. */
export const teamsSignedIn: express.RequestHandler = (request, response) => {
  const { account } = request.query;
  const options = { path: '/', secure: true, sameSite: 'none' } as const;
  response.cookie('simulated-account', typeof account === 'string' ? account : '', options);
  send(response, 'Microsoft Teams', '<p>Welcome</p>');
};

function send(response: Response, title: string, content: string): void {
  response
    .set('cache-control', 'no-store')
    .type('html')
    .send(`<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${content}</html>`);
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

import { hkdfSync } from 'node:crypto';
import { promisify } from 'node:util';
import connectPgSimple from 'connect-pg-simple';
import type { CookieOptions, Request, RequestHandler, Response } from 'express';
import session from 'express-session';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { openSecretBox } from '@rapporteur/secret-box';
import type { Clock, ConfigOf } from '@rapporteur/service-runtime';
import type { consoleConfig } from '../config.ts';
import { providerTokens } from '../oidc/identity-provider.ts';
import type { IdentityProvider, LoggedOut, ProviderTokens, SignedInUser } from '../oidc/identity-provider.ts';
import { userName } from '../oidc/user.ts';
import { accessOf, withoutTeam } from '../oidc/team-access.ts';
import type { AccessRules, Role, TeamAccess } from '../oidc/team-access.ts';

/** A sign-in with an API key. */
export interface KeySession {
  readonly kind: 'key';
  readonly apiKey: string;
}

/** A sign-in through the identity provider. */
export interface UserSession {
  readonly kind: 'user';
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  readonly teams: readonly TeamAccess[];
  /** The team of `teams` that is selected. */
  readonly teamId: string;
  readonly role: Role;
}

export type Session = KeySession | UserSession;

/** What a session stores; `sealed` is the API key, or the tokens of the provider. */
type SignIn = { readonly kind: 'key'; readonly sealed: string } | UserSignIn;

interface UserSignIn extends Omit<UserSession, 'role'> {
  readonly sealed: string;
  /** The identity provider's id of its own session, where it gives one. */
  readonly providerSession: string | null;
  /** Epoch milliseconds: when the provider last confirmed the user and the roles, and when it was last requested. */
  readonly confirmedAt: number;
  readonly triedAt: number;
}

declare module 'express-session' {
  interface SessionData {
    signIn: SignIn;
  }
}

export type Sessions = ReturnType<typeof createSessions>;

/** How users sign in; null where only API keys do. */
export interface IdentityDependencies {
  readonly provider: IdentityProvider;
  readonly rules: AccessRules;
}

export interface SessionsDependencies {
  readonly database: Database;
  readonly config: Pick<
    ConfigOf<typeof consoleConfig>,
    'secretKey' | 'formerSecretKeys' | 'sessionHours' | 'publicUrl'
  >;
  readonly clock: Clock;
  readonly identity: IdentityDependencies | null;
}

/** A revoked role ends after this time and one request to the provider. */
const confirmEveryMs = 30_000;
const retryEveryMs = 10_000;
/** Five requests of 5 s at most. */
const claimMs = 30_000;
const longestOutageMs = 300_000;

export function createSessions(dependencies: SessionsDependencies) {
  const { database, clock, identity, config } = dependencies;
  const secure = config.publicUrl?.startsWith('https:') === true;
  // With https, the prefix `__Host-` binds the cookie to this host: no other host can set one of this name.
  const name = secure ? '__Host-rapporteur_console' : 'rapporteur_console';
  const cookie: CookieOptions = { httpOnly: true, sameSite: 'strict', secure, path: secure ? '/' : '/console' };
  const store = new (connectPgSimple(session))({
    pgPromise: { any: (sql: string, parameters: unknown[]) => database.query(sql, parameters) },
    tableName: 'sessions',
    // The lifetime begins at the sign-in and is not extended.
    disableTouch: true,
    pruneSessionInterval: false,
  });
  const context: Context = { database, clock, identity, ...sealedWith(config), confirming: new Map() };
  const begin = async (request: Request, signIn: SignIn): Promise<void> => {
    // An id that is not stored is never used: only that of a stored session has to change.
    if (request.session.signIn !== undefined) await promisify(request.session.regenerate.bind(request.session))();
    request.session.signIn = signIn;
    await promisify(request.session.save.bind(request.session))();
  };
  const secret = signingKeys(config);
  const lasting = { ...cookie, maxAge: config.sessionHours * 3_600_000 };
  return {
    /** Precede every route that reads a session. */
    handlers: [
      beforeCookies(name, secure),
      session({ name, store, secret, cookie: lasting, resave: false, saveUninitialized: false }),
    ],
    createForKey: async (request: Request, apiKey: string): Promise<KeySession> => {
      await begin(request, { kind: 'key', sealed: context.seal('api_key', apiKey) });
      return { kind: 'key', apiKey };
    },
    /** Throws CONSOLE_SIGN_IN for a user without a team. */
    createForUser: (request: Request, user: SignedInUser) => begin(request, signInOf(context, user)),
    /**
     * Null without a session, or when the user lost every team. A user is confirmed by the provider every 30 seconds;
     * UNAVAILABLE when it has not responded for five minutes.
     */
    read: (request: Request) => readSession(context, request),
    /** Ends a session on every replica. @returns where the browser signs out of the provider, if anywhere */
    end: async (request: Request, response: Response): Promise<URL | null> => {
      const { signIn } = request.session;
      await promisify(request.session.destroy.bind(request.session))();
      response.clearCookie(name, cookie);
      const tokens = signIn?.kind === 'user' ? tokensOf(context, signIn) : null;
      return tokens === null || identity === null ? null : identity.provider.signOutUrl(tokens);
    },
    endOf: async (who: LoggedOut): Promise<void> => {
      const { issuer } = neededIdentity(identity).provider;
      const signIn = JSON.stringify({ issuer, ...who });
      await database.query(`delete from sessions where sess -> 'signIn' @> $1`, [signIn]);
    },
    /** Throws FORBIDDEN for a team that is not the user's. */
    chooseTeam: async ({ sessionID }: Request, current: Session, teamId: string): Promise<UserSession> => {
      const chosen = current.kind === 'user' ? current.teams.find((team) => team.team_id === teamId) : undefined;
      if (current.kind !== 'user' || chosen === undefined)
        throw fail('FORBIDDEN', { message: 'This team is not yours.' });
      await change(context, sessionID, { to: { teamId } });
      return { ...current, teamId, role: chosen.role };
    },
    /** Deletes expired sessions. */
    sweep: promisify(store.pruneSessions.bind(store)),
  };
}

function beforeCookies(name: string, secure: boolean): RequestHandler {
  return (request, _response, next) => {
    const pairs = request.headers.cookie?.split(/; */) ?? [];
    const others = pairs.filter((pair) => pair.split('=')[0]?.trim() !== name);
    // Two of this name: another server of this host set one of them.
    if (pairs.length - others.length > 1) request.headers.cookie = others.join('; ');
    // TLS ends before this service; express-session sets a Secure cookie only for a request by https.
    Object.defineProperty(request, 'secure', { value: secure });
    next();
  };
}

/** The first signs the cookies of sessions. */
function signingKeys({ secretKey, formerSecretKeys }: SessionsDependencies['config']): string[] {
  const keys = [secretKey.reveal(), ...(formerSecretKeys?.reveal().split(',') ?? [])];
  return keys.map((key) => Buffer.from(hkdfSync('sha256', key.trim(), '', 'session cookie', 32)).toString('base64'));
}

interface Context extends Pick<SessionsDependencies, 'database' | 'clock' | 'identity'> {
  seal(field: string, text: string): string;
  /** Null for a value that another key sealed. */
  open(field: string, sealed: string): string | null;
  /** Concurrent requests of one session share one request to the provider. */
  readonly confirming: Map<string, Promise<UserSignIn | null>>;
}

function sealedWith(config: SessionsDependencies['config']): Pick<Context, 'seal' | 'open'> {
  const box = openSecretBox(config);
  const place = (field: string) => ({ teamId: 'console', recordId: 'session', field });
  return {
    seal: (field, text) => box.seal(text, place(field)).toString('base64'),
    open: (field, sealed) => {
      try {
        return box.open(Buffer.from(sealed, 'base64'), place(field));
      } catch {
        return null;
      }
    },
  };
}

function tokensOf(context: Context, { sealed }: UserSignIn): ProviderTokens | null {
  const text = context.open('tokens', sealed);
  return text === null ? null : providerTokens.parse(JSON.parse(text));
}

/**
 * Changes a sign-in that still has the values of `from`. Without a session it creates none, as saving one would: it
 * may have ended meanwhile. @returns the changed sign-in; null when there is none
 */
async function change(
  { database }: Context,
  id: string,
  { from = {}, to }: { readonly from?: Partial<UserSignIn>; readonly to: Partial<UserSignIn> },
): Promise<UserSignIn | null> {
  const [row] = await database.query<{ signIn: UserSignIn }>(
    `update sessions set sess = jsonb_set(sess, '{signIn}', sess -> 'signIn' || $3)
     where sid = $1 and sess -> 'signIn' @> $2 returning sess -> 'signIn' as "signIn"`,
    [id, JSON.stringify(from), JSON.stringify(to)],
  );
  return row?.signIn ?? null;
}

function signInOf(context: Context, user: SignedInUser): UserSignIn {
  const { rules, provider } = neededIdentity(context.identity);
  const teams = accessOf(rules, user.values);
  const [first] = teams;
  const name = userName(user.claims);
  if (first === undefined) {
    const reason = withoutTeam({ name: provider.claim, claims: user.claims });
    throw fail('CONSOLE_SIGN_IN', { message: `${name} has no team here: ${reason}.`, details: 'no-team' });
  }
  const { tokens, subject, providerSession } = user;
  if (tokens.claimIn === 'id_token' && tokens.refresh === null)
    throw fail('CONSOLE_SIGN_IN', { message: unconfirmable, details: 'unconfirmable' });
  const now = context.clock.now();
  const times = { confirmedAt: now, triedAt: now };
  const sealed = context.seal('tokens', JSON.stringify(tokens));
  const { issuer } = provider;
  return { kind: 'user', issuer, subject, name, teams, teamId: first.team_id, providerSession, sealed, ...times };
}

async function readSession(context: Context, { session: { signIn }, sessionID }: Request): Promise<Session | null> {
  const { clock, identity } = context;
  if (signIn?.kind === 'key') {
    const apiKey = context.open('api_key', signIn.sealed);
    return apiKey === null ? null : { kind: 'key', apiKey };
  }
  // The deployment has another provider now, or none.
  if (signIn === undefined || identity === null || signIn.issuer !== identity.provider.issuer) return null;
  const current = needsConfirmation(signIn, clock.now()) ? await confirmed(context, sessionID, signIn) : signIn;
  if (current === null) return null;
  if (clock.now() - current.confirmedAt > longestOutageMs)
    throw fail('UNAVAILABLE', { message: 'The identity provider does not respond. Try again.' });
  return userSessionOf(current);
}

function confirmed(context: Context, id: string, signIn: UserSignIn): Promise<UserSignIn | null> {
  const running = context.confirming.get(id);
  if (running !== undefined) return running;
  const outcome = confirm(context, id, signIn).finally(() => context.confirming.delete(id));
  context.confirming.set(id, outcome);
  return outcome;
}

const unconfirmable =
  'The identity provider gives the claim of teams and roles in its ID token only, and no refresh token: roles could not be confirmed. The operator adds offline_access to the scopes, or the claim to the user info.';

function neededIdentity(identity: IdentityDependencies | null): IdentityDependencies {
  if (identity === null) throw fail('NOT_FOUND');
  return identity;
}

/** Absolute differences: the time of day may have been set back. */
function needsConfirmation({ confirmedAt, triedAt }: UserSignIn, now: number): boolean {
  return Math.abs(now - confirmedAt) >= confirmEveryMs && Math.abs(now - triedAt) >= claimMs;
}

/**
 * Requests the user from the provider without a connection to the database. One replica at a time, because a provider
 * may accept a refresh token only once: the claim lasts longer than all its requests. A renewed token is stored before
 * the next request.
 */
async function confirm(context: Context, id: string, before: UserSignIn): Promise<UserSignIn | null> {
  const { database, clock } = context;
  const { provider, rules } = neededIdentity(context.identity);
  const tokens = tokensOf(context, before);
  if (tokens === null) return null;
  let { sealed } = before;
  const stored = () => change(context, id, { to: {} });
  const claim = { from: { triedAt: before.triedAt, sealed }, to: { triedAt: clock.now() } };
  // One of all that read this sign-in, on any replica, changes it; the others continue with what is stored now.
  if ((await change(context, id, claim)) === null) return stored();
  const keep = async (renewed: ProviderTokens): Promise<void> => {
    const next = context.seal('tokens', JSON.stringify(renewed));
    await change(context, id, { from: { sealed }, to: { sealed: next } });
    sealed = next;
  };
  const seen = await provider.confirm(before.subject, tokens, keep).catch(() => 'away' as const);
  const now = clock.now();
  if (seen === 'away') {
    await change(context, id, { to: { triedAt: now - claimMs + retryEveryMs } });
    return before;
  }
  const teams = seen === null ? [] : seen.values === null ? before.teams : accessOf(rules, seen.values);
  if (teams.length === 0) {
    await database.query('delete from sessions where sid = $1', [id]);
    return null;
  }
  const confirmation = { from: { sealed }, to: { teams, confirmedAt: now, triedAt: now } };
  return (await change(context, id, confirmation)) ?? stored();
}

/** The selected team is the first where it is no longer the user's. */
function userSessionOf({ kind, issuer, subject, name, teams, teamId }: UserSignIn): UserSession {
  const team = teams.find(({ team_id: id }) => id === teamId) ?? teams[0];
  if (team === undefined) throw new Error('A session has no team.');
  return { kind, issuer, subject, name, teams, teamId: team.team_id, role: team.role };
}

import { randomBytes } from 'node:crypto';
import { isUniqueViolation } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import type { SecretBox } from '@rapporteur/secret-box';
import type { Clock } from '@rapporteur/service-runtime';
import { providerTokens } from '../oidc/identity-provider.ts';
import type { IdentityProvider, ProviderTokens, SignedInUser } from '../oidc/identity-provider.ts';
import { userName } from '../oidc/user.ts';
import { accessOf, withoutTeam } from '../oidc/team-access.ts';
import type { AccessRules, Role, TeamAccess } from '../oidc/team-access.ts';
import type { SessionRow } from './entities.ts';
import * as store from './sessions.store.ts';

interface SessionFacts {
  readonly hash: Buffer;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** A sign-in with an API key. */
export interface KeySession extends SessionFacts {
  readonly kind: 'key';
  readonly apiKey: string;
}

/** A sign-in through the identity provider. */
export interface UserSession extends SessionFacts {
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

interface NewSession<S extends Session> {
  /** The value of the session's cookie; no two are equal. */
  readonly value: string;
  readonly session: S;
}

export interface Sessions {
  createForKey(apiKey: string): Promise<NewSession<KeySession>>;
  /** Throws CONSOLE_SIGN_IN for a user without a team, and for a sign-in that has created a session already. */
  createForUser(user: SignedInUser, state: string): Promise<NewSession<UserSession>>;
  /**
   * Null for an unknown or expired value, or when the user lost every team. A user is confirmed by the provider every
   * 30 seconds; UNAVAILABLE when it has not responded for five minutes.
   */
  read(value: string): Promise<Session | null>;
  /** Ends a session on every replica. @returns where the browser signs out of the provider, if anywhere */
  end(value: string): Promise<URL | null>;
  endOf(subject: string | null, providerSession: string | null): Promise<void>;
  /** Throws FORBIDDEN for a team that is not the user's. */
  chooseTeam(session: Session, teamId: string): Promise<UserSession>;
  /** Deletes expired sessions. */
  sweep(): Promise<number>;
}

/** How users sign in; null where only API keys do. */
export interface IdentityDependencies {
  readonly provider: IdentityProvider;
  readonly rules: AccessRules;
}

export interface SessionsDependencies {
  readonly database: Database;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly lifetimeMs: number;
  readonly identity: IdentityDependencies | null;
}

const longestValue = 100;
/** A revoked role ends after this time and one request to the provider. */
const confirmEveryMs = 30_000;
const retryEveryMs = 10_000;
/** Five requests of 5 s at most. */
const claimMs = 30_000;
const longestOutageMs = 300_000;

export function createSessions(dependencies: SessionsDependencies): Sessions {
  const { database, clock, identity } = dependencies;
  const sealed = sealedWith(dependencies.box);
  const context: Context = { ...dependencies, sealed, confirming: new Map() };
  return {
    createForKey: async (apiKey) => {
      const { value, row, expiresAt } = freshSession(dependencies);
      await store.insertKeySession(database, row, sealed.sealKey(apiKey));
      return { value, session: { kind: 'key', hash: row.hash, apiKey, expiresAt } };
    },
    createForUser: (user, state) => createForUser(context, user, state),
    read: (value) => readSession(context, value),
    end: async (value) => {
      const row = await store.deleteSession(database, store.hashOf(value));
      if (row === null || row.tokens === null || identity === null) return null;
      const tokens = sealed.openTokens(row);
      return tokens === null ? null : identity.provider.signOutUrl(tokens);
    },
    endOf: async (subject, providerSession) => {
      const { provider } = neededIdentity(identity);
      await store.deleteSessionsOf(database, { issuer: provider.issuer, subject, providerSession });
    },
    chooseTeam: async (session, teamId) => {
      const chosen = session.kind === 'user' ? session.teams.find((team) => team.team_id === teamId) : undefined;
      if (session.kind !== 'user' || chosen === undefined)
        throw fail('FORBIDDEN', { message: 'This team is not yours.' });
      await store.setTeam(database, session.hash, teamId);
      return { ...session, teamId, role: chosen.role };
    },
    sweep: () => store.deleteExpired(database, new Date(clock.now())),
  };
}

interface Context extends SessionsDependencies {
  readonly sealed: Sealed;
  /** Concurrent requests of one session share one request to the provider. */
  readonly confirming: Map<string, Promise<SessionRow | null>>;
}

interface Sealed {
  sealKey(apiKey: string): Buffer;
  sealTokens(tokens: ProviderTokens): Buffer;
  /** Null for a value that another key sealed. */
  openKey(row: SessionRow): string | null;
  openTokens(row: SessionRow): ProviderTokens | null;
}

function sealedWith(box: SecretBox): Sealed {
  const place = (field: string) => ({ teamId: 'console', recordId: 'session', field });
  const open = <T>(bytes: Buffer | null, field: string, read: (text: string) => T): T | null => {
    try {
      return bytes === null ? null : read(box.open(bytes, place(field)));
    } catch {
      return null;
    }
  };
  return {
    sealKey: (apiKey) => box.seal(apiKey, place('api_key')),
    sealTokens: (tokens) => box.seal(JSON.stringify(tokens), place('tokens')),
    openKey: (row) => open(row.api_key, 'api_key', (text) => text),
    openTokens: (row) => open(row.tokens, 'tokens', (text) => providerTokens.parse(JSON.parse(text))),
  };
}

function freshSession({ clock, lifetimeMs }: Pick<SessionsDependencies, 'clock' | 'lifetimeMs'>) {
  const value = randomBytes(32).toString('base64url');
  const now = clock.now();
  const row = { hash: store.hashOf(value), now: new Date(now), expiresAt: new Date(now + lifetimeMs) };
  return { value, row, expiresAt: now + lifetimeMs };
}

async function createForUser(context: Context, user: SignedInUser, state: string): Promise<NewSession<UserSession>> {
  const { rules, provider } = neededIdentity(context.identity);
  const access = accessOf(rules, user.values);
  const [first] = access;
  const name = userName(user.claims);
  if (first === undefined) {
    const reason = withoutTeam({ name: provider.claim, claims: user.claims });
    throw fail('CONSOLE_SIGN_IN', { message: `${name} has no team here: ${reason}.`, details: 'no-team' });
  }
  const { tokens, subject, providerSession } = user;
  if (tokens.claimIn === 'id_token' && tokens.refresh === null)
    throw fail('CONSOLE_SIGN_IN', { message: unconfirmable, details: 'unconfirmable' });
  const { value, row, expiresAt } = freshSession(context);
  const { team_id: teamId, role } = first;
  const { issuer } = provider;
  const facts = { issuer, subject, name, access, teamId, providerSession };
  const sealed = { signInHash: store.hashOf(state), tokens: context.sealed.sealTokens(tokens) };
  await store.insertUserSession(context.database, row, { ...facts, ...sealed }).catch((error: unknown) => {
    throw isUniqueViolation(error, 'sessions_sign_in_hash_key')
      ? fail('CONSOLE_SIGN_IN', { message: usedAlready, details: 'used' })
      : error;
  });
  return {
    value,
    session: { kind: 'user', hash: row.hash, expiresAt, issuer, subject, name, teams: access, teamId, role },
  };
}

async function readSession(context: Context, value: string): Promise<Session | null> {
  const { database, clock, identity, sealed } = context;
  if (value === '' || value.length > longestValue) return null;
  const row = await store.findSession(database, store.hashOf(value), new Date(clock.now()));
  if (row === null) return null;
  if (row.api_key !== null) {
    const apiKey = sealed.openKey(row);
    const { session_hash: hash, expires_at: end } = row;
    return apiKey === null ? null : { kind: 'key', hash, apiKey, expiresAt: end.getTime() };
  }
  // The deployment has another provider now, or none.
  if (identity === null || row.issuer !== identity.provider.issuer) return null;
  const current = needsConfirmation(row, clock.now()) ? await confirmed(context, row) : row;
  if (current === null) return null;
  if (clock.now() - (current.confirmed_at?.getTime() ?? 0) > longestOutageMs)
    throw fail('UNAVAILABLE', { message: 'The identity provider does not respond. Try again.' });
  return userSessionOf(current);
}

function confirmed(context: Context, row: SessionRow): Promise<SessionRow | null> {
  const name = row.session_hash.toString('base64');
  const running = context.confirming.get(name);
  if (running !== undefined) return running;
  const answer = confirm(context, row.session_hash).finally(() => context.confirming.delete(name));
  context.confirming.set(name, answer);
  return answer;
}

const usedAlready = 'This sign-in was used already. Sign in again.';
const unconfirmable =
  'The identity provider gives the claim of teams and roles in its ID token only, and no refresh token: roles could not be confirmed. The operator adds offline_access to the scopes, or the claim to the user info.';

function neededIdentity(identity: IdentityDependencies | null): IdentityDependencies {
  if (identity === null) throw fail('NOT_FOUND');
  return identity;
}

/** Absolute differences: the time of day may have been set back. */
function needsConfirmation({ confirmed_at: confirmedAt, tried_at: triedAt }: SessionRow, now: number): boolean {
  const sinceMs = (time: Date | null): number => Math.abs(now - (time?.getTime() ?? 0));
  return sinceMs(confirmedAt) >= confirmEveryMs && sinceMs(triedAt) >= claimMs;
}

/**
 * Asks the provider without a connection to the database. One replica at a time, because a provider may accept a refresh
 * token only once: the claim lasts longer than all its requests. A renewed token is stored before the next request.
 */
async function confirm(context: Context, hash: Buffer): Promise<SessionRow | null> {
  const { database, clock, identity, sealed } = context;
  const row = await store.findSession(database, hash, new Date(clock.now()));
  if (row === null || identity === null || !needsConfirmation(row, clock.now())) return row;
  const tokens = sealed.openTokens(row);
  if (tokens === null) return null;
  if (!(await store.claimSession(database, row, new Date(clock.now())))) return row;
  let kept = row.tokens;
  const keep = async (renewed: ProviderTokens): Promise<void> => {
    const bytes = sealed.sealTokens(renewed);
    await store.storeTokens(database, hash, { from: kept, to: bytes });
    kept = bytes;
  };
  const seen = await identity.provider.confirm(row.subject ?? '', tokens, keep).catch(() => 'away' as const);
  const now = clock.now();
  if (seen === 'away') {
    await store.noteTry(database, hash, new Date(now - claimMs + retryEveryMs));
    return row;
  }
  const access = seen === null ? [] : seen.values === null ? (row.access ?? []) : accessOf(identity.rules, seen.values);
  if (access.length === 0) {
    await store.deleteSession(database, hash);
    return null;
  }
  return store.confirmSession(database, hash, { at: new Date(now), tokens: kept, access });
}

function userSessionOf(row: SessionRow): UserSession | null {
  const team = row.access?.find(({ team_id: id }) => id === row.team_id);
  if (team === undefined) return null;
  return {
    kind: 'user',
    hash: row.session_hash,
    expiresAt: row.expires_at.getTime(),
    issuer: row.issuer ?? '',
    subject: row.subject ?? '',
    name: row.user_name ?? '',
    teams: row.access ?? [],
    teamId: team.team_id,
    role: team.role,
  };
}

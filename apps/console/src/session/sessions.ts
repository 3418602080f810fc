import { randomBytes } from 'node:crypto';
import { isUniqueViolation } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import type { SecretBox } from '@rapporteur/secret-box';
import type { Clock } from '@rapporteur/service-runtime';
import { providerTokens } from '../oidc/identity-provider.ts';
import type { IdentityProvider, ProviderTokens, SignedInPerson } from '../oidc/identity-provider.ts';
import { personName } from '../oidc/person.ts';
import { accessOf } from '../oidc/team-access.ts';
import type { AccessRules, Role, TeamAccess } from '../oidc/team-access.ts';
import type { SessionRow } from './entities.ts';
import * as store from './sessions.store.ts';

interface SessionFacts {
  readonly hash: Buffer;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** Whoever knows an API key. */
export interface KeySession extends SessionFacts {
  readonly kind: 'key';
  readonly apiKey: string;
}

/** Somebody whom the identity provider knows. */
export interface PersonSession extends SessionFacts {
  readonly kind: 'person';
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  readonly teams: readonly TeamAccess[];
  /** The team of `teams` in which they work now. */
  readonly teamId: string;
  readonly role: Role;
}

export type Session = KeySession | PersonSession;

interface NewSession<S extends Session> {
  /** The value of the session's cookie; no two are equal. */
  readonly value: string;
  readonly session: S;
}

export interface Sessions {
  createForKey(apiKey: string): Promise<NewSession<KeySession>>;
  /** Throws CONSOLE_SIGN_IN for a person without a team, and for a sign-in that has made a session already. */
  createForPerson(person: SignedInPerson, state: string): Promise<NewSession<PersonSession>>;
  /**
   * Null for a value that no session has, whose time is over, or whose person lost every team. A person is confirmed by the provider
   * every 30 seconds; UNAVAILABLE when it has not responded for five minutes.
   */
  read(value: string): Promise<Session | null>;
  /** Ends a session on every replica. Gives where the browser signs out of the provider, if it does so anywhere. */
  end(value: string): Promise<URL | null>;
  endOf(subject: string | null, providerSession: string | null): Promise<void>;
  /** Throws FORBIDDEN for a team that is not the person's. */
  chooseTeam(session: Session, teamId: string): Promise<PersonSession>;
  /** Removes sessions whose time is over. */
  sweep(): Promise<number>;
}

/** How people sign in; null where only API keys do. */
export interface PeopleDependencies {
  readonly provider: IdentityProvider;
  readonly rules: AccessRules;
}

export interface SessionsDependencies {
  readonly database: Database;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly lifetimeMs: number;
  readonly people: PeopleDependencies | null;
}

const longestValue = 100;
/** A role that was taken away is gone after this time and one request to the provider. */
const confirmEveryMs = 30_000;
const retryEveryMs = 10_000;
const longestOutageMs = 300_000;

export function createSessions(dependencies: SessionsDependencies): Sessions {
  const { database, box, clock, lifetimeMs, people } = dependencies;
  const place = (field: string) => ({ teamId: 'console', recordId: 'session', field });
  const fresh = () => {
    const value = randomBytes(32).toString('base64url');
    const now = clock.now();
    const times = { now: new Date(now), expiresAt: new Date(now + lifetimeMs) };
    return { value, row: { hash: store.hashOf(value), ...times }, expiresAt: now + lifetimeMs };
  };
  const sealTokens = (tokens: ProviderTokens) => box.seal(JSON.stringify(tokens), place('tokens'));
  const openTokens = ({ tokens }: SessionRow) =>
    providerTokens.parse(JSON.parse(box.open(tokens ?? Buffer.alloc(0), place('tokens'))));
  const confirming = new Map<string, Promise<SessionRow | null>>();

  const confirmed = (row: SessionRow): Promise<SessionRow | null> => {
    const name = row.session_hash.toString('base64');
    const running = confirming.get(name);
    if (running !== undefined) return running;
    const answer = database
      .transaction((transaction) => confirmLocked({ ...dependencies, sealTokens, openTokens }, transaction, row))
      .finally(() => confirming.delete(name));
    confirming.set(name, answer);
    return answer;
  };

  return {
    createForKey: async (apiKey) => {
      const { value, row, expiresAt } = fresh();
      await store.insertKeySession(database, row, box.seal(apiKey, place('api_key')));
      return { value, session: { kind: 'key', hash: row.hash, apiKey, expiresAt } };
    },
    createForPerson: async (person, state) => {
      const { rules, provider } = neededPeople(people);
      const access = accessOf(rules, person.values);
      const [first] = access;
      const name = personName(person.claims);
      if (first === undefined)
        throw fail('CONSOLE_SIGN_IN', { message: `${name} has no team here.`, details: 'no-team' });
      const { tokens, subject, providerSession } = person;
      if (tokens.claimIn === 'id_token' && tokens.refresh === null)
        throw fail('CONSOLE_SIGN_IN', { message: unconfirmable, details: 'unconfirmable' });
      const { value, row, expiresAt } = fresh();
      const facts = { issuer: provider.issuer, subject, name, access, teamId: first.team_id };
      const more = { providerSession, signInHash: store.hashOf(state), tokens: sealTokens(tokens) };
      await store.insertPersonSession(database, row, { ...facts, ...more }).catch((error: unknown) => {
        throw isUniqueViolation(error, 'sessions_sign_in_hash_key')
          ? fail('CONSOLE_SIGN_IN', { message: usedAlready, details: 'used' })
          : error;
      });
      const { issuer, teamId } = facts;
      const session = {
        kind: 'person',
        hash: row.hash,
        expiresAt,
        issuer,
        subject,
        name,
        teams: access,
        teamId,
        role: first.role,
      } as const;
      return { value, session };
    },
    read: async (value) => {
      if (value === '' || value.length > longestValue) return null;
      const row = await store.findSession(database, store.hashOf(value), new Date(clock.now()));
      if (row === null) return null;
      if (row.api_key !== null) {
        const apiKey = opened(() => box.open(row.api_key ?? Buffer.alloc(0), place('api_key')));
        return apiKey === null
          ? null
          : { kind: 'key', hash: row.session_hash, apiKey, expiresAt: row.expires_at.getTime() };
      }
      // The deployment has another provider now, or none.
      if (people === null || row.issuer !== people.provider.issuer) return null;
      const current = needsConfirmation(row, clock.now()) ? await confirmed(row) : row;
      if (current === null) return null;
      if (clock.now() - (current.confirmed_at?.getTime() ?? 0) > longestOutageMs)
        throw fail('UNAVAILABLE', { message: 'The identity provider does not respond. Try again.' });
      return personOf(current);
    },
    end: async (value) => {
      const row = await store.deleteSession(database, store.hashOf(value));
      if (row === null || row.tokens === null || people === null) return null;
      const tokens = opened(() => openTokens(row));
      return tokens === null ? null : people.provider.signOutUrl(tokens);
    },
    endOf: async (subject, providerSession) => {
      const { provider } = neededPeople(people);
      await store.deleteSessionsOf(database, { issuer: provider.issuer, subject, providerSession });
    },
    chooseTeam: async (session, teamId) => {
      const chosen = session.kind === 'person' ? session.teams.find((team) => team.team_id === teamId) : undefined;
      if (session.kind !== 'person' || chosen === undefined)
        throw fail('FORBIDDEN', { message: 'This team is not yours.' });
      await store.setTeam(database, session.hash, teamId);
      return { ...session, teamId, role: chosen.role };
    },
    sweep: () => store.deleteExpired(database, new Date(clock.now())),
  };
}

const usedAlready = 'This sign-in was used already. Sign in again.';
const unconfirmable =
  'The identity provider gives the claim of teams and roles in its ID token only, and no refresh token: roles could not be confirmed. The operator adds offline_access to the scopes, or the claim to the user info.';

function neededPeople(people: PeopleDependencies | null): PeopleDependencies {
  if (people === null) throw fail('NOT_FOUND');
  return people;
}

/** Null for what another key sealed. */
function opened<T>(open: () => T): T | null {
  try {
    return open();
  } catch {
    return null;
  }
}

function needsConfirmation({ confirmed_at: confirmedAt, tried_at: triedAt }: SessionRow, now: number): boolean {
  return now - (confirmedAt?.getTime() ?? 0) >= confirmEveryMs && now - (triedAt?.getTime() ?? 0) >= retryEveryMs;
}

interface Confirming extends SessionsDependencies {
  readonly sealTokens: (tokens: ProviderTokens) => Buffer;
  readonly openTokens: (row: SessionRow) => ProviderTokens;
}

/** One replica at a time, because a provider may take a refresh token once only. */
async function confirmLocked(
  { clock, people, sealTokens, openTokens }: Confirming,
  transaction: Parameters<Parameters<Database['transaction']>[0]>[0],
  { session_hash: hash }: SessionRow,
): Promise<SessionRow | null> {
  const row = await store.lockSession(transaction, hash, new Date(clock.now()));
  if (row === null || people === null || !needsConfirmation(row, clock.now())) return row;
  const tokens = opened(() => openTokens(row));
  if (tokens === null) return null;
  const seen = await people.provider.confirm(row.subject ?? '', tokens).catch(() => 'away' as const);
  const now = new Date(clock.now());
  if (seen === 'away') {
    await store.noteTry(transaction, hash, now);
    return row;
  }
  const access = seen === null ? [] : accessOf(people.rules, seen.values);
  const team = access.find(({ team_id: id }) => id === row.team_id) ?? access[0];
  if (seen === null || team === undefined) {
    await store.deleteSession(transaction, hash);
    return null;
  }
  await store.confirmSession(transaction, hash, now, { tokens: sealTokens(seen.tokens), access, teamId: team.team_id });
  return { ...row, access, team_id: team.team_id, confirmed_at: now };
}

function personOf(row: SessionRow): PersonSession | null {
  const team = row.access?.find(({ team_id: id }) => id === row.team_id);
  if (team === undefined) return null;
  return {
    kind: 'person',
    hash: row.session_hash,
    expiresAt: row.expires_at.getTime(),
    issuer: row.issuer ?? '',
    subject: row.subject ?? '',
    name: row.person_name ?? '',
    teams: row.access ?? [],
    teamId: team.team_id,
    role: team.role,
  };
}

import type { PagePackView } from '@rapporteur/contracts';
import { StateError } from './sentences.ts';

/** Address and credentials of the admin API. */
export interface AdminAddress {
  readonly url: string;
  readonly token: string;
}

export interface Limits {
  readonly requests_per_second: number;
  readonly daily_bot_cap: number;
  readonly retention_days: number;
}

export interface Team extends Limits {
  readonly team_id: string;
  readonly name: string;
  readonly plan: string;
  /** Overrides of the plan; null: the plan's limit. */
  readonly own_limits: { readonly [name in keyof Limits]: number | null };
  readonly created_at: string;
}

export interface Plan extends Limits {
  readonly name: string;
  readonly teams: number;
}

/** Omitted members are unchanged; null removes a team's own limit. */
export type TeamChange = { readonly name?: string; readonly plan?: string } & {
  readonly [name in keyof Limits]?: number | null;
};

/** Omitted members are unchanged; null removes the key's expiry. */
export interface KeyChange {
  readonly name?: string;
  readonly permission?: string;
  readonly expires_at?: string | null;
}

export interface Key {
  readonly key_id: string;
  readonly team_id: string;
  readonly name: string;
  readonly permission: 'full' | 'sending';
  readonly start: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
}

/** An object that waits for a team's bucket. */
export interface SpilledObject {
  readonly bot_id: string;
  readonly team_id: string;
  readonly key: string;
  readonly bytes: number;
  readonly spilled_at: string;
  readonly attempts: number;
  readonly last_error: string | null;
}

export interface LegalHold {
  readonly bot_id: string;
  readonly held: boolean;
}

/** Bots' data on the platforms' pages. */
export interface CanaryRun {
  readonly bot_id: string;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly outcome: 'passed' | 'warning' | 'failed' | 'skipped' | null;
  readonly failed_step: string | null;
  readonly result: {
    readonly message: string;
    readonly page_pack_version: string | null;
    readonly steps: readonly {
      readonly step: string;
      readonly result: string;
      readonly element: string | null;
      readonly candidate: { readonly index: number; readonly of: number } | null;
      readonly message: string | null;
    }[];
  } | null;
}

export interface Canary {
  readonly name: string;
  readonly platform: string;
  readonly interval_seconds: number;
  readonly next_run_at: string;
  readonly running: boolean;
  /** Ended ones, the newest first. */
  readonly runs: readonly CanaryRun[];
}

/** The admin API as this program uses it. Every call throws a StateError with the API's own sentence when refused. */
export interface AdminApi {
  listTeams(): Promise<Team[]>;
  createTeam(team: { name: string; plan?: string; tokens?: number }): Promise<Team & { key: Key; api_key: string }>;
  changeTeam(teamId: string, change: TeamChange): Promise<Team>;
  grantTokens(teamId: string, tokens: number): Promise<void>;
  listPlans(): Promise<Plan[]>;
  createPlan(plan: Limits & { readonly name: string }): Promise<Plan>;
  changePlan(name: string, change: Partial<Limits>): Promise<Plan>;
  /** The newest 1,000 of all teams: some of one team may be missing. */
  listKeys(): Promise<Key[]>;
  listKeysOf(teamId: string): Promise<Key[]>;
  createKey(
    teamId: string,
    key: { name?: string; permission?: string; expires_at?: string },
  ): Promise<Key & { api_key: string }>;
  changeKey(keyId: string, change: KeyChange): Promise<Key>;
  revokeKey(keyId: string): Promise<Key>;
  holdBot(botId: string, held: boolean): Promise<LegalHold>;
  /** Makes another run take over the bot in its meeting. */
  moveBot(botId: string): Promise<{ readonly bot_id: string }>;
  readPagePacks(): Promise<PagePackView>;
  listCanaries(): Promise<Canary[]>;
  /** It runs as soon as no other canary of its platform does. */
  runCanary(name: string): Promise<{ readonly name: string }>;
  /** The oldest 1,000. */
  listSpilledObjects(): Promise<SpilledObject[]>;
}

const responseMs = 10_000;

export function createAdminApi(address: AdminAddress): AdminApi {
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await reach(address, path, {
      method,
      headers: { authorization: `Bearer ${address.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const reply = (await response.json().catch(() => ({}))) as { data?: T; message?: string };
    if (!response.ok) throw new StateError(reply.message ?? `The admin API responded ${response.status}.`);
    return reply.data as T;
  };
  return {
    listTeams: () => call('GET', '/teams'),
    createTeam: (team) => call('POST', '/teams', team),
    changeTeam: (teamId, change) => call('PATCH', `/teams/${encodeURIComponent(teamId)}`, change),
    grantTokens: (teamId, tokens) => call('POST', `/teams/${encodeURIComponent(teamId)}/tokens`, { tokens }),
    listPlans: () => call('GET', '/plans'),
    createPlan: (plan) => call('POST', '/plans', plan),
    changePlan: (name, change) => call('PATCH', `/plans/${encodeURIComponent(name)}`, change),
    listKeys: () => call('GET', '/keys'),
    listKeysOf: (teamId) => call('GET', `/teams/${encodeURIComponent(teamId)}/keys`),
    createKey: (teamId, key) => call('POST', `/teams/${encodeURIComponent(teamId)}/keys`, key),
    changeKey: (keyId, change) => call('PATCH', `/keys/${encodeURIComponent(keyId)}`, change),
    listSpilledObjects: () => call('GET', '/storage/spilled-objects'),
    readPagePacks: () => call('GET', '/page-packs'),
    listCanaries: () => call('GET', '/canaries'),
    runCanary: (name) => call('POST', `/canaries/${encodeURIComponent(name)}/run`),
    holdBot: (botId, held) => call('PUT', `/bots/${encodeURIComponent(botId)}/legal-hold`, { held }),
    moveBot: (botId) => call('POST', `/bots/${encodeURIComponent(botId)}/move`),
    revokeKey: (keyId) => call('DELETE', `/keys/${encodeURIComponent(keyId)}`),
  };
}

async function reach(address: AdminAddress, path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(`${address.url}/admin/v1${path}`, { ...init, signal: AbortSignal.timeout(responseMs) });
  } catch (error) {
    throw new StateError(
      `Nothing responds at ${address.url}. Start Rapporteur first (npm start), or say where its admin API is with --admin-url.`,
      { cause: error },
    );
  }
}

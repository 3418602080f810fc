import { randomUUID } from 'node:crypto';
import { teamChanged, tokensGranted } from '@rapporteur/contracts';
import type { EventDefinition } from '@rapporteur/contracts';
import { isUniqueViolation } from '@rapporteur/database';
import type { Database, Executor } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { invalid } from '@rapporteur/service-runtime';
import { addKey } from '../keys/keys.store.ts';
import type { KeyRecord } from '../keys/keys.store.ts';
import { lockLimits } from './limits.ts';
import type { Limits } from './limits.ts';

/** Outbox: events are published if the transaction commits. */
export interface IdentityOutbox {
  add<T>(transaction: Executor, definition: EventDefinition<T>, data: T): Promise<string>;
  /** Called after the commit: events may be due. */
  notify(): void;
}

type OwnLimits = { readonly [name in keyof Limits]: number | null };

/** A team with its effective limits: its own, or else its plan's. */
export interface TeamRecord extends Limits {
  readonly team_id: string;
  readonly name: string;
  readonly plan: string;
  /** Overrides of the plan's limits; null: the plan's value. */
  readonly own_limits: OwnLimits;
  /** The team's own choice, at most `maximum_retention_days`, which the operator set; null: the maximum. */
  readonly chosen_retention_days: number | null;
  readonly maximum_retention_days: number;
  /** From the plan: whether the team may transcribe with its own provider keys. */
  readonly byok_transcription: boolean;
  readonly version: number;
  readonly created_at: Date;
}

export interface NewTeam {
  readonly name: string;
  /** Default: self_hosted for the first team of a deployment, pay_as_you_go for later ones. */
  readonly plan: string | null;
  /** Tokens granted at creation; null: none. */
  readonly tokens: number | null;
}

/** Absent members keep their value; null removes an override. */
export type TeamChange = { readonly name?: string; readonly plan?: string } & Partial<
  OwnLimits & Pick<TeamRecord, 'chosen_retention_days'>
>;

export interface Teams {
  /**
   * The team and its first key, whose text is returned only here. Throws TEAM_ALREADY_EXISTS, VALIDATION for an unknown
   * plan.
   */
  create(team: NewTeam): Promise<{ team: TeamRecord; key: KeyRecord; keyText: string }>;
  list(): Promise<TeamRecord[]>;
  /** Throws TEAM_NOT_FOUND. */
  find(teamId: string): Promise<TeamRecord>;
  /** Throws TEAM_NOT_FOUND, TEAM_ALREADY_EXISTS for a taken name, VALIDATION for an unknown plan. */
  change(teamId: string, change: TeamChange): Promise<TeamRecord>;
  /** Throws TEAM_NOT_FOUND. Returns the id under which bot-scheduler credits the grant once. */
  grantTokens(teamId: string, tokens: number): Promise<string>;
}

const columns = `
  t.team_id, t.name, t.plan, t.version, t.created_at,
  coalesce(t.requests_per_second, p.requests_per_second) as requests_per_second,
  coalesce(t.daily_bot_cap, p.daily_bot_cap) as daily_bot_cap,
  least(t.chosen_retention_days, coalesce(t.retention_days, p.retention_days)) as retention_days,
  coalesce(t.retention_days, p.retention_days) as maximum_retention_days, t.chosen_retention_days, p.byok_transcription,
  json_build_object('requests_per_second', t.requests_per_second, 'daily_bot_cap', t.daily_bot_cap,
                    'retention_days', t.retention_days) as own_limits`;
const listLimit = 1_000;

export function createTeams(database: Database, outbox: IdentityOutbox): Teams {
  const grant = async (transaction: Executor, teamId: string, tokens: number): Promise<string> => {
    const grantId = randomUUID();
    await outbox.add(transaction, tokensGranted, { teamId, grantId, tokens });
    return grantId;
  };
  const inTransaction = async <T>(work: (transaction: Executor) => Promise<T>): Promise<T> => {
    const result = await database.transaction(work).catch((error: unknown) => {
      throw isUniqueViolation(error, 'teams_name_key') ? fail('TEAM_ALREADY_EXISTS') : error;
    });
    outbox.notify();
    return result;
  };
  return {
    create: ({ name, plan, tokens }) =>
      inTransaction(async (transaction) => {
        await lockLimits(transaction);
        const team = await insertTeam(transaction, name, plan);
        await outbox.add(transaction, teamChanged, changeOf(team));
        if (tokens !== null) await grant(transaction, team.team_id, tokens);
        const { record, text } = await addKey(transaction, {
          teamId: team.team_id,
          name: 'First key',
          permission: 'full',
          expiresAt: null,
        });
        return { team, key: record, keyText: text };
      }),
    list: () =>
      database.query<TeamRecord>(
        `select ${columns} from teams t join plans p on p.name = t.plan
          order by t.created_at, t.team_id limit ${listLimit}`,
      ),
    find: (teamId) => findTeam(database, teamId),
    change: (teamId, change) =>
      inTransaction(async (transaction) => {
        await lockLimits(transaction);
        if (change.plan !== undefined) await requirePlan(transaction, change.plan);
        await applyChange(transaction, teamId, change);
        const team = await findTeam(transaction, teamId);
        await outbox.add(transaction, teamChanged, changeOf(team));
        return team;
      }),
    grantTokens: (teamId, tokens) =>
      inTransaction(async (transaction) => {
        const found = await transaction.query('select 1 from teams where team_id = $1', [teamId]);
        if (found.length === 0) throw fail('TEAM_NOT_FOUND');
        return grant(transaction, teamId, tokens);
      }),
  };
}

async function findTeam(executor: Executor, teamId: string): Promise<TeamRecord> {
  const [team] = await executor.query<TeamRecord>(
    `select ${columns} from teams t join plans p on p.name = t.plan where t.team_id = $1`,
    [teamId],
  );
  if (team === undefined) throw fail('TEAM_NOT_FOUND');
  return team;
}

async function insertTeam(transaction: Executor, name: string, plan: string | null): Promise<TeamRecord> {
  if (plan !== null) await requirePlan(transaction, plan);
  const [team] = await transaction.query<{ team_id: string }>(
    `insert into teams (name, plan)
     values ($1, coalesce($2, case when exists (select from teams) then 'pay_as_you_go' else 'self_hosted' end))
     returning team_id`,
    [name, plan],
  );
  return findTeam(transaction, team?.team_id ?? '');
}

async function requirePlan(transaction: Executor, plan: string): Promise<void> {
  const plans = await transaction.query<{ name: string }>('select name from plans order by daily_bot_cap, name');
  const names = plans.map(({ name }) => name);
  if (!names.includes(plan)) throw invalid('plan', `It must be one of ${names.join(', ')}.`);
}

const changeable = [
  'name',
  'plan',
  'requests_per_second',
  'daily_bot_cap',
  'retention_days',
  'chosen_retention_days',
] as const;

async function applyChange(transaction: Executor, teamId: string, change: TeamChange): Promise<void> {
  const named = changeable.filter((column) => change[column] !== undefined);
  const settings = named.map((column, at) => `${column} = $${at + 2}`);
  await transaction.query(`update teams set ${['version = version + 1', ...settings].join(', ')} where team_id = $1`, [
    teamId,
    ...named.map((column) => change[column]),
  ]);
}

/** The event with the current state of a team. */
export function changeOf(team: TeamRecord) {
  return {
    teamId: team.team_id,
    version: team.version,
    name: team.name,
    plan: {
      name: team.plan,
      requestsPerSecond: team.requests_per_second,
      dailyBotCap: team.daily_bot_cap,
      retentionDays: team.retention_days,
      byokTranscription: team.byok_transcription,
    },
  };
}

/** Every team on this plan, each with its next version: holders of a copy must replace it. */
export async function touchTeamsOn(transaction: Executor, plan: string): Promise<TeamRecord[]> {
  await transaction.query('update teams set version = version + 1 where plan = $1', [plan]);
  return transaction.query<TeamRecord>(
    `select ${columns} from teams t join plans p on p.name = t.plan where t.plan = $1`,
    [plan],
  );
}

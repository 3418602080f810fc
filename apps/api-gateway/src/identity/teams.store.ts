import { randomUUID } from 'node:crypto';
import { teamChanged, tokensGranted } from '@rapporteur/contracts';
import type { EventDefinition } from '@rapporteur/contracts';
import { isUniqueViolation } from '@rapporteur/database';
import type { Database, Executor } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { addKey } from '../keys/keys.store.ts';
import type { KeyRecord } from '../keys/keys.store.ts';

/** Where events go that leave with a transaction. */
export interface IdentityOutbox {
  add<T>(transaction: Executor, definition: EventDefinition<T>, data: T): Promise<string>;
  /** After the commit: somebody may look at once. */
  ring(): void;
}

export interface TeamRecord {
  readonly team_id: string;
  readonly name: string;
  readonly plan: string;
  readonly requests_per_second: number;
  readonly daily_bot_cap: number;
  readonly retention_days: number;
  readonly created_at: Date;
}

export interface NewTeam {
  readonly name: string;
  /** Default: self_hosted for the first team of a deployment, pay_as_you_go for those after it. */
  readonly plan: string | null;
  /** Granted at once; null for none. */
  readonly tokens: number | null;
}

export interface Teams {
  /** The team and its first key, whose text is known only now. Throws TEAM_ALREADY_EXISTS, VALIDATION for an unknown plan. */
  create(team: NewTeam): Promise<{ team: TeamRecord; key: KeyRecord; keyText: string }>;
  list(): Promise<TeamRecord[]>;
  /** Throws TEAM_NOT_FOUND. Gives the id under which the owner of tokens books the grant once. */
  grantTokens(teamId: string, tokens: number): Promise<string>;
}

const columns = `team_id, t.name, t.plan, requests_per_second, daily_bot_cap, retention_days, created_at`;
const listLimit = 1_000;

export function createTeams(database: Database, outbox: IdentityOutbox): Teams {
  const grant = async (transaction: Executor, teamId: string, tokens: number): Promise<string> => {
    const grantId = randomUUID();
    await outbox.add(transaction, tokensGranted, { teamId, grantId, tokens });
    return grantId;
  };
  return {
    create: async ({ name, plan, tokens }) => {
      const created = await database.transaction(async (transaction) => {
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
      });
      outbox.ring();
      return created;
    },
    list: () =>
      database.query<TeamRecord>(
        `select ${columns} from teams t join plans p on p.name = t.plan order by created_at, team_id limit ${listLimit}`,
      ),
    grantTokens: async (teamId, tokens) => {
      const grantId = await database.transaction(async (transaction) => {
        const found = await transaction.query('select 1 from teams where team_id = $1', [teamId]);
        if (found.length === 0) throw fail('TEAM_NOT_FOUND');
        return grant(transaction, teamId, tokens);
      });
      outbox.ring();
      return grantId;
    },
  };
}

async function insertTeam(transaction: Executor, name: string, plan: string | null): Promise<TeamRecord> {
  const [team] = await transaction
    .query<TeamRecord>(
      `with t as (
         insert into teams (name, plan)
         select $1, name from plans
          where name = coalesce($2, case when exists (select from teams) then 'pay_as_you_go' else 'self_hosted' end)
         returning *
       )
       select ${columns} from t join plans p on p.name = t.plan`,
      [name, plan],
    )
    .catch((error: unknown) => {
      throw isUniqueViolation(error, 'teams_name_key') ? fail('TEAM_ALREADY_EXISTS') : error;
    });
  if (team !== undefined) return team;
  const plans = await transaction.query<{ name: string }>('select name from plans order by daily_bot_cap, name');
  throw fail('VALIDATION', { message: `body/plan must be one of ${plans.map((row) => row.name).join(', ')}` });
}

function changeOf(team: TeamRecord) {
  return {
    teamId: team.team_id,
    version: 1,
    name: team.name,
    plan: {
      name: team.plan,
      requestsPerSecond: team.requests_per_second,
      dailyBotCap: team.daily_bot_cap,
      retentionDays: team.retention_days,
    },
  };
}

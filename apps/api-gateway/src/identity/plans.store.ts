import { teamChanged } from '@rapporteur/contracts';
import { isUniqueViolation } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { lockLimits } from './limits.ts';
import type { Limits } from './limits.ts';
import { changeOf, touchTeamsOn } from './teams.store.ts';
import type { IdentityOutbox } from './teams.store.ts';

export interface PlanRecord extends Limits {
  readonly name: string;
  /** How many teams are on it. */
  readonly teams: number;
}

export interface Plans {
  list(): Promise<PlanRecord[]>;
  /** Throws PLAN_ALREADY_EXISTS. */
  create(plan: Limits & { readonly name: string }): Promise<PlanRecord>;
  /** What is left out stays. Every team on the plan is announced anew. Throws PLAN_NOT_FOUND. */
  change(name: string, change: Partial<Limits>): Promise<PlanRecord>;
}

const columns = `name, requests_per_second, daily_bot_cap, retention_days,
  (select count(*)::int from teams t where t.plan = p.name) as teams`;

export function createPlans(database: Database, outbox: IdentityOutbox): Plans {
  return {
    list: () => database.query<PlanRecord>(`select ${columns} from plans p order by daily_bot_cap, name`),
    create: async ({ name, requests_per_second, daily_bot_cap, retention_days }) => {
      await database
        .query('insert into plans (name, requests_per_second, daily_bot_cap, retention_days) values ($1, $2, $3, $4)', [
          name,
          requests_per_second,
          daily_bot_cap,
          retention_days,
        ])
        .catch((error: unknown) => {
          throw isUniqueViolation(error, 'plans_pkey') ? fail('PLAN_ALREADY_EXISTS') : error;
        });
      return { name, requests_per_second, daily_bot_cap, retention_days, teams: 0 };
    },
    change: async (name, { requests_per_second: rate, daily_bot_cap: cap, retention_days: days }) => {
      const plan = await database.transaction(async (transaction) => {
        await lockLimits(transaction);
        const [changed] = await transaction.query<PlanRecord>(
          `update plans p set requests_per_second = coalesce($2, requests_per_second),
                  daily_bot_cap = coalesce($3, daily_bot_cap), retention_days = coalesce($4, retention_days)
            where name = $1 returning ${columns}`,
          [name, rate ?? null, cap ?? null, days ?? null],
        );
        if (changed === undefined) throw fail('PLAN_NOT_FOUND');
        for (const team of await touchTeamsOn(transaction, name)) {
          await outbox.add(transaction, teamChanged, changeOf(team));
        }
        return changed;
      });
      outbox.notify();
      return plan;
    },
  };
}

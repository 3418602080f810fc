import { teamChanged } from '@rapporteur/contracts';
import { isUniqueViolation } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { lockLimits } from './limits.ts';
import type { Limits } from './limits.ts';
import { changeOf, touchTeamsOn } from './teams.store.ts';
import type { IdentityOutbox } from './teams.store.ts';

/** Limits and features of a plan. */
export interface PlanLimits extends Limits {
  /** Its teams may transcribe with their own provider keys. */
  readonly byok_transcription: boolean;
}

export interface PlanRecord extends PlanLimits {
  readonly name: string;
  /** Number of its teams. */
  readonly teams: number;
}

export interface Plans {
  list(): Promise<PlanRecord[]>;
  /** Throws PLAN_ALREADY_EXISTS. */
  create(plan: PlanLimits & { readonly name: string }): Promise<PlanRecord>;
  /** Absent members keep their value. An event is published for every team on the plan. Throws PLAN_NOT_FOUND. */
  change(name: string, change: Partial<PlanLimits>): Promise<PlanRecord>;
}

const limits = ['requests_per_second', 'daily_bot_cap', 'retention_days', 'byok_transcription'] as const;
const columns = `name, ${limits.join(', ')}, (select count(*)::int from teams t where t.plan = p.name) as teams`;

export function createPlans(database: Database, outbox: IdentityOutbox): Plans {
  return {
    list: () => database.query<PlanRecord>(`select ${columns} from plans p order by daily_bot_cap, name`),
    create: async (plan) => {
      await database
        .query(`insert into plans (name, ${limits.join(', ')}) values ($1, $2, $3, $4, $5)`, [
          plan.name,
          ...limits.map((column) => plan[column]),
        ])
        .catch((error: unknown) => {
          throw isUniqueViolation(error, 'plans_pkey') ? fail('PLAN_ALREADY_EXISTS') : error;
        });
      return { ...plan, teams: 0 };
    },
    change: async (name, change) => {
      const plan = await database.transaction(async (transaction) => {
        await lockLimits(transaction);
        const [changed] = await transaction.query<PlanRecord>(
          `update plans p set ${limits.map((column, at) => `${column} = coalesce($${at + 2}, ${column})`).join(', ')}
            where name = $1 returning ${columns}`,
          [name, ...limits.map((column) => change[column] ?? null)],
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

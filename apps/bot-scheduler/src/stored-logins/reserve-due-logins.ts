import { mapConcurrently } from '@rapporteur/async';
import type { Executor } from '@rapporteur/database';
import { asFailure } from '@rapporteur/failures';
import type { Failure } from '@rapporteur/failures';
import type { StoredRequest } from '../schema/bot-entity.ts';
import type { LoginClient } from './login-client.ts';
import { reserveLogin } from './reserve-login.ts';
import type { ReservedLogin } from './reserve-login.ts';
import type { LoginFields } from './wanted-login.ts';

/** By bot: its login, or its failure. After a retryable failure the bot waits for the next round. */
export type DueLogins = ReadonlyMap<string, ReservedLogin | Failure>;

interface DueRow {
  readonly id: string;
  readonly team_id: string;
  readonly request: StoredRequest;
}

const atOnce = 10;

/** Reserves the logins of due scheduled bots before the transaction that creates them: no lock is held meanwhile. */
export async function reserveDueLogins(
  { database, logins }: { readonly database: Executor; readonly logins: LoginClient | null },
  { until, limit, id }: { readonly until: Date; readonly limit: number; readonly id?: string | undefined },
): Promise<DueLogins> {
  const rows = await database.query<DueRow>(
    `select id, team_id, request from scheduled_bots
     where state = 'scheduled' and spawned_at is null and join_at <= $1 and ($3::uuid is null or id = $3)
       and (jsonb_typeof(request->'meet_config') = 'object' or jsonb_typeof(request->'teams_config') = 'object')
     order by join_at limit $2`,
    [until, limit, id ?? null],
  );
  const found = new Map<string, ReservedLogin | Failure>();
  await mapConcurrently(rows, atOnce, async (row) => {
    const place = { botId: row.id, teamId: row.team_id };
    found.set(row.id, await reserveLogin(logins, place, row.request as LoginFields).catch(asFailure));
  });
  return found;
}

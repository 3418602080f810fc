import { mapConcurrently } from '@rapporteur/async';
import type { Executor } from '@rapporteur/database';
import { asFailure } from '@rapporteur/failures';
import type { Failure } from '@rapporteur/failures';
import type { StoredRequest } from '../schema/bot-entity.ts';
import { dueParameters, dueRowsSql } from './scheduled.store.ts';
import type { DueClaim } from './scheduled.store.ts';
import type { LoginClient } from '../service-clients.ts';
import { reserveLogin } from '../credentials/reserve-login.ts';
import type { ReservedLogin } from '../credentials/reserve-login.ts';
import type { LoginFields } from '../credentials/wanted-login.ts';

/** By bot: its login, or its failure. After a retryable failure the bot waits for the next round. */
export type DueLogins = ReadonlyMap<string, ReservedLogin | Failure>;

interface DueRow {
  readonly id: string;
  readonly team_id: string;
  readonly request: StoredRequest;
}

const atOnce = 10;

/**
 * Reserves the logins of due scheduled bots before the transaction that creates them: no lock is held meanwhile.
 * From `untilMs` on none is requested: the other bots wait for the next round.
 */
export async function reserveDueLogins(
  {
    database,
    logins,
    now,
  }: { readonly database: Executor; readonly logins: LoginClient | null; readonly now: () => number },
  claim: DueClaim,
  untilMs: number,
): Promise<DueLogins> {
  if (claim.withLogin === false) return new Map();
  const rows = await database.query<DueRow>(
    `select id, team_id, request from scheduled_bots where ${dueRowsSql}`,
    dueParameters({ ...claim, withLogin: true }),
  );
  const found = new Map<string, ReservedLogin | Failure>();
  await mapConcurrently(rows, atOnce, async (row) => {
    const place = { botId: row.id, teamId: row.team_id };
    if (now() >= untilMs) return;
    found.set(row.id, await reserveLogin(logins, place, row.request as LoginFields).catch(asFailure));
  });
  return found;
}

import type { RenewalLease } from '@rapporteur/async';
import { insertRow, updateRows } from '@rapporteur/database';
import type { Executor } from '@rapporteur/database';
import type { CalendarPlace } from '../sealing.ts';
import { connections } from '../schema/entities.ts';
import type { ChannelRow, ConnectionRow } from '../schema/entities.ts';

/** A connection of any team; a deleted one too, until its channels are closed. */
export async function findConnectionRow(executor: Executor, calendarId: string): Promise<ConnectionRow | null> {
  return await findWhere(executor, 'calendar_id = $1', [calendarId]);
}

/** A connection of the team. */
export async function findConnection(executor: Executor, place: CalendarPlace): Promise<ConnectionRow | null> {
  return await findWhere(executor, 'team_id = $1 and calendar_id = $2 and deleted_at is null', [
    place.teamId,
    place.calendarId,
  ]);
}

async function findWhere(executor: Executor, where: string, parameters: unknown[]): Promise<ConnectionRow | null> {
  const [row] = await executor.query<ConnectionRow>(`select * from connections where ${where}`, parameters);
  return row ?? null;
}

export type NewConnection = Pick<
  ConnectionRow,
  | 'calendar_id'
  | 'team_id'
  | 'platform'
  | 'raw_calendar_id'
  | 'account_email'
  | 'name'
  | 'time_zone'
  | 'oauth_client_id'
  | 'oauth_tenant_id'
  | 'client_secret'
  | 'refresh_token'
  | 'access_token'
  | 'access_token_expires_at'
  | 'preferred_platform'
  | 'webhook_url'
  | 'created_at'
>;

/** Throws a unique violation when the team has connected this calendar. Its first sync is due at once. */
export async function insertConnection(executor: Executor, connection: NewConnection): Promise<ConnectionRow> {
  return await insertRow(executor, connections, {
    ...connection,
    status: 'active',
    full_sync_wanted: true,
    next_sync_at: connection.created_at,
    sync_failures: 0,
    updated_at: connection.created_at,
  });
}

export type ConnectionChange = Partial<Omit<ConnectionRow, 'calendar_id' | 'team_id' | 'platform' | 'created_at'>>;

/** Updates the given columns; null when the connection does not exist, or `renewal` does not hold its lease. */
export async function changeConnection(
  executor: Executor,
  calendarId: string,
  change: ConnectionChange,
  renewal?: string,
): Promise<ConnectionRow | null> {
  const where = { calendar_id: calendarId, ...(renewal === undefined ? {} : { renewal }) };
  const [row] = await updateRows(executor, connections, { where, columns: change });
  return row ?? null;
}

/** The columns of a connection whose tokens no process renews. */
export const noRenewal = { renewal: null, renewal_until: null } as const;

/** Leases the renewal of its tokens; null while another process has it, and when the connection does not exist. */
export async function claimRenewal(
  executor: Executor,
  calendarId: string,
  { renewal, at, until }: RenewalLease,
): Promise<ConnectionRow | null> {
  const [row] = await executor.query<ConnectionRow>(
    `update connections set renewal = $2, renewal_until = $4
      where calendar_id = $1 and (renewal is null or renewal_until <= $3) returning *`,
    [calendarId, renewal, at, until],
  );
  return row ?? null;
}

/** The channel for notifications; null: none. */
export async function findChannel(executor: Executor, calendarId: string): Promise<ChannelRow | null> {
  const [row] = await executor.query<ChannelRow>(
    `select * from channels where calendar_id = $1 and state = 'active' order by expires_at desc limit 1`,
    [calendarId],
  );
  return row ?? null;
}

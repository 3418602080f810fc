import { storableJson } from '@rapporteur/database';
import type { Executor } from '@rapporteur/database';
import type { ProviderItem } from '../providers/calendar-provider.ts';

export type UnreadableItem = Omit<Extract<ProviderItem, { kind: 'unreadable' }>, 'kind'>;

export interface UnreadableEvents {
  readonly count: number;
  /** The newest of them. */
  readonly newest: readonly { readonly provider_event_id: string; readonly reason: string; readonly since: Date }[];
}

const mostShown = 20;

/** Stores the unreadable events of a page, and deletes those that became readable or were removed. */
export async function noteUnreadable(
  transaction: Executor,
  calendarId: string,
  page: { readonly unreadable: readonly UnreadableItem[]; readonly settled: readonly string[]; readonly at: Date },
): Promise<void> {
  const { unreadable, settled, at } = page;
  await transaction.query(
    'delete from unreadable_events where calendar_id = $1 and provider_event_id = any($2::text[])',
    [calendarId, settled],
  );
  if (unreadable.length === 0) return;
  await transaction.query(
    `insert into unreadable_events (calendar_id, provider_event_id, reason, since)
     select $1, provider_event_id, reason, $2 from jsonb_to_recordset($3::jsonb) as given (provider_event_id text, reason text)
     on conflict (calendar_id, provider_event_id) do update set reason = excluded.reason
       where unreadable_events.reason <> excluded.reason`,
    [
      calendarId,
      at,
      storableJson(unreadable.map(({ providerEventId, reason }) => ({ provider_event_id: providerEventId, reason }))),
    ],
  );
}

/** After a full round: deletes those that were not seen. */
export async function removeUnseenUnreadable(
  transaction: Executor,
  calendarId: string,
  seen: ReadonlySet<string>,
): Promise<void> {
  await transaction.query(
    'delete from unreadable_events where calendar_id = $1 and not (provider_event_id = any($2::text[]))',
    [calendarId, [...seen]],
  );
}

export async function readUnreadable(executor: Executor, calendarId: string): Promise<UnreadableEvents> {
  const rows = await executor.query<{ provider_event_id: string; reason: string; since: Date; count: number }>(
    `select provider_event_id, reason, since, (count(*) over ())::integer as count from unreadable_events
     where calendar_id = $1 order by since desc, provider_event_id limit ${mostShown}`,
    [calendarId],
  );
  return {
    count: rows[0]?.count ?? 0,
    newest: rows.map(({ provider_event_id, reason, since }) => ({ provider_event_id, reason, since })),
  };
}

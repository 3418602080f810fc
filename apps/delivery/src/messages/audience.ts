import { together } from '@rapporteur/async';
import { prepared } from '@rapporteur/database';
import type { Executor } from '@rapporteur/database';
import type { EventType } from '../event-types.ts';

/** Which events have a subscribed endpoint, read for many events with one statement. */
export interface Audience {
  /**
   * True when an endpoint of the team is subscribed to the event, or a program of the team waits for new messages. Everything committed before the call is visible: an
   * endpoint gets every event that follows the response to its creation, on any instance.
   */
  isSubscribed(teamId: string, event: EventType): Promise<boolean>;
}

const mostAtOnce = 500;

/** No cache: each call gets the result of a statement that begins after it. */
export function createAudience(database: Executor): Audience {
  const read = together(mostAtOnce, async (calls: readonly { readonly teamId: string; readonly event: string }[]) => {
    const subscribed = await readSubscribed(database, new Set(calls.map(({ teamId }) => teamId)));
    return calls.map(({ teamId, event }) => [event, anyEvent].some((one) => subscribed.has(keyOf(teamId, one))));
  });
  return { isSubscribed: (teamId, event) => read({ teamId, event }) };
}

const anyEvent = '*';
const keyOf = (teamId: string, event: string): string => `${teamId} ${event}`;

const subscribedSql = prepared(`select distinct team_id, unnest(events) as event from webhook_endpoints
  where team_id = any($1::uuid[]) and owner_id is null
  union all select team_id, $2 from listeners where team_id = any($1::uuid[]) and expires_at > now()`);

async function readSubscribed(database: Executor, teams: ReadonlySet<string>): Promise<Set<string>> {
  const rows = await database.query<{ team_id: string; event: string }>(subscribedSql, [[...teams], anyEvent]);
  return new Set(rows.map(({ team_id, event }) => keyOf(team_id, event)));
}

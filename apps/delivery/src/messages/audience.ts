import type { Executor } from '@rapporteur/database';
import type { EventType } from '../event-types.ts';

/** Which events have a subscribed endpoint, read for many events with one statement. */
export interface Audience {
  /**
   * True when an endpoint of the team is subscribed to the event, or a program of the team waits for new messages. Everything committed before the call is visible: an
   * endpoint gets every event that follows the response to its creation, on any instance.
   */
  hears(teamId: string, event: EventType): Promise<boolean>;
}

interface WaitingCall {
  readonly teamId: string;
  readonly event: string;
  readonly resolve: (hears: boolean) => void;
  readonly reject: (error: unknown) => void;
}

const requestBatchMs = 5;

/** No cache: each call gets the result of a statement that begins after it. */
export function createAudience(database: Executor): Audience {
  let waiting: WaitingCall[] = [];
  const readWaiting = async (): Promise<void> => {
    const requested = waiting;
    waiting = [];
    try {
      const subscribed = await readSubscribed(database, new Set(requested.map(({ teamId }) => teamId)));
      for (const { teamId, event, resolve } of requested)
        resolve(subscribed.has(keyOf(teamId, event)) || subscribed.has(keyOf(teamId, anyEvent)));
    } catch (error) {
      for (const { reject } of requested) reject(error);
    }
  };
  return {
    hears: (teamId, event) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setTimeout(() => void readWaiting(), requestBatchMs);
        waiting.push({ teamId, event, resolve, reject });
      }),
  };
}

const anyEvent = '*';
const keyOf = (teamId: string, event: string): string => `${teamId} ${event}`;

async function readSubscribed(database: Executor, teams: ReadonlySet<string>): Promise<Set<string>> {
  const rows = await database.query<{ team_id: string; event: string }>(
    `select distinct team_id, unnest(events) as event from webhook_endpoints
      where team_id = any($1::uuid[]) and owner_id is null
     union all select team_id, $2 from listeners where team_id = any($1::uuid[]) and expires_at > now()`,
    [[...teams], anyEvent],
  );
  return new Set(rows.map(({ team_id, event }) => keyOf(team_id, event)));
}

import type { Executor } from '@rapporteur/database';
import type { EventType } from './event-types.ts';

/** Who is notified of what, asked about many events with one statement. */
export interface Audience {
  /**
   * True when an endpoint of the team is subscribed to the event. What was committed before the question is seen: an endpoint
   * gets every event that happens after its creation had a response, whichever instance created it.
   */
  hears(teamId: string, event: EventType): Promise<boolean>;
}

interface InternalRequest {
  readonly teamId: string;
  readonly event: string;
  readonly response: (hears: boolean) => void;
  readonly reject: (error: unknown) => void;
}

const requestBatchMs = 5;

/** Nothing is remembered from one statement to the next: a question has a response by one that begins after it. */
export function createAudience(database: Executor): Audience {
  let waiting: InternalRequest[] = [];
  const sendRequest = async (): Promise<void> => {
    const requested = waiting;
    waiting = [];
    try {
      const subscribed = await readSubscribed(database, new Set(requested.map(({ teamId }) => teamId)));
      for (const { teamId, event, response } of requested) response(subscribed.has(keyOf(teamId, event)));
    } catch (error) {
      for (const { reject } of requested) reject(error);
    }
  };
  return {
    hears: (teamId, event) =>
      new Promise((response, reject) => {
        if (waiting.length === 0) setTimeout(() => void sendRequest(), requestBatchMs);
        waiting.push({ teamId, event, response, reject });
      }),
  };
}

const keyOf = (teamId: string, event: string): string => `${teamId} ${event}`;

async function readSubscribed(database: Executor, teams: ReadonlySet<string>): Promise<Set<string>> {
  const rows = await database.query<{ team_id: string; event: string }>(
    `select distinct team_id, unnest(events) as event from webhook_endpoints where team_id = any($1::uuid[])`,
    [[...teams]],
  );
  return new Set(rows.map(({ team_id, event }) => keyOf(team_id, event)));
}

import type { Executor } from '@rapporteur/database';
import type { Clock, Logger } from '@rapporteur/service-runtime';
import { startPeriodicTask } from '@rapporteur/async';

export interface AccessCounter {
  /** Counts one access to a bot's results; batched, and written at most a second later. */
  note(botId: string): void;
  /** Writes the remaining counts. */
  stop(): Promise<void>;
}

interface Access {
  readonly count: number;
  readonly atMs: number;
}

const writeEveryMs = 1_000;
const botsBetweenWrites = 1_000;

export function createAccessCounter({
  database,
  clock,
  logger,
}: {
  readonly database: Executor;
  readonly clock: Clock;
  readonly logger: Logger;
}): AccessCounter {
  let noted = new Map<string, Access>();
  const add = (botId: string, { count, atMs }: Access): void => {
    const before = noted.get(botId) ?? { count: 0, atMs: 0 };
    noted.set(botId, { count: before.count + count, atMs: Math.max(before.atMs, atMs) });
  };
  const write = async (): Promise<void> => {
    if (noted.size === 0) return;
    const writing = noted;
    noted = new Map();
    try {
      await writeAccesses(database, writing);
    } catch (error) {
      for (const [botId, access] of writing) add(botId, access);
      throw error;
    }
  };
  const sweep = startPeriodicTask({ what: 'Counting accesses', everyMs: writeEveryMs, work: write }, { clock, logger });
  return {
    note: (botId) => {
      add(botId, { count: 1, atMs: clock.now() });
      if (noted.size >= botsBetweenWrites) sweep.notify();
    },
    stop: async () => {
      await sweep.stop();
      await write();
    },
  };
}

/** Sorted by id: concurrent writers lock rows in the same sequence and cannot deadlock. */
async function writeAccesses(database: Executor, accesses: ReadonlyMap<string, Access>): Promise<void> {
  const rows = [...accesses].map(([bot_id, { count, atMs }]) => ({ bot_id, count, at: new Date(atMs) }));
  await database.query(
    `insert into bot_access (bot_id, access_count, last_accessed_at)
     select bot_id, count, at from jsonb_to_recordset($1::jsonb) as access(bot_id uuid, count bigint, at timestamptz)
     order by bot_id
     on conflict (bot_id) do update set access_count = bot_access.access_count + excluded.access_count,
       last_accessed_at = greatest(bot_access.last_accessed_at, excluded.last_accessed_at)`,
    [JSON.stringify(rows)],
  );
}

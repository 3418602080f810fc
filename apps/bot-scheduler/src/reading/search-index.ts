import type { Database } from '@rapporteur/database';
import type { Logger } from '@rapporteur/service-runtime';

/**
 * SQLSTATE: insufficient privilege, feature not supported (the server lacks the extension), undefined file, undefined
 * object.
 */
const extensionRefused = new Set(['42501', '0A000', '58P01', '42704']);

const buildMs = 3_600_000;

/**
 * Creates the index for the filters of lists without blocking writers, unless it exists; one instance of the service at
 * a time. It needs the extensions `pg_trgm` and `btree_gin`. Where they cannot be created, a warning names the remedy
 * and filters scan the team's bots.
 */
export async function createSearchIndex(database: Database, logger: Pick<Logger, 'info' | 'warn'>): Promise<void> {
  const runner = database.source.createQueryRunner();
  const query = async <T>(sql: string): Promise<T[]> => (await runner.query(sql)) as T[];
  try {
    const [lock] = await query<{ held: boolean }>(`select pg_try_advisory_lock(hashtext('bots.search')) as held`);
    if (lock?.held !== true) return;
    try {
      const [index] = await query<{ valid: boolean }>(
        `select indisvalid as valid from pg_index where indexrelid = to_regclass('bots_search')`,
      );
      if (index?.valid === true) return;
      if (!(await createExtensions(query, logger))) return;
      await query(`set statement_timeout = ${buildMs}; set maintenance_work_mem = '256MB'`);
      // An interrupted build leaves an invalid index, which is maintained and never used.
      if (index !== undefined) await query('drop index concurrently bots_search');
      const startedMs = performance.now();
      await query(await indexSql(query));
      logger.info({ buildMs: Math.round(performance.now() - startedMs) }, 'search index of bots created');
    } finally {
      await query('reset statement_timeout; reset maintenance_work_mem');
      await query(`select pg_advisory_unlock(hashtext('bots.search'))`);
    }
  } finally {
    await runner.release();
  }
}

type Query = <T>(sql: string) => Promise<T[]>;

async function createExtensions(query: Query, logger: Pick<Logger, 'warn'>): Promise<boolean> {
  try {
    for (const extension of ['pg_trgm', 'btree_gin'])
      await query(`create extension if not exists ${extension} with schema public`);
    return true;
  } catch (error) {
    const { code, message } = (error as { driverError?: { code?: string; message?: string } }).driverError ?? {};
    if (code === undefined || !extensionRefused.has(code)) throw error;
    logger.warn(
      { reason: message },
      'lists of bots are filtered without an index: as an administrator of the database run "create extension pg_trgm" and "create extension btree_gin", then restart bot-scheduler',
    );
    return false;
  }
}

/** Bots in progress change often and are few: they are not indexed. */
async function indexSql(query: Query): Promise<string> {
  const [trigrams] = await query<{ schema: string }>(
    `select quote_ident(nspname) as schema from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
     where extname = 'pg_trgm'`,
  );
  const trigramsOf = (expression: string): string => `(${expression}) ${trigrams?.schema ?? 'public'}.gin_trgm_ops`;
  const columns = [
    'team_id',
    'status',
    'meeting_platform',
    ...['search_fold(bot_name)', 'search_fold(meeting_url)', '(id::text)'].map(trigramsOf),
    ...['search_names(participants)', 'search_names(speakers)'].map(trigramsOf),
    'extra jsonb_path_ops',
  ];
  return `create index concurrently bots_search on bots using gin (${columns.join(', ')})
    with (fastupdate = off) where ended_at is not null`;
}

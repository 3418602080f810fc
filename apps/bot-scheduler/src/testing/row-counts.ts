import type { Database } from '@rapporteur/database';

/**
 * Rows of `bots` that were read so far, with or without an index. Only the difference within a transaction is exact:
 * PostgreSQL adds up to a second of unreported reads of earlier transactions of the session.
 */
export const botRowsReadSql = `
  select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables where relname = 'bots'`;

/** The same database, with a count of the rows of `bots` that its transactions read. */
export function countingBotRows(database: Database): { readonly database: Database; rows(): number } {
  let rows = 0;
  return {
    rows: () => rows,
    database: {
      ...database,
      transaction: (work) =>
        database.transaction(async (transaction) => {
          const readSoFar = async (): Promise<number> => {
            const [read] = await transaction.query<{ rows: number }>(botRowsReadSql);
            return read?.rows ?? Number.NaN;
          };
          const before = await readSoFar();
          const result = await work(transaction);
          rows += (await readSoFar()) - before;
          return result;
        }),
    },
  };
}

import type { Database } from '@rapporteur/database';

/** Rows of `bots` that the transaction has read so far, through an index or without one. */
export const botRowsReadSql = `
  select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables where relname = 'bots'`;

/** The same database, with the rows of `bots` that all its transactions have read. */
export function countingBotRows(database: Database): { readonly database: Database; rows(): number } {
  let rows = 0;
  return {
    rows: () => rows,
    database: {
      ...database,
      transaction: (work) =>
        database.transaction(async (transaction) => {
          const result = await work(transaction);
          const [read] = await transaction.query<{ rows: number }>(botRowsReadSql);
          rows += read?.rows ?? Number.NaN;
          return result;
        }),
    },
  };
}

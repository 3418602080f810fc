import type { Executor } from '@rapporteur/database';

/** Which part of all bots has a term: 0 for those that are too rare for PostgreSQL's statistics. */
export type TermDensity = (term: number) => number;

const freshForMs = 600_000;

/** PostgreSQL's own statistics of the search index, read again every ten minutes. Old or missing ones cost time only. */
export function createTermDensity(database: Executor, nowMs: () => number): () => Promise<TermDensity> {
  let readAtMs = Number.NEGATIVE_INFINITY;
  let known: Promise<ReadonlyMap<number, number>> = Promise.resolve(new Map());
  return async () => {
    if (nowMs() - readAtMs > freshForMs) {
      readAtMs = nowMs();
      known = readDensities(database).catch(() => new Map());
    }
    const densities = await known;
    return (term) => densities.get(term) ?? 0;
  };
}

async function readDensities(database: Executor): Promise<ReadonlyMap<number, number>> {
  const [row] = await database.query<{ terms: number[] | null; densities: number[] | null }>(
    `select most_common_elems::text::integer[] as terms, most_common_elem_freqs as densities
     from pg_stats where schemaname = current_schema and tablename = 'bots_search' and attname = 'search_terms'`,
  );
  // Behind one density per term come three that say something else.
  return new Map(row?.terms?.map((term, index) => [term, row.densities?.[index] ?? 0]));
}

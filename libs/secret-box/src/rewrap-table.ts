import { rewrapRows } from './rewrap-rows.ts';
import type { Rewrapped } from './rewrap-rows.ts';
import type { SealPlace, SecretBox } from './secret-box.ts';

export interface Database {
  query<T = unknown>(statement: string, parameters: unknown[]): Promise<T[]>;
}

/** A table whose rows hold sealed columns. */
export interface SealedTable<Row> {
  readonly name: string;
  /** Its key, a uuid. */
  readonly id: keyof Row & string;
  /** SQL: other rows stay unchanged. */
  readonly where?: string;
  /** The columns that a former key still wraps, under the current one. Throws when no key opens one of them. */
  readonly rewrap: (row: Row) => { readonly [K in keyof Row]?: Buffer };
  readonly onUnreadable: (row: Row, error: unknown) => void;
}

const pageRows = 200;

/**
 * Seals with the current key what a former one still wraps. A row that is changed concurrently is left to the next run.
 */
export async function rewrapTable<Row>(
  database: Database,
  { name, id, where = 'true', rewrap, onUnreadable }: SealedTable<Row>,
): Promise<Rewrapped> {
  return await rewrapRows<Row, { readonly row: Row; readonly sealed: readonly [string, unknown][] }>({
    pageAfter: (row) =>
      database.query<Row>(
        `select * from ${name} where ${where} and ($1::uuid is null or ${id} > $1) order by ${id} limit ${pageRows}`,
        [row?.[id] ?? null],
      ),
    rewrap: (row) => {
      const sealed = Object.entries(rewrap(row));
      return sealed.length === 0 ? null : { row, sealed };
    },
    save: async (changes) => {
      let saved = 0;
      for (const { row, sealed } of changes) {
        const columns = sealed.map(([column], at) => [`${column} = $${at * 2 + 2}`, `${column} = $${at * 2 + 3}`]);
        const updated = await database.query(
          `update ${name} set ${columns.map(([set]) => set).join(', ')}
           where ${[`${id} = $1`, where, ...columns.map(([, same]) => same)].join(' and ')} returning 1`,
          [row[id], ...sealed.flatMap(([column, fresh]) => [fresh, row[column as keyof Row]])],
        );
        saved += updated.length;
      }
      return saved;
    },
    onUnreadable,
  });
}

/** Wraps under the current key those sealed columns of a row that a former key still wraps. Throws when no key opens one of them. */
export function rewrapColumns<Row extends Readonly<Record<C, Buffer | null>>, C extends string>(
  box: SecretBox,
  row: Row,
  columns: readonly C[],
  placeOf: (row: Row, column: C) => SealPlace,
): Partial<Record<C, Buffer>> {
  const changed: Partial<Record<C, Buffer>> = {};
  for (const column of columns) {
    const sealed: Buffer | null = row[column];
    if (sealed !== null && box.needsRewrap(sealed)) changed[column] = box.rewrap(sealed, placeOf(row, column));
  }
  return changed;
}

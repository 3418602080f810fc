export interface Rewrapped {
  readonly rewrapped: number;
  /** Neither the current nor a former key opens these. */
  readonly unreadable: number;
}

export interface RewrapRows<Row, Change> {
  /** The next rows in order of key, after this one, or the first; an empty page is the last. */
  readonly pageAfter: (row: Row | null) => Promise<readonly Row[]>;
  /** Null when the current key wraps it already. Throws when no key opens what is in it. */
  readonly rewrap: (row: Row) => Change | null;
  /** Returns the number of changed rows: rows that were changed concurrently are skipped. */
  readonly save: (changes: readonly Change[]) => Promise<number>;
  /** The row stays unchanged. */
  readonly onUnreadable: (row: Row, error: unknown) => void;
}

/** Processes all rows of a table page by page, concurrently with other readers and writers. */
export async function rewrapRows<Row, Change>(table: RewrapRows<Row, Change>): Promise<Rewrapped> {
  const { pageAfter, rewrap, save, onUnreadable } = table;
  const total = { rewrapped: 0, unreadable: 0 };
  for (let after: Row | null = null; ;) {
    const rows: readonly Row[] = await pageAfter(after);
    const changes: Change[] = [];
    for (const row of rows) {
      try {
        const change = rewrap(row);
        if (change !== null) changes.push(change);
      } catch (error) {
        total.unreadable += 1;
        onUnreadable(row, error);
      }
    }
    if (changes.length > 0) total.rewrapped += await save(changes);
    after = rows.at(-1) ?? null;
    if (after === null) return total;
  }
}

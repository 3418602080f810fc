export interface Rewrapped {
  readonly rewrapped: number;
  /** Neither the current nor a former key opens these. */
  readonly unreadable: number;
}

export interface RewrapRows<Row> {
  /** The next rows in the order of their ids, after this one; an empty page is the last. */
  readonly pageAfter: (id: string) => Promise<readonly Row[]>;
  readonly idOf: (row: Row) => string;
  /** Gives how many rows it changed. Rejects when no key opens what is in it. */
  readonly rewrap: (row: Row) => Promise<number>;
  /** The row is left as it is. */
  readonly onUnreadable: (row: Row, error: unknown) => void;
}

const beforeAll = '00000000-0000-0000-0000-000000000000';

/** Goes through all rows of a table with uuids, one page after the other. */
export async function rewrapRows<Row>({ pageAfter, idOf, rewrap, onUnreadable }: RewrapRows<Row>): Promise<Rewrapped> {
  const total = { rewrapped: 0, unreadable: 0 };
  for (let after = beforeAll; ;) {
    const rows = await pageAfter(after);
    for (const row of rows) {
      try {
        total.rewrapped += await rewrap(row);
      } catch (error) {
        total.unreadable += 1;
        onUnreadable(row, error);
      }
    }
    const last = rows.at(-1);
    if (last === undefined) return total;
    after = idOf(last);
  }
}

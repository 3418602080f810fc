import type { Executor } from '@rapporteur/database';

type Columns = Readonly<Record<string, unknown>>;

/** Table and column names come from this code, never from a request. */
export async function insertRow<Row>(executor: Executor, table: string, columns: Columns): Promise<Row> {
  const names = Object.keys(columns);
  const [row] = await executor.query<Row>(
    `insert into ${table} (${names.join(', ')})
     values (${names.map((_name, index) => `$${index + 1}`).join(', ')}) returning *`,
    Object.values(columns).map(asParameter),
  );
  return row as Row;
}

/** Updates the given columns of the rows that match all of `where`; returns the updated rows. */
export async function updateRows<Row>(
  executor: Executor,
  table: string,
  { where, columns }: { readonly where: Columns; readonly columns: Columns },
): Promise<Row[]> {
  const parameters = [...Object.values(columns), ...Object.values(where)].map(asParameter);
  const assignments = Object.keys(columns).map((name, index) => `${name} = $${index + 1}`);
  const offset = assignments.length + 1;
  const conditions = Object.keys(where).map((name, index) => `${name} = $${index + offset}`);
  return await executor.query<Row>(
    `update ${table} set ${assignments.join(', ')} where ${conditions.join(' and ')} returning *`,
    parameters,
  );
}

function asParameter(value: unknown): unknown {
  const plain = typeof value !== 'object' || value === null || value instanceof Date || Buffer.isBuffer(value);
  return plain ? value : JSON.stringify(value);
}

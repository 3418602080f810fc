import type { EntitySchema } from 'typeorm';
import type { Executor } from './database.ts';
import type { RowOf } from './define-table.ts';

/** Inserts a row of these columns; the others get their default. */
export async function insertRow<T extends EntitySchema>(
  executor: Executor,
  table: T,
  columns: Partial<RowOf<T>>,
): Promise<RowOf<T>> {
  const names = Object.keys(columns);
  const [row] = await executor.query<RowOf<T>>(
    `insert into ${table.options.name} (${names.join(', ')})
     values (${names.map((_name, index) => `$${index + 1}`).join(', ')}) returning *`,
    parametersOf(table, columns),
  );
  return row as RowOf<T>;
}

/** Updates the given columns of the rows that equal all of `where`, in which null is a value; returns these rows. */
export async function updateRows<T extends EntitySchema>(
  executor: Executor,
  table: T,
  { where, columns }: { readonly where: Partial<RowOf<T>>; readonly columns: Partial<RowOf<T>> },
): Promise<RowOf<T>[]> {
  const assignments = Object.keys(columns).map((name, index) => `${name} = $${index + 1}`);
  const known = Object.fromEntries(Object.entries(where).filter(([, value]) => value !== null));
  const conditions = [
    ...Object.keys(known).map((name, index) => `${name} = $${index + 1 + assignments.length}`),
    ...Object.keys(where).flatMap((name) => (name in known ? [] : [`${name} is null`])),
  ];
  return await executor.query<RowOf<T>>(
    `update ${table.options.name} set ${assignments.join(', ')} where ${conditions.join(' and ')} returning *`,
    [...parametersOf(table, columns), ...parametersOf(table, known)],
  );
}

/** The driver would send an array for jsonb as an array of PostgreSQL. */
function parametersOf(table: EntitySchema, columns: object): unknown[] {
  return Object.entries(columns).map(([name, value]: [string, unknown]) =>
    table.options.columns[name]?.type === 'jsonb' && value !== null ? JSON.stringify(value) : value,
  );
}

import type { BackoffLimits } from '@rapporteur/async';
import type { Executor } from '@rapporteur/database';

/** A table whose rows are work. The names and the condition become SQL text: they are constants of the program. */
export interface WorkTable {
  readonly table: string;
  /** Columns of the primary key; the first is a uuid. */
  readonly key: readonly [string, ...string[]];
  /** Column of the time from which a row may be claimed; null in it: never. */
  readonly due: string;
  /** Column of the time at which a lease ends; default `due`, which moves to that time. */
  readonly until?: string;
  /** Column of the id of a lease. */
  readonly lease?: string;
  /** Column that counts claims; without `lease` the count identifies a claim. Nothing else may change it then. */
  readonly attempts?: string;
  /** SQL condition of rows that may be claimed; default: all. */
  readonly where?: string;
}

export interface Claim {
  /** Default: PostgreSQL's time. */
  readonly at?: Date;
  readonly limit: number;
  /** Duration of the lease in ms. With limits it doubles with every earlier claim, for rows that count `attempts`. */
  readonly leaseMs: number | Pick<BackoffLimits, 'firstMs' | 'longestMs'>;
  /** Only rows with these values of the first key column. */
  readonly only?: readonly string[] | null;
  /** Further columns of the claimed rows. */
  readonly set?: Readonly<Record<string, unknown>>;
}

export interface Release {
  /** Default: PostgreSQL's time. */
  readonly at?: Date;
  /** When the row is due again, in ms from `at`. Default: unchanged. */
  readonly dueInMs?: number;
  readonly set?: Readonly<Record<string, unknown>>;
}

/** The lease ended and another worker holds it, or the row is gone. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Claims, leases and releases of the rows of one table. */
export interface LeasedRows<Row> {
  /** Claims due rows, the longest due first. No two workers get the same row before its lease ends. */
  claim(executor: Executor, claim: Claim): Promise<Row[]>;
  /** Moves the end of the lease to `leaseMs` after `at`, and locks the row in a transaction. Throws LeaseLost. */
  extend(executor: Executor, row: Row, times: { readonly at?: Date; readonly leaseMs: number }): Promise<void>;
  /** Ends the lease. @returns false without a change when the lease was lost */
  release(executor: Executor, row: Row, release?: Release): Promise<boolean>;
  /** Deletes a row whose work is done. @returns false without a change when the lease was lost */
  remove(executor: Executor, row: Row): Promise<boolean>;
}

export function leasedRows<Row extends object>(work: WorkTable): LeasedRows<Row> {
  const { table, key, due, until = due, lease, attempts } = work;
  /** Executes a statement for this row if it is still held by the claim that returned it. */
  const settle = async (executor: Executor, row: Row, statement: Statement, sql: string) => {
    const claim = lease ?? attempts;
    if (claim === undefined) throw new Error(`Rows of ${table} have no lease.`);
    const held = [...key, claim].map((name) => `${name} = ${statement.add((row as Record<string, unknown>)[name])}`);
    return (await executor.query(`${sql} where ${held.join(' and ')} returning 1`, statement.values)).length > 0;
  };
  const update = (executor: Executor, row: Row, statement: Statement, columns: readonly string[]) =>
    settle(executor, row, statement, `update ${table} set ${columns.join(', ')}`);
  return {
    claim: (executor, claim) => {
      const statement = new Statement();
      return executor.query<Row>(claimSql(work, claim, statement), statement.values);
    },
    extend: async (executor, row, { at, leaseMs }) => {
      const statement = new Statement();
      const moved = `${until} = ${statement.time(at)} + ${statement.ms(leaseMs)}`;
      if (!(await update(executor, row, statement, [moved]))) throw new LeaseLost();
    },
    release: async (executor, row, { at, dueInMs, set = {} } = {}) => {
      const statement = new Statement();
      const columns = [...(lease === undefined ? [] : [`${lease} = null`]), ...statement.assignments(set)];
      if (until !== due) columns.push(`${until} = null`);
      if (dueInMs !== undefined) columns.push(`${due} = ${statement.time(at)} + ${statement.ms(dueInMs)}`);
      return await update(executor, row, statement, columns);
    },
    remove: (executor, row) => settle(executor, row, new Statement(), `delete from ${table}`),
  };
}

function claimSql(work: WorkTable, { at, limit, leaseMs, only = null, set = {} }: Claim, statement: Statement): string {
  const { table, key, due, until = due, lease, attempts, where } = work;
  const now = statement.time(at);
  const conditions = [`${due} <= ${now}`];
  if (until !== due) conditions.push(`(${until} is null or ${until} <= ${now})`);
  if (where !== undefined) conditions.push(where);
  if (only !== null) conditions.push(`${key[0]} = any(${statement.add(only)}::uuid[])`);
  const columns = [`${until} = ${now} + ${leaseSql(work, leaseMs, statement)}`, ...statement.assignments(set)];
  if (lease !== undefined) columns.push(`${lease} = gen_random_uuid()`);
  if (attempts !== undefined) columns.push(`${attempts} = ${attempts} + 1`);
  const names = key.join(', ');
  return `update ${table} set ${columns.join(', ')} where (${names}) in (
    select ${names} from ${table} where ${conditions.join(' and ')}
     order by ${due} limit ${statement.add(limit)} for update skip locked) returning *`;
}

function leaseSql({ table, attempts }: WorkTable, leaseMs: Claim['leaseMs'], statement: Statement): string {
  if (typeof leaseMs === 'number') return statement.ms(leaseMs);
  if (attempts === undefined) throw new Error(`Rows of ${table} count no attempts.`);
  const doubled = `${statement.ms(leaseMs.firstMs)} * power(2, least(${attempts}, 30))`;
  return `least(${doubled}, ${statement.ms(leaseMs.longestMs)})`;
}

/** Parameters of one statement. */
class Statement {
  readonly values: unknown[] = [];

  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  time(at: Date | undefined): string {
    return at === undefined ? 'now()' : `${this.add(at)}::timestamptz`;
  }

  ms(duration: number): string {
    return `${this.add(duration)}::float8 * interval '1 millisecond'`;
  }

  assignments(set: Readonly<Record<string, unknown>>): string[] {
    return Object.entries(set).map(([name, value]) => `${name} = ${this.add(value)}`);
  }
}

import type { Database } from '@rapporteur/database';
import { oneByOne, rewrapRows } from '@rapporteur/secret-box';
import type { Rewrapped } from '@rapporteur/secret-box';
import type { Logger } from '@rapporteur/service-runtime';
import type { LoginRow, WorkspaceRow } from '../schema/login-rows.ts';
import type { LoginSecrets } from './login-secrets.ts';

interface RewrapDependencies {
  readonly database: Database;
  readonly secrets: LoginSecrets;
  readonly logger: Pick<Logger, 'error'>;
}

interface SealedTable<Row> {
  readonly table: string;
  readonly id: keyof Row & string;
  readonly rewrap: (row: Row) => Readonly<Record<string, Buffer>>;
}

/** Seals with the current key what a former one still wraps, in workspaces and logins. */
export async function rewrapLogins(dependencies: RewrapDependencies): Promise<Rewrapped> {
  const { secrets } = dependencies;
  const done = [
    await rewrapTable<WorkspaceRow>(dependencies, {
      table: 'login_workspaces',
      id: 'workspace_id',
      rewrap: secrets.rewrapWorkspace,
    }),
    await rewrapTable<LoginRow>(dependencies, {
      table: 'logins',
      id: 'credential_id',
      rewrap: (row) => ({ ...secrets.rewrapLogin(row) }),
    }),
  ];
  return {
    rewrapped: done.reduce((sum, { rewrapped }) => sum + rewrapped, 0),
    unreadable: done.reduce((sum, { unreadable }) => sum + unreadable, 0),
  };
}

const pageRows = 200;

async function rewrapTable<Row extends { readonly team_id: string }>(
  { database, logger }: RewrapDependencies,
  { table, id, rewrap }: SealedTable<Row>,
): Promise<Rewrapped> {
  return await rewrapRows<Row, { readonly row: Row; readonly sealed: Readonly<Record<string, Buffer>> }>({
    pageAfter: (row) =>
      database.query<Row>(
        `select * from ${table} where $1::uuid is null or ${id} > $1 order by ${id} limit ${pageRows}`,
        [row?.[id] ?? null],
      ),
    rewrap: (row) => {
      const sealed = rewrap(row);
      return Object.keys(sealed).length === 0 ? null : { row, sealed };
    },
    // A row whose secrets changed since it was read is left to the next round.
    save: oneByOne(async ({ row, sealed }) => {
      const columns = Object.keys(sealed);
      const updated = await database.query(
        `update ${table} set ${columns.map((column, index) => `${column} = $${index * 2 + 2}`).join(', ')}
         where ${id} = $1 and ${columns.map((column, index) => `${column} = $${index * 2 + 3}`).join(' and ')} returning 1`,
        [row[id], ...columns.flatMap((column) => [sealed[column], row[column as keyof Row]])],
      );
      return updated.length;
    }),
    onUnreadable: (row, error) =>
      logger.error(
        { err: error, teamId: row.team_id, [id]: row[id] },
        `A row of ${table} does not open with any key: its secrets have to be sent again.`,
      ),
  });
}

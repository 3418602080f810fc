import type { Database } from '@rapporteur/database';
import { rewrapTable } from '@rapporteur/secret-box';
import type { Rewrapped, SealedTable } from '@rapporteur/secret-box';
import type { Logger } from '@rapporteur/service-runtime';
import type { LoginRow, WorkspaceRow } from '../schema/login-rows.ts';
import type { LoginSecrets } from './login-secrets.ts';

interface RewrapDependencies {
  readonly database: Database;
  readonly secrets: LoginSecrets;
  readonly logger: Pick<Logger, 'error'>;
}

/** Seals workspaces and logins with the current key where a former one still wraps them. */
export async function rewrapLogins({ database, secrets, logger }: RewrapDependencies): Promise<Rewrapped[]> {
  const rewrap = async <Row extends { readonly team_id: string }>(
    table: Omit<SealedTable<Row>, 'onUnreadable'>,
  ): Promise<Rewrapped> =>
    await rewrapTable<Row>(database, {
      ...table,
      onUnreadable: (row, error) =>
        logger.error(
          { err: error, teamId: row.team_id, [table.id]: row[table.id] },
          `A row of ${table.name} does not open with any key: its secrets have to be sent again.`,
        ),
    });
  return [
    await rewrap<WorkspaceRow>({ name: 'login_workspaces', id: 'workspace_id', rewrap: secrets.rewrapWorkspace }),
    await rewrap<LoginRow>({ name: 'logins', id: 'credential_id', rewrap: secrets.rewrapLogin }),
  ];
}

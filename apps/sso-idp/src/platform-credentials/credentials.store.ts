import type { RenewalLease } from '@rapporteur/async';
import { insertRow, updateRows } from '@rapporteur/database';
import type { Executor } from '@rapporteur/database';
import { credentials } from '../schema/entities.ts';
import type { CredentialRow } from '../schema/entities.ts';
import type { CredentialPlace } from './credential-secrets.ts';

/** Columns of a consent: its Zoom user, and its sealed tokens. All but the type are null for a credential of type app. */
export type ConsentColumns = Pick<
  CredentialRow,
  | 'credential_type'
  | 'refresh_token'
  | 'access_token'
  | 'access_token_expires_at'
  | 'zoom_user_id'
  | 'zoom_account_id'
  | 'zoom_email'
  | 'zoom_display_name'
  | 'scopes'
>;
export type NewCredential = ConsentColumns &
  Pick<CredentialRow, 'credential_id' | 'team_id' | 'name' | 'client_id' | 'client_secret' | 'extra' | 'created_at'>;
export type CredentialChange = Partial<
  ConsentColumns &
    Pick<
      CredentialRow,
      | 'name'
      | 'client_id'
      | 'client_secret'
      | 'extra'
      | 'state'
      | 'last_error_message'
      | 'last_error_at'
      | 'updated_at'
      | 'renewal'
      | 'renewal_until'
    >
>;

export async function insertCredential(executor: Executor, row: NewCredential): Promise<CredentialRow> {
  return await insertRow(executor, credentials, { ...row, state: 'active', updated_at: row.created_at });
}

/** A credential of the team that is not deleted, or null. */
export async function findCredential(executor: Executor, place: CredentialPlace): Promise<CredentialRow | null> {
  const [row] = await executor.query<CredentialRow>(
    'select * from platform_credentials where team_id = $1 and credential_id = $2 and deleted_at is null',
    [place.teamId, place.credentialId],
  );
  return row ?? null;
}

/** The columns of a credential that no process renews. */
export const noRenewal = { renewal: null, renewal_until: null } as const;

/** Leases the renewal of its tokens; null while another process has it, and when the credential does not exist. */
export async function claimRenewal(
  executor: Executor,
  { teamId, credentialId }: CredentialPlace,
  { renewal, at, until }: RenewalLease,
): Promise<CredentialRow | null> {
  const [row] = await executor.query<CredentialRow>(
    `update platform_credentials set renewal = $3, renewal_until = $5
     where team_id = $1 and credential_id = $2 and deleted_at is null and (renewal is null or renewal_until <= $4)
     returning *`,
    [teamId, credentialId, renewal, at, until],
  );
  return row ?? null;
}

/** The team's credential of this user: valid ones first, then the newest. */
export async function findOfUser(executor: Executor, teamId: string, userId: string): Promise<CredentialRow | null> {
  const [row] = await executor.query<CredentialRow>(
    `select * from platform_credentials where team_id = $1 and zoom_user_id = $2 and deleted_at is null
     order by state = 'active' desc, created_at desc, credential_id desc limit 1`,
    [teamId, userId],
  );
  return row ?? null;
}

/** Writes the given columns; null when the credential does not exist any more, or `renewal` does not hold its lease. */
export async function changeCredential(
  executor: Executor,
  { teamId, credentialId }: CredentialPlace,
  change: CredentialChange,
  renewal?: string,
): Promise<CredentialRow | null> {
  const held = renewal === undefined ? {} : { renewal };
  const where = { team_id: teamId, credential_id: credentialId, deleted_at: null, ...held };
  const [row] = await updateRows(executor, credentials, { where, columns: change });
  return row ?? null;
}

/** Soft deletion: the row stays without any secret, so that its past use stays visible. False: it does not exist. */
export async function forgetCredential(executor: Executor, place: CredentialPlace, at: Date): Promise<boolean> {
  const rows = await executor.query(
    `update platform_credentials set deleted_at = $3, updated_at = $3, client_secret = null, refresh_token = null,
       access_token = null, access_token_expires_at = null
     where team_id = $1 and credential_id = $2 and deleted_at is null returning 1`,
    [place.teamId, place.credentialId, at],
  );
  return rows.length > 0;
}

/** Stores an error; the state stays. Not a change by the customer, so updated_at stays too. */
export async function noteError(executor: Executor, place: CredentialPlace, message: string, at: Date): Promise<void> {
  await executor.query(
    `update platform_credentials set last_error_message = $3, last_error_at = $4
     where team_id = $1 and credential_id = $2 and deleted_at is null`,
    [place.teamId, place.credentialId, message, at],
  );
}

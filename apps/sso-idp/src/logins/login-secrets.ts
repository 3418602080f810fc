import { rewrapColumns } from '@rapporteur/secret-box';
import type { SecretBox } from '@rapporteur/secret-box';
import type { LoginRow, WorkspaceRow } from '../schema/login-entities.ts';

export type WorkspaceSecret = 'certificate' | 'private_key' | 'next_certificate' | 'next_private_key';
export const workspaceSecrets = [
  'certificate',
  'private_key',
  'next_certificate',
  'next_private_key',
] as const satisfies readonly WorkspaceSecret[];

/** A certificate with its key, both in PEM form. */
export interface PemPair {
  readonly certPem: string;
  readonly keyPem: string;
}

type WorkspaceIds = Pick<WorkspaceRow, 'team_id' | 'workspace_id'>;
type LoginIds = Pick<LoginRow, 'team_id' | 'credential_id'>;

/**
 * Seals and opens secrets of workspaces and logins, each bound to its team, record and column. Opening throws when no
 * key fits.
 */
export interface LoginSecrets {
  sealWorkspace(ids: WorkspaceIds, column: WorkspaceSecret, text: string): Buffer;
  sealPassword(ids: LoginIds, password: string): Buffer;
  /** The pair that signs. Null for Teams. */
  signingPair(row: WorkspaceRow): PemPair | null;
  /** The pair of a rotation that is in progress. */
  nextPair(row: WorkspaceRow): PemPair | null;
  password(row: LoginRow): string | null;
  rewrapWorkspace(row: WorkspaceRow): Partial<Record<WorkspaceSecret, Buffer>>;
  rewrapLogin(row: LoginRow): { readonly password?: Buffer };
}

export function createLoginSecrets(box: SecretBox): LoginSecrets {
  const workspacePlace = (ids: WorkspaceIds, column: WorkspaceSecret) => ({
    teamId: ids.team_id,
    recordId: ids.workspace_id,
    field: `login_workspaces.${column}`,
  });
  const passwordPlace = (ids: LoginIds) => ({
    teamId: ids.team_id,
    recordId: ids.credential_id,
    field: 'logins.password',
  });
  const pair = (row: WorkspaceRow, certificate: WorkspaceSecret, key: WorkspaceSecret): PemPair | null => {
    const [cert, privateKey] = [row[certificate], row[key]];
    if (cert === null || privateKey === null) return null;
    return {
      certPem: box.open(cert, workspacePlace(row, certificate)),
      keyPem: box.open(privateKey, workspacePlace(row, key)),
    };
  };
  return {
    sealWorkspace: (ids, column, text) => box.seal(text, workspacePlace(ids, column)),
    sealPassword: (ids, password) => box.seal(password, passwordPlace(ids)),
    signingPair: (row) => pair(row, 'certificate', 'private_key'),
    nextPair: (row) => pair(row, 'next_certificate', 'next_private_key'),
    password: (row) => (row.password === null ? null : box.open(row.password, passwordPlace(row))),
    rewrapWorkspace: (row) => rewrapColumns(box, row, workspaceSecrets, workspacePlace),
    rewrapLogin: (row) => rewrapColumns(box, row, ['password'], passwordPlace),
  };
}

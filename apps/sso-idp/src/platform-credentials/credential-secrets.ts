import { rewrapColumns } from '@rapporteur/secret-box';
import type { SecretBox } from '@rapporteur/secret-box';
import type { CredentialRow } from '../schema/entities.ts';

/** Sealed columns. */
export const sealedColumns = ['client_secret', 'refresh_token', 'access_token'] as const;
export type SealedColumn = (typeof sealedColumns)[number];

export interface CredentialPlace {
  readonly teamId: string;
  readonly credentialId: string;
}

/** Seals and opens secrets of customers, each bound to its team, credential and column. */
export interface CredentialSecrets {
  seal(place: CredentialPlace, column: SealedColumn, text: string): Buffer;
  /** Null for an empty column. Throws when no key opens it. */
  open(row: CredentialRow, column: SealedColumn): string | null;
  /** Seals columns again with the current key where a former one still wraps them. Throws when no key opens one. */
  rewrap(row: CredentialRow): Partial<Record<SealedColumn, Buffer>>;
}

export function createCredentialSecrets(box: SecretBox): CredentialSecrets {
  const placeOf = ({ teamId, credentialId }: CredentialPlace, column: SealedColumn) => ({
    teamId,
    recordId: credentialId,
    field: `platform_credentials.${column}`,
  });
  const ownerOf = (row: CredentialRow) => ({ teamId: row.team_id, credentialId: row.credential_id });
  return {
    seal: (place, column, text) => box.seal(text, placeOf(place, column)),
    open: (row, column) => {
      const blob = row[column];
      return blob === null ? null : box.open(blob, placeOf(ownerOf(row), column));
    },
    rewrap: (row) => rewrapColumns(box, row, sealedColumns, (_row, column) => placeOf(ownerOf(row), column)),
  };
}

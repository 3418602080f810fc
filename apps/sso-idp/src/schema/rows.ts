import type { RowOf } from '@rapporteur/database';
import type { credentials } from './entities.ts';

export type CredentialType = 'app' | 'user';
export type CredentialState = 'active' | 'invalid';

/** A customer's Zoom app and, for type user, the consent of one of its users. */
export type CredentialRow = RowOf<
  typeof credentials,
  { credential_type: CredentialType; state: CredentialState; extra: Record<string, unknown> | null }
>;

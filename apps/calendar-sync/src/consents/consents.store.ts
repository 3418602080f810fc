import { createHash, randomUUID } from 'node:crypto';
import type { Executor } from '@rapporteur/database';
import type { ConsentRow, Platform } from '../schema/entities.ts';
import type { Sealing } from '../sealing.ts';

/** Time limit of each step of a consent. */
export const consentMs = 600_000;

/** A consent belongs to a team and to the user or API key that began it. */
export interface ConsentOwner {
  readonly teamId: string;
  readonly keyId: string;
}

export interface NewConsent extends ConsentOwner {
  readonly platform: Platform;
  readonly clientId: string;
  readonly state: string;
  readonly verifier: string;
  readonly now: number;
}

export async function insertConsent(executor: Executor, sealing: Sealing, consent: NewConsent): Promise<ConsentRow> {
  const consentId = randomUUID();
  const { teamId, keyId, platform, clientId, state, verifier, now } = consent;
  const [row] = await executor.query<ConsentRow>(
    `insert into consents (consent_id, team_id, started_by, platform, oauth_client_id, state_hash, verifier, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning *`,
    [
      consentId,
      teamId,
      keyId,
      platform,
      clientId,
      hashOf(state),
      sealing.sealConsent({ teamId, consentId }, 'verifier', verifier),
      new Date(now + consentMs),
    ],
  );
  return row as ConsentRow;
}

/** Marks a consent as redeemed, once; null: the state is unknown, used, expired or of another owner. */
export async function redeemConsent(
  executor: Executor,
  { teamId, keyId }: ConsentOwner,
  { state, now }: { readonly state: string; readonly now: number },
): Promise<ConsentRow | null> {
  const [row] = await executor.query<ConsentRow>(
    `update consents set redeemed_at = $4 where state_hash = $1 and team_id = $2 and started_by = $3
       and redeemed_at is null and expires_at > $4 returning *`,
    [hashOf(state), teamId, keyId, new Date(now)],
  );
  return row ?? null;
}

export async function keepRefreshToken(
  executor: Executor,
  sealing: Sealing,
  { row, refreshToken, now }: { readonly row: ConsentRow; readonly refreshToken: string; readonly now: number },
): Promise<Date> {
  const expiresAt = new Date(now + consentMs);
  const place = { teamId: row.team_id, consentId: row.consent_id };
  await executor.query('update consents set refresh_token = $2, expires_at = $3 where consent_id = $1', [
    row.consent_id,
    sealing.sealConsent(place, 'refresh_token', refreshToken),
    expiresAt,
  ]);
  return expiresAt;
}

/** Removes a redeemed consent and returns it; null: there is none for this owner. */
export async function takeConsent(
  executor: Executor,
  { teamId, keyId }: ConsentOwner,
  { consentId, now }: { readonly consentId: string; readonly now: number },
): Promise<ConsentRow | null> {
  const [row] = await executor.query<ConsentRow>(
    `delete from consents where consent_id = $1 and team_id = $2 and started_by = $3
       and refresh_token is not null and expires_at > $4 returning *`,
    [consentId, teamId, keyId, new Date(now)],
  );
  return row ?? null;
}

export async function removeExpiredConsents(executor: Executor, now: Date): Promise<void> {
  await executor.query('delete from consents where expires_at < $1', [now]);
}

function hashOf(state: string): Buffer {
  return createHash('sha256').update(state).digest();
}

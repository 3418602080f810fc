import { hkdfSync, randomUUID } from 'node:crypto';
import type { Executor } from '@rapporteur/database';
import { createSecretBox } from '@rapporteur/secret-box';
import type { SecretBox } from '@rapporteur/secret-box';
import type { Secret } from '@rapporteur/service-runtime';

/** A request to execute once: its team, its operation, its key, and a digest of its content. */
export interface KeyedRequest {
  readonly teamId: string;
  readonly operation: string;
  readonly keyHash: Buffer;
  readonly requestHash: Buffer;
}

export interface KeptResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The exclusive right to execute a request. */
export interface Claim extends KeyedRequest {
  readonly claimId: string;
  /** The same for every attempt of this request. */
  readonly idempotencyId: string;
}

export type ClaimOutcome =
  | { readonly kind: 'ours'; readonly claim: Claim }
  | { readonly kind: 'answered'; readonly response: KeptResponse }
  | { readonly kind: 'in progress' }
  | { readonly kind: 'another request' };

export interface IdempotencyStore {
  /** Exactly one of any number of callers, on any replica, gets the claim; the others get its current outcome. */
  claim(request: KeyedRequest): Promise<ClaimOutcome>;
  /** Extends the claim by 20 s. Does nothing when another claim replaced it. */
  renew(claim: Claim): Promise<void>;
  /** Stores the response for 24 h from the claim. Does nothing when another claim replaced it. */
  keep(claim: Claim, response: KeptResponse): Promise<void>;
  /** Releases the claim, so that the request can be repeated at once. */
  release(claim: Claim): Promise<void>;
  /** Deletes a batch of expired rows and returns how many. */
  sweep(): Promise<number>;
}

const keptHours = 24;
/**
 * Lifetime of a claim after its creation or last renewal. It expires when its gateway died or the outcome is unknown.
 */
const claimSeconds = 20;
const sweptAtOnce = 5_000;
const claimTries = 3;

const claimSql = `
  insert into idempotency_keys as k
    (team_id, operation, key_hash, request_hash, claim_id, idempotency_id, claimed_until, expires_at)
  values ($1, $2, $3, $4, $5, $6, clock_timestamp() + interval '${claimSeconds} seconds',
          clock_timestamp() + interval '${keptHours} hours')
  on conflict (team_id, operation, key_hash) do update set
    request_hash = excluded.request_hash, claim_id = excluded.claim_id, claimed_until = excluded.claimed_until,
    idempotency_id = case when k.expires_at <= clock_timestamp() then excluded.idempotency_id else k.idempotency_id end,
    expires_at = excluded.expires_at, status = null, headers = null, response = null
  where k.expires_at <= clock_timestamp()
     or (k.status is null and k.claimed_until <= clock_timestamp() and k.request_hash = excluded.request_hash)
  returning idempotency_id`;

interface KeptRow {
  readonly same: boolean;
  readonly status: number | null;
  readonly headers: Record<string, string> | null;
  readonly response: Buffer | null;
}

/** `secret` is shared by all replicas; it encrypts the stored responses. */
export function createIdempotencyStore(database: Executor, secret: Secret): IdempotencyStore {
  const box = boxOf(secret);
  const identity = ({ teamId, operation, keyHash }: KeyedRequest) => [teamId, operation, keyHash];

  const tryClaim = async (request: KeyedRequest): Promise<ClaimOutcome | null> => {
    const claimId = randomUUID();
    const [row] = await database.query<{ idempotency_id: string }>(claimSql, [
      ...identity(request),
      request.requestHash,
      claimId,
      randomUUID(),
    ]);
    if (row !== undefined) return { kind: 'ours', claim: { ...request, claimId, idempotencyId: row.idempotency_id } };
    const [kept] = await database.query<KeptRow>(
      `select request_hash = $4 as same, status, headers, response from idempotency_keys
        where team_id = $1 and operation = $2 and key_hash = $3`,
      [...identity(request), request.requestHash],
    );
    if (kept === undefined) return null;
    if (!kept.same) return { kind: 'another request' };
    const { status, headers, response } = kept;
    if (status === null || headers === null || response === null) return { kind: 'in progress' };
    return { kind: 'answered', response: { status, headers, body: box.open(response, placeOf(request)) } };
  };

  return {
    claim: async (request) => {
      for (let tries = 0; tries < claimTries; tries += 1) {
        const outcome = await tryClaim(request);
        // The row was deleted between the two statements: the claim is free.
        if (outcome !== null) return outcome;
      }
      return { kind: 'in progress' };
    },
    renew: async (claim) => {
      await database.query(
        `update idempotency_keys set claimed_until = clock_timestamp() + interval '${claimSeconds} seconds'
          where team_id = $1 and operation = $2 and key_hash = $3 and claim_id = $4 and status is null`,
        [...identity(claim), claim.claimId],
      );
    },
    keep: async (claim, { status, headers, body }) => {
      await database.query(
        `update idempotency_keys set status = $5, headers = $6, response = $7
          where team_id = $1 and operation = $2 and key_hash = $3 and claim_id = $4`,
        [...identity(claim), claim.claimId, status, JSON.stringify(headers), box.seal(body, placeOf(claim))],
      );
    },
    release: async (claim) => {
      await database.query(
        `update idempotency_keys set claimed_until = clock_timestamp()
          where team_id = $1 and operation = $2 and key_hash = $3 and claim_id = $4`,
        [...identity(claim), claim.claimId],
      );
    },
    sweep: async () => {
      const removed = await database.query(
        `delete from idempotency_keys where (team_id, operation, key_hash) in (
           select team_id, operation, key_hash from idempotency_keys where expires_at <= clock_timestamp()
            limit ${sweptAtOnce} for update skip locked)
         returning 1`,
      );
      return removed.length;
    },
  };
}

function boxOf(secret: Secret): SecretBox {
  const key = hkdfSync('sha256', secret.reveal(), '', 'rapporteur idempotency answers', 32);
  return createSecretBox({ current: Buffer.from(key).toString('base64') });
}

function placeOf({ teamId, operation, keyHash }: KeyedRequest) {
  return { teamId, recordId: `${operation} ${keyHash.toString('hex')}`, field: 'response' };
}

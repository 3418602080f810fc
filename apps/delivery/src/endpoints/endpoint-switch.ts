import type { Executor } from '@rapporteur/database';
import type { DisabledReason } from '../schema/entities.ts';

/** Disables an endpoint, which the caller has locked. Its pending deliveries are held. */
export async function disableEndpoint(
  transaction: Executor,
  endpointId: string,
  reason: DisabledReason,
  now: Date,
): Promise<void> {
  await transaction.query(
    'update webhook_endpoints set enabled = false, disabled_reason = $2, updated_at = $3 where endpoint_id = $1',
    [endpointId, reason, now],
  );
  await transaction.query(
    `update deliveries set state = 'held', next_attempt_at = null, lease_id = null
      where endpoint_id = $1 and state = 'pending'`,
    [endpointId],
  );
}

/** Enables an endpoint, which the caller has locked. Held deliveries are due now, with a new schedule. */
export async function enableEndpoint(transaction: Executor, endpointId: string, now: Date): Promise<void> {
  await transaction.query(
    `update webhook_endpoints set enabled = true, disabled_reason = null, failing_since = null, updated_at = $2
      where endpoint_id = $1`,
    [endpointId, now],
  );
  await transaction.query(
    `update deliveries set state = 'pending', next_attempt_at = $2, tries = 0
      where endpoint_id = $1 and state = 'held'`,
    [endpointId, now],
  );
}

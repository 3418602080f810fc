import { startPeriodicTask } from '@rapporteur/async';
import type { Database } from '@rapporteur/database';
import { rewrapTable } from '@rapporteur/secret-box';
import type { Rewrapped } from '@rapporteur/secret-box';
import type { Clock, Logger, Repetition } from '@rapporteur/service-runtime';
import type { EndpointRow } from '../schema/rows.ts';
import type { EndpointSecrets } from './endpoint-secrets.ts';

export interface RewrapDependencies {
  readonly database: Database;
  readonly secrets: Pick<EndpointSecrets, 'rewrap'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** True while former keys are configured. */
  readonly hasFormerKeys: boolean;
}

/** Another process may still seal with a former key during a rolling update. */
const everyMs = 3_600_000;

/**
 * Deletes previous secrets whose overlap ended and reseals those under a former key with the current one. Rows that
 * change concurrently are left for the next run.
 */
export async function rewrapSecrets(dependencies: Omit<RewrapDependencies, 'hasFormerKeys'>): Promise<Rewrapped> {
  const { database, secrets, clock, logger } = dependencies;
  await database.query(
    `update webhook_endpoints set previous_secret = null, previous_secret_expires_at = null
      where previous_secret_expires_at <= $1`,
    [new Date(clock.now())],
  );
  return await rewrapTable<EndpointRow>(database, {
    name: 'webhook_endpoints',
    id: 'endpoint_id',
    where: 'owner_id is null',
    rewrap: secrets.rewrap,
    onUnreadable: ({ team_id: teamId, endpoint_id: endpointId }, error) =>
      logger.error(
        { err: error, teamId, endpointId },
        'The secret of a webhook endpoint does not open with any key we have: rotate it to make a new one.',
      ),
  });
}

/** Runs at once and then hourly until stopped. */
export function keepSecretsRewrapped(dependencies: RewrapDependencies): Repetition {
  const { logger, hasFormerKeys } = dependencies;
  const work = async (): Promise<void> => {
    const { rewrapped, unreadable } = await rewrapSecrets(dependencies);
    if (rewrapped > 0) logger.info({ rewrapped }, 'Endpoint secrets are now sealed with the current secret key.');
    if (hasFormerKeys && rewrapped === 0 && unreadable === 0)
      logger.info({}, 'No endpoint secret needs a former secret key: it may be removed once every process logs this.');
  };
  return startPeriodicTask({ what: 'Re-encryption of endpoint secrets', everyMs, work }, dependencies);
}

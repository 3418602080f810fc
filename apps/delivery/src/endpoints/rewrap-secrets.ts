import { startPeriodicTask } from '@rapporteur/async';
import type { Database } from '@rapporteur/database';
import { rotateKeys, rotationOf } from '@rapporteur/secret-box';
import type { Rewrapped } from '@rapporteur/secret-box';
import type { Clock, Logger, Repetition } from '@rapporteur/service-runtime';
import type { EndpointRow } from '../schema/entities.ts';
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
export async function rewrapSecrets({
  database,
  secrets,
  clock,
  logger,
}: Omit<RewrapDependencies, 'hasFormerKeys'>): Promise<Rewrapped> {
  await forgetPreviousSecrets(database, clock);
  return await rotateKeys({ database, logger }, 'endpoint secrets', [
    rotationOf<EndpointRow>({
      name: 'webhook_endpoints',
      id: 'endpoint_id',
      where: 'owner_id is null',
      rewrap: secrets.rewrap,
    }),
  ]);
}

async function forgetPreviousSecrets(database: Database, clock: Clock): Promise<void> {
  await database.query(
    `update webhook_endpoints set previous_secret = null, previous_secret_expires_at = null
      where previous_secret_expires_at <= $1`,
    [new Date(clock.now())],
  );
}

/** Runs at once and then hourly until stopped. */
export function keepSecretsRewrapped({ hasFormerKeys, ...dependencies }: RewrapDependencies): Repetition {
  const { database, clock } = dependencies;
  const work = () => (hasFormerKeys ? rewrapSecrets(dependencies) : forgetPreviousSecrets(database, clock));
  return startPeriodicTask({ what: 'Re-encryption of endpoint secrets', everyMs, work }, dependencies);
}

import { randomUUID } from 'node:crypto';
import type { Database } from '@rapporteur/database';
import { fail, Failure } from '@rapporteur/failures';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import { addToLog, invalid, servePublic } from '@rapporteur/service-runtime';
import type { Service } from '@rapporteur/service-runtime';
import type { Router } from 'express';
import type { CheckAccess } from './check-access.ts';
import type { ConfigurationSecrets } from './configuration-secrets.ts';
import { checkConfiguration, describeStorageConfig } from './configuration-shape.ts';
import { findCurrent, recordError, recordVerified, replaceCurrent, retireCurrent } from './configurations.store.ts';

export interface ConfigurationDependencies {
  readonly database: Database;
  readonly secrets: ConfigurationSecrets;
  readonly checkAccess: CheckAccess;
  readonly http: Pick<OutboundHttp, 'checkUrl'>;
}

/** The team's own storage in the public API (specification 4.9 to 4.11). */
export function configurationRoutes(service: Service, dependencies: ConfigurationDependencies): Router {
  const { database, secrets, checkAccess } = dependencies;
  const now = (): Date => new Date(service.clock.now());
  return servePublic(service.auth, {
    putStorageConfig: async ({ teamId, body, request }) => {
      checkConfiguration(body);
      refuseEndpoint(dependencies.http, body.endpoint);
      const reason = await checkAccess(body);
      if (reason !== null) throw fail('STORAGE_VERIFICATION_FAILED', { message: reason });
      const ids = { storage_config_id: randomUUID(), team_id: teamId };
      const row = await replaceCurrent(database, { ...body, ...ids, ...secrets.seal(ids, body) }, now());
      addToLog(request, { storageConfigId: row.storage_config_id });
      return { data: describeStorageConfig(row) };
    },
    getStorageConfig: async ({ teamId }) => {
      const row = await findCurrent(database, teamId);
      if (row === null) throw fail('STORAGE_CONFIG_NOT_FOUND');
      return { data: describeStorageConfig(row) };
    },
    deleteStorageConfig: async ({ teamId, request }) => {
      const row = await retireCurrent(database, teamId, now());
      if (row === null) throw fail('STORAGE_CONFIG_NOT_FOUND');
      addToLog(request, { storageConfigId: row.storage_config_id });
      const message =
        'New bots are stored by the service. What is in your buckets stays there, and earlier bots keep their links.';
      return { data: { storage_config_id: row.storage_config_id, enabled: false, message } };
    },
    testStorageConfig: async ({ teamId, request }) => {
      const row = await findCurrent(database, teamId);
      if (row === null) throw fail('STORAGE_CONFIG_NOT_FOUND');
      const error = await checkAccess(secrets.open(row));
      if (error === null) await recordVerified(database, row.storage_config_id, now());
      else await recordError(database, row.storage_config_id, error, now());
      addToLog(request, { storageConfigId: row.storage_config_id, accessError: error });
      return { data: { ok: error === null, error } };
    },
  });
}

/** Specification 4.9: every refusal is a 400 with the reason. */
function refuseEndpoint(http: Pick<OutboundHttp, 'checkUrl'>, endpoint: string): void {
  try {
    http.checkUrl(endpoint);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw invalid('endpoint', error.message, 'STORAGE_VERIFICATION_FAILED');
  }
}

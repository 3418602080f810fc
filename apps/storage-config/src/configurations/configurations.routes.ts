import { randomUUID } from 'node:crypto';
import type { Database } from '@rapporteur/database';
import { fail, Failure } from '@rapporteur/failures';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import { addToLog, invalid, jsonBody, readInput, teamOf } from '@rapporteur/service-runtime';
import type { Service } from '@rapporteur/service-runtime';
import type { Express } from 'express';
import type { CheckAccess } from './check-access.ts';
import type { ConfigurationSecrets } from './configuration-secrets.ts';
import { describeStorageConfig, storageConfigBody } from './configuration-shape.ts';
import { findCurrent, recordError, recordVerified, replaceCurrent, retireCurrent } from './configurations.store.ts';

export interface ConfigurationDependencies {
  readonly database: Database;
  readonly secrets: ConfigurationSecrets;
  readonly checkAccess: CheckAccess;
  readonly http: Pick<OutboundHttp, 'checkUrl'>;
}

const root = '/internal/v2/storage-config';

/** The team's own storage in the public API (specification 4.9 to 4.11). */
export function addConfigurationRoutes(app: Express, service: Service, dependencies: ConfigurationDependencies): void {
  const { database, secrets, checkAccess } = dependencies;
  const gatewayOnly = service.auth.require(['api-gateway']);
  const now = (): Date => new Date(service.clock.now());

  app.put(root, gatewayOnly, jsonBody({ limitBytes: 32_768 }), async (request, response) => {
    const configuration = readInput(storageConfigBody, request.body);
    const teamId = teamOf(request);
    refuseEndpoint(dependencies.http, configuration.endpoint);
    const reason = await checkAccess(configuration);
    if (reason !== null) throw fail('STORAGE_VERIFICATION_FAILED', { message: reason });
    const ids = { storage_config_id: randomUUID(), team_id: teamId };
    const row = await replaceCurrent(
      database,
      { ...configuration, ...ids, ...secrets.seal(ids, configuration) },
      now(),
    );
    addToLog(request, { teamId, storageConfigId: row.storage_config_id });
    response.json({ success: true, data: describeStorageConfig(row) });
  });

  app.get(root, gatewayOnly, async (request, response) => {
    const row = await findCurrent(database, teamOf(request));
    if (row === null) throw fail('STORAGE_CONFIG_NOT_FOUND');
    response.json({ success: true, data: describeStorageConfig(row) });
  });

  app.delete(root, gatewayOnly, async (request, response) => {
    const row = await retireCurrent(database, teamOf(request), now());
    if (row === null) throw fail('STORAGE_CONFIG_NOT_FOUND');
    addToLog(request, { teamId: row.team_id, storageConfigId: row.storage_config_id });
    const message =
      'New bots are stored by the service. What is in your buckets stays there, and earlier bots keep their links.';
    response.json({
      success: true,
      data: { storage_config_id: row.storage_config_id, enabled: false, message },
    });
  });

  app.post(`${root}/test`, gatewayOnly, async (request, response) => {
    const row = await findCurrent(database, teamOf(request));
    if (row === null) throw fail('STORAGE_CONFIG_NOT_FOUND');
    const error = await checkAccess(secrets.open(row));
    if (error === null) await recordVerified(database, row.storage_config_id, now());
    else await recordError(database, row.storage_config_id, error, now());
    addToLog(request, { teamId: row.team_id, storageConfigId: row.storage_config_id, accessError: error });
    response.json({ success: true, data: { ok: error === null, error } });
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

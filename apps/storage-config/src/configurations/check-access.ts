import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { fail } from '@rapporteur/failures';
import { checkRequests, defaultRetentionOf, openS3Store } from '@rapporteur/object-store';
import type { ObjectStore, S3StoreOptions, SignedCheckRequest } from '@rapporteur/object-store';
import type { GuardedAgents, OutboundHttp } from '@rapporteur/outbound-http';
import { withDeadline } from '@rapporteur/service-runtime';
import { bucketFields, connectionOf, ingestCredentials, serviceCredentials, storeReason } from './team-buckets.ts';
import type { BucketField } from './team-buckets.ts';
import type { StorageConfiguration } from './configuration-shape.ts';

/** Sends every kind of request to every bucket. @returns null, or the reason why it failed */
export type CheckAccess = (configuration: StorageConfiguration) => Promise<string | null>;

/** Below the gateway's response timeout of 15 s. */
const checkTimeoutMs = 12_000;
const cleanupTimeoutMs = 1_000;

export interface CheckDependencies {
  /** The client of the signed requests. */
  readonly http: Pick<OutboundHttp, 'request'>;
  /** The agents of every other connection. */
  readonly agents: GuardedAgents;
}

/** The checks of specification 4.9, and every other kind of request that a recording needs later. */
export function createCheckAccess(dependencies: CheckDependencies): CheckAccess {
  return async (configuration) => {
    const firstOf = (bucket: string) => bucketFields.find((field) => configuration[field] === bucket);
    const fields = bucketFields.filter((field) => firstOf(configuration[field]) === field);
    const checks = fields.map((field) => checkBucket({ ...dependencies, configuration, field }));
    const found = await Promise.all(checks);
    return found.find((reason) => reason !== null) ?? null;
  };
}

interface Check {
  readonly configuration: StorageConfiguration;
  readonly field: BucketField;
  readonly http: CheckDependencies['http'];
  readonly agents: GuardedAgents;
}

async function checkBucket({ configuration, field, http, agents }: Check): Promise<string | null> {
  const connection = { ...connectionOf(configuration, { agents, maxAttempts: 1 }), bucket: configuration[field] };
  const credentials = serviceCredentials(configuration);
  const bucket = openS3Store({ ...connection, credentials, writeCredentials: ingestCredentials(configuration) });
  const service = openS3Store({ ...connection, credentials });
  const prefix = `rapporteur-access-check/${randomUUID()}/`;
  const begin = (step: string): void => void (current = step);
  let current = '';
  let settled = false;
  try {
    const steps = (async () => {
      begin('writing a marker with the ingest key');
      await refuseRetention({ ...connection, credentials });
      await checkMarker({ bucket, service, key: `${prefix}marker` }, begin);
      await checkRequests({ store: bucket, prefix, begin, send: (request) => sendSigned(http, request) });
    })();
    await withDeadline(
      steps.finally(() => (settled = true)),
      checkTimeoutMs,
      'The access check',
    );
    return null;
  } catch (error) {
    const reason = settled ? storeReason(error) : 'There was no complete response in time.';
    await withDeadline(bucket.deletePrefix(prefix), cleanupTimeoutMs, 'Deleting the marker').catch(() => undefined);
    return `${field}: ${current} failed. ${reason}`;
  } finally {
    await Promise.all([bucket.close(), service.close()]);
  }
}

/** What is retained by the bucket could not be deleted when a customer requests it, or when a recording is complete. */
async function refuseRetention(options: S3StoreOptions): Promise<void> {
  const retention = await defaultRetentionOf(options);
  if (retention === null) return;
  const message = `The bucket retains every object by object lock (${retention}), so that recordings cannot be deleted. Use a bucket without a default retention.`;
  throw fail('UNAVAILABLE', { message });
}

async function sendSigned(http: CheckDependencies['http'], { method, url, headers, body }: SignedCheckRequest) {
  const response = await http.request({
    method,
    url,
    headers,
    ...(body === undefined ? {} : { body: Buffer.from(body) }),
    timeoutMs: checkTimeoutMs,
    maxResponseBytes: 10_000,
  });
  return { status: response.status, body: response.bodyPrefix };
}

interface Steps {
  /** Writes with the ingest key, everything else with the service key. */
  readonly bucket: ObjectStore;
  readonly service: ObjectStore;
  readonly key: string;
}

/** Rule 1 of specification 4.9. */
async function checkMarker({ bucket, service, key }: Steps, begin: (step: string) => void): Promise<void> {
  const contentType = 'text/plain';
  const marker = Buffer.from(`Access check of a meeting recorder. ${key}\n`);
  await bucket.put(key, marker, { contentType });
  begin('reading the marker with the service key');
  const read = await buffer((await service.get(key)).body);
  if (!read.equals(marker)) throw fail('UNAVAILABLE', { message: 'The marker was returned with other content.' });
  begin('listing the marker with the service key');
  const { objects } = await service.list({ prefix: key });
  if (objects.length !== 1) throw fail('UNAVAILABLE', { message: 'The list does not show the marker.' });
  begin('writing the marker with the service key');
  await service.put(key, marker, { contentType });
  begin('deleting the marker with the service key');
  await service.delete(key);
  if ((await service.head(key)) !== null) throw fail('UNAVAILABLE', { message: 'The marker is still there.' });
}

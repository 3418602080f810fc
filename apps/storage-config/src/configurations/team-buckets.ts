import { openS3Store, storeRefusal } from '@rapporteur/object-store';
import type { ObjectStore, S3StoreOptions } from '@rapporteur/object-store';
import { failureFrom, OutboundFailure } from '@rapporteur/outbound-http';
import type { GuardedAgents } from '@rapporteur/outbound-http';
import { Failure } from '@rapporteur/failures';
import type { StorageConfiguration } from './configuration-shape.ts';

export const bucketFields = ['artifacts_bucket', 'audio_chunks_bucket', 'logs_bucket'] as const;
export type BucketField = (typeof bucketFields)[number];

/** The bucket of a key below a bot's prefix: fragments, evidence, or artifacts. */
export function bucketFieldOf(key: string): BucketField {
  if (key.startsWith('segments/')) return 'audio_chunks_bucket';
  return key.startsWith('evidence/') ? 'logs_bucket' : 'artifacts_bucket';
}

/** The buckets of one configuration: writes use the ingest credential, everything else the service credential. */
export interface TeamBuckets {
  readonly of: (field: BucketField) => ObjectStore;
  /** Each bucket once. */
  readonly distinct: readonly ObjectStore[];
  close(): Promise<void>;
}

export interface OpenBucketsOptions {
  readonly agents: GuardedAgents;
  /** Default: the store's. */
  readonly maxAttempts?: number;
}

export function openTeamBuckets(configuration: StorageConfiguration, options: OpenBucketsOptions): TeamBuckets {
  const shared = {
    ...connectionOf(configuration, options),
    credentials: serviceCredentials(configuration),
    writeCredentials: ingestCredentials(configuration),
  };
  const stores = new Map<string, ObjectStore>();
  for (const field of bucketFields) {
    const bucket = configuration[field];
    if (!stores.has(bucket)) stores.set(bucket, openS3Store({ ...shared, bucket }));
  }
  const distinct = [...stores.values()];
  return {
    of: (field) => stores.get(configuration[field]) as ObjectStore,
    distinct,
    close: async () => void (await Promise.all(distinct.map((store) => store.close()))),
  };
}

export function connectionOf(
  configuration: StorageConfiguration,
  { agents, maxAttempts }: OpenBucketsOptions,
): Omit<S3StoreOptions, 'bucket' | 'credentials'> {
  return {
    endpoint: configuration.endpoint,
    region: configuration.region,
    forcePathStyle: configuration.force_path_style,
    keyPrefix: configuration.key_prefix,
    encryption:
      configuration.server_side_encryption === null
        ? null
        : { algorithm: configuration.server_side_encryption, kmsKeyId: configuration.kms_key_id },
    agents,
    ...(maxAttempts === undefined ? {} : { maxAttempts }),
  };
}

export function ingestCredentials(configuration: StorageConfiguration) {
  return {
    accessKeyId: configuration.ingest_access_key_id,
    secretAccessKey: configuration.ingest_secret_access_key,
  };
}

export function serviceCredentials(configuration: StorageConfiguration) {
  return {
    accessKeyId: configuration.service_access_key_id,
    secretAccessKey: configuration.service_secret_access_key,
  };
}

/** Why a team's object store failed, with the store's own sentence, in a message for the customer. */
export function storeReason(error: unknown): string {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutboundFailure) return cause.message;
    if (cause instanceof Failure && cause.code === 'ADDRESS_REFUSED') return cause.message;
    // Node's connection errors have a code, the store's responses none.
    if (typeof (cause as NodeJS.ErrnoException).code === 'string' && !(cause instanceof Failure))
      return failureFrom(cause, false).message;
  }
  if (!(error instanceof Failure)) return 'The object store did not respond as it should.';
  const refusal = storeRefusal(error.cause);
  return refusal === null ? error.message : `${error.message} (${refusal})`;
}

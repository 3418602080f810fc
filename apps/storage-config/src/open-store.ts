import { openDiskStore, openS3Store } from '@rapporteur/object-store';
import type { ObjectStore, S3Credentials, S3StoreOptions } from '@rapporteur/object-store';
import { proxyOf, proxyOptions } from '@rapporteur/outbound-http';
import { ConfigurationError, variableName } from '@rapporteur/service-runtime';
import type { ConfigOf } from '@rapporteur/service-runtime';
import type { storageConfig } from './config.ts';

type Config = ConfigOf<typeof storageConfig>;

/** The store of the configuration. Throws ConfigurationError when a setting of that driver is missing. */
export async function openStore(config: Config): Promise<ObjectStore> {
  if (config.storeDriver === 'disk') {
    return openDiskStore({
      folder: needed(config.storeFolder, 'storeFolder', 'disk'),
      ...linksOf(config),
    });
  }
  const region = needed(config.s3Region, 's3Region', 's3');
  const bucket = needed(config.s3Bucket, 's3Bucket', 's3');
  const credentials = credentialsOf(config);
  return openS3Store({
    ...(config.s3Endpoint === undefined ? {} : { endpoint: config.s3Endpoint }),
    ...(config.s3PublicEndpoint === undefined ? {} : { publicEndpoint: config.s3PublicEndpoint }),
    region,
    bucket,
    ...(credentials === null ? {} : { credentials }),
    // Links signed with temporary credentials would expire with them.
    ...(credentials === null || credentials.sessionToken !== undefined ? { links: linksOf(config) } : {}),
    forcePathStyle: config.s3ForcePathStyle,
    agentOptions: proxyOptions(proxyOf(config)),
  });
}

function linksOf({ publicUrl, signingSecret }: Config): NonNullable<S3StoreOptions['links']> {
  return { signedUrlBase: `${publicUrl}/artifacts`, signingSecret: signingSecret.reveal() };
}

/** Null: those of the role. */
function credentialsOf(config: Config): S3Credentials | null {
  const { s3AccessKeyId, s3SecretAccessKey, s3SessionToken } = config;
  if (config.s3Credentials === 'role') {
    if (s3AccessKeyId === undefined && s3SecretAccessKey === undefined && s3SessionToken === undefined) return null;
    throw new ConfigurationError(
      `${variableName('s3Credentials')} is role: no key or session token may be set beside it.`,
    );
  }
  return {
    accessKeyId: needed(s3AccessKeyId, 's3AccessKeyId', 's3'),
    secretAccessKey: needed(s3SecretAccessKey, 's3SecretAccessKey', 's3').reveal(),
    ...(s3SessionToken === undefined ? {} : { sessionToken: s3SessionToken.reveal() }),
  };
}

function needed<T>(value: T | undefined, key: string, driver: string): T {
  if (value === undefined)
    throw new ConfigurationError(`${variableName(key)} is missing: the store driver ${driver} needs it.`);
  return value;
}

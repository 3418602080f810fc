import { openDiskStore, openS3Store } from '@rapporteur/object-store';
import type { ObjectStore } from '@rapporteur/object-store';
import { ConfigurationError, variableName } from '@rapporteur/service-runtime';
import type { ConfigOf } from '@rapporteur/service-runtime';
import type { storageConfig } from './config.ts';

/** The store that the configuration names. Throws ConfigurationError when a setting of that driver is missing. */
export async function openStore(config: ConfigOf<typeof storageConfig>): Promise<ObjectStore> {
  if (config.storeDriver === 'disk') {
    return openDiskStore({
      folder: needed(config.storeFolder, 'storeFolder', 'disk'),
      signedUrlBase: `${config.publicUrl}/artifacts`,
      signingSecret: config.signingSecret.reveal(),
    });
  }
  return openS3Store({
    ...(config.s3Endpoint === undefined ? {} : { endpoint: config.s3Endpoint }),
    ...(config.s3PublicEndpoint === undefined ? {} : { publicEndpoint: config.s3PublicEndpoint }),
    region: needed(config.s3Region, 's3Region', 's3'),
    bucket: needed(config.s3Bucket, 's3Bucket', 's3'),
    credentials: {
      accessKeyId: needed(config.s3AccessKeyId, 's3AccessKeyId', 's3'),
      secretAccessKey: needed(config.s3SecretAccessKey, 's3SecretAccessKey', 's3').reveal(),
    },
    forcePathStyle: config.s3ForcePathStyle,
  });
}

function needed<T>(value: T | undefined, key: string, driver: string): T {
  if (value === undefined)
    throw new ConfigurationError(`${variableName(key)} is missing: the store driver ${driver} needs it.`);
  return value;
}

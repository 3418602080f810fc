import { isKeyPrefix, openAzureStore, openDiskStore, openS3Store, withKeyPrefix } from '@rapporteur/object-store';
import type { AzureStoreOptions, ObjectStore, S3Credentials, S3StoreOptions } from '@rapporteur/object-store';
import { proxyOf, proxyOptions, useProxyForFetch } from '@rapporteur/outbound-http';
import { ConfigurationError, variableName } from '@rapporteur/service-runtime';
import type { ConfigOf } from '@rapporteur/service-runtime';
import { environmentWith } from '@rapporteur/service-runtime/process';
import type { storageConfig } from './config.ts';

type Config = ConfigOf<typeof storageConfig>;
type Environment = ReturnType<typeof environmentWith>;

/**
 * The store of the configuration. Throws ConfigurationError when a setting of that driver is missing.
 *
 * @param environment where the webhook of Microsoft Entra Workload ID writes
 */
export async function openStore(config: Config, environment: Environment = environmentWith({})): Promise<ObjectStore> {
  const { storeDriver: driver, storeKeyPrefix: prefix = '' } = config;
  refuseUnused(config);
  if (!isKeyPrefix(prefix))
    throw new ConfigurationError(
      `${variableName('storeKeyPrefix')} must be a folder that ends with a slash, for example recordings/.`,
    );
  if (driver === 'azure') return withKeyPrefix(await openAzureStore(azureOptions(config, environment)), prefix);
  return driver === 'disk' ? await openDisk(config) : openS3(config, prefix);
}

/** What another driver would not do. */
function refuseUnused({ storeDriver, s3ServerSideEncryption: algorithm, s3KmsKeyId, storeKeyPrefix }: Config): void {
  if (storeDriver === 'disk' && storeKeyPrefix !== undefined)
    throw new ConfigurationError(`${variableName('storeKeyPrefix')} has no effect with the store driver disk.`);
  if (storeDriver !== 's3' && algorithm !== undefined)
    throw new ConfigurationError(
      `${variableName('s3ServerSideEncryption')} has an effect with the store driver s3 only.`,
    );
  if (s3KmsKeyId !== undefined && algorithm !== 'aws:kms')
    throw new ConfigurationError(
      `${variableName('s3KmsKeyId')} needs ${variableName('s3ServerSideEncryption')}=aws:kms.`,
    );
}

function openDisk(config: Config): Promise<ObjectStore> {
  return openDiskStore({ folder: needed(config.storeFolder, 'storeFolder', 'disk'), ...linksOf(config) });
}

function azureOptions(config: Config, environment: Environment): AzureStoreOptions {
  const { azureEndpoint: endpoint, azureAccountKey } = config;
  const account = needed(config.azureAccount, 'azureAccount', 'azure');
  const container = needed(config.azureContainer, 'azureContainer', 'azure');
  const proxy = proxyOf(config);
  const shared = {
    account,
    container,
    ...(endpoint === undefined ? {} : { endpoint }),
    agentOptions: proxyOptions(proxy),
  };
  if (config.azureCredentials === 'keys') {
    const accountKey = needed(azureAccountKey, 'azureAccountKey', 'azure').reveal();
    return { ...shared, credentials: { accountKey } };
  }
  if (azureAccountKey !== undefined)
    throw new ConfigurationError(`${variableName('azureCredentials')} is role: no key may be set beside it.`);
  if (proxy !== null) useProxyForFetch(proxy, []);
  const injected = (name: string): string => {
    const value = environment[name];
    if (value !== undefined && value !== '') return value;
    const cause = 'the webhook of Microsoft Entra Workload ID did not write it into this pod';
    throw new ConfigurationError(`${name} is missing: ${variableName('azureCredentials')} is role, and ${cause}.`);
  };
  const workloadIdentity = {
    tenantId: injected('AZURE_TENANT_ID'),
    clientId: injected('AZURE_CLIENT_ID'),
    tokenFile: injected('AZURE_FEDERATED_TOKEN_FILE'),
    authority: environment['AZURE_AUTHORITY_HOST'] ?? 'https://login.microsoftonline.com/',
  };
  return { ...shared, credentials: { workloadIdentity } };
}

function openS3(config: Config, keyPrefix: string): ObjectStore {
  const region = needed(config.s3Region, 's3Region', 's3');
  const bucket = needed(config.s3Bucket, 's3Bucket', 's3');
  const credentials = credentialsOf(config);
  const { s3ServerSideEncryption: algorithm, s3KmsKeyId: kmsKeyId = null } = config;
  return openS3Store({
    keyPrefix,
    ...(algorithm === undefined ? {} : { encryption: { algorithm, kmsKeyId } }),
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

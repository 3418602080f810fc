import { isKeyPrefix, openAzureStore, openDiskStore, openS3Store, withKeyPrefix } from '@rapporteur/object-store';
import type { AzureStoreOptions, ObjectStore, S3Credentials, S3StoreOptions } from '@rapporteur/object-store';
import { proxyOf, proxyOptions, useProxyForFetch } from '@rapporteur/outbound-http';
import { ConfigurationError, flag, httpUrl, secret, variableName, withDefault } from '@rapporteur/service-runtime';
import type { ConfigOf, outboundConfig, Secret } from '@rapporteur/service-runtime';
import { environmentWith } from '@rapporteur/service-runtime/process';
import { z } from 'zod';

type Environment = ReturnType<typeof environmentWith>;
/** The settings that every driver reads. */
type Deployment = ConfigOf<typeof outboundConfig> & { readonly publicUrl: string; readonly signingSecret: Secret };

const credentialsSetting = () => withDefault(z.enum(['keys', 'role']) as z.ZodType<'keys' | 'role', string>, 'keys');

const diskSettings = {
  /** With driver disk: the folder of all objects. */
  storeFolder: z.string().optional(),
};
const s3Settings = {
  /** With driver s3; absent: AWS's endpoint of the region. */
  s3Endpoint: httpUrl().optional(),
  /** Address of the same S3 server for customers, when it differs. */
  s3PublicEndpoint: httpUrl().optional(),
  s3Region: z.string().optional(),
  s3Bucket: z.string().optional(),
  /** `keys`: those below. `role`: the AWS SDK's default chain: web identity, EKS Pod Identity, the machine's role. */
  s3Credentials: credentialsSetting(),
  /** The keys are those of the service itself. */
  s3AccessKeyId: z.string().optional(),
  s3SecretAccessKey: secret().optional(),
  /** Temporary keys have a session token. */
  s3SessionToken: secret().optional(),
  s3ForcePathStyle: withDefault(flag(), false),
  /** With driver s3: SSE-S3 or SSE-KMS for every object that is written; absent: what the bucket does by default. */
  s3ServerSideEncryption: z.enum(['AES256', 'aws:kms']).optional(),
  /** With aws:kms: id, alias or ARN of the key; absent: the account's default key for S3. */
  s3KmsKeyId: z.string().optional(),
};
const azureSettings = {
  /** With driver azure: the storage account. */
  azureAccount: z.string().optional(),
  azureContainer: z.string().optional(),
  /** Absent: `https://<account>.blob.core.windows.net`. */
  azureEndpoint: httpUrl().optional(),
  /** `keys`: the one below. `role`: the workload identity of the pod (Microsoft Entra Workload ID). */
  azureCredentials: credentialsSetting(),
  azureAccountKey: secret().optional(),
};

/** Settings of the object store, of all drivers. */
export const storeSettings = {
  storeDriver: z.enum(['azure', 'disk', 's3']),
  ...diskSettings,
  ...s3Settings,
  ...azureSettings,
  /** With driver s3 or azure: folder of every key, with a slash at its end; absent: none. */
  storeKeyPrefix: z.string().optional(),
};

type Config = Deployment & ConfigOf<typeof storeSettings>;
type Driver = (config: Config, keyPrefix: string, environment: Environment) => Promise<ObjectStore>;

/** The drivers; one more is a row here with its settings above. */
const drivers: Readonly<Record<Config['storeDriver'], Driver>> = {
  azure: async (config, keyPrefix, environment) =>
    withKeyPrefix(await openAzureStore(azureOptions(config, environment)), keyPrefix),
  disk: (config) => openDiskStore({ folder: needed(config.storeFolder, 'storeFolder', 'disk'), ...linksOf(config) }),
  s3: (config, keyPrefix) => Promise.resolve(openS3Store(s3Options(config, keyPrefix))),
};

/**
 * The store of the configuration. Throws ConfigurationError when a setting of that driver is missing.
 *
 * @param environment where the webhook of Microsoft Entra Workload ID writes
 */
export async function openStore(config: Config, environment: Environment = environmentWith({})): Promise<ObjectStore> {
  const { storeDriver, storeKeyPrefix = '' } = config;
  refuseUnused(config);
  if (!isKeyPrefix(storeKeyPrefix))
    throw new ConfigurationError(
      `${variableName('storeKeyPrefix')} must be a folder that ends with a slash, for example recordings/.`,
    );
  return await drivers[storeDriver](config, storeKeyPrefix, environment);
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

function s3Options(config: Config, keyPrefix: string): S3StoreOptions {
  const region = needed(config.s3Region, 's3Region', 's3');
  const bucket = needed(config.s3Bucket, 's3Bucket', 's3');
  const credentials = credentialsOf(config);
  const { s3ServerSideEncryption: algorithm, s3KmsKeyId: kmsKeyId = null } = config;
  return {
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
  };
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

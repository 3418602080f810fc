import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBusAuthority } from '@rapporteur/event-bus';
import { loadCertificate } from '@rapporteur/simulator/certificate';
import { UsageError } from './sentences.ts';

/** Services that encrypt customers' secrets, or sessions, each with a key of its own. */
const sealingServices = ['bot-scheduler', 'calendar-sync', 'console', 'delivery', 'sso-idp', 'storage-config'] as const;
const providers = [
  'gladia',
  'deepgram',
  'assemblyai',
  'speechmatics',
  'soniox',
  'elevenlabs',
  'openai-compatible',
] as const;

/** Keys that only the operator has. */
const optionalKeys = [
  's3-access-key-id',
  's3-secret-access-key',
  's3-session-token',
  'azure-account-key',
  'zoom-sdk-key',
  'zoom-sdk-secret',
  'canary-webhook-secret',
  'google-client-secret',
  'microsoft-client-secret',
  ...sealingServices.map((service) => `${service}-former-secret-keys`),
  ...providers.map((provider) => `${provider}-api-key`),
];
const generatedKeys = [
  'internal-secret',
  'admin-token',
  'signing-secret',
  ...sealingServices.map((service) => `${service}-secret-key`),
  'bus-credentials',
  'bus-account-seed',
  'nats-authorization.conf',
];
const trialKeys = [
  'bundled-postgresql-password',
  'simulator-key.pem',
  'simulator-certificate.pem',
  'simulator-spki',
] as const;
const requiredKey = 'database-url';
export const knownKeys: readonly string[] = [requiredKey, ...generatedKeys, ...optionalKeys, ...trialKeys];

export interface SecretOptions {
  readonly namespace: string;
  readonly name: string;
  /** Helm's name of the release, with which the bundled servers' names begin. */
  readonly release: string;
  /** With the keys of the bundled PostgreSQL and simulator. */
  readonly trial: boolean;
  /** Values that exist already, by key. */
  readonly given: Readonly<Record<string, string>>;
}

/**
 * The Secret of the chart's `secrets.existingSecret`. Throws UsageError when a value that only the operator has is
 * missing.
 */
export async function secretManifest(options: SecretOptions): Promise<object> {
  const data = { ...(await generated()), ...(options.trial ? await forTrial(options) : {}), ...options.given };
  if (data[requiredKey] === undefined) {
    throw new UsageError(
      `${requiredKey} is missing: the address of PostgreSQL (postgres://user:password@host:5432/database). Write it to the file ${requiredKey} in a folder and name the folder with --values; for the bundled PostgreSQL of a trial say --trial.`,
    );
  }
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'Opaque',
    metadata: {
      name: options.name,
      namespace: options.namespace,
      labels: { 'app.kubernetes.io/part-of': 'rapporteur' },
    },
    stringData: Object.fromEntries(Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** One value per file, named like the key. Throws UsageError for a file that is no key. */
export async function readValues(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw new UsageError(`The folder ${folder} cannot be read: ${(error as Error).message}`);
  });
  const values: Record<string, string> = {};
  for (const name of names) {
    if (!knownKeys.includes(name))
      throw new UsageError(`${join(folder, name)} is not a key of the Secret. Known keys: ${knownKeys.join(', ')}.`);
    const text = await readFile(join(folder, name), 'utf8');
    values[name] = text.includes('\n', text.length - 1) && !text.trim().includes('\n') ? text.trim() : text;
  }
  return values;
}

async function generated(): Promise<Record<string, string>> {
  const authority = await inTemporaryFolder(openBusAuthority);
  const texts = ['internal-secret', 'admin-token', 'signing-secret'].map((key) => [key, random('base64url')]);
  const sealing = sealingServices.map((service) => [`${service}-secret-key`, random('base64')]);
  return {
    ...(Object.fromEntries([...texts, ...sealing]) as Record<string, string>),
    'bus-credentials': authority.serviceCredentials,
    'bus-account-seed': authority.accountSeed,
    'nats-authorization.conf': authority.serverConfig,
  };
}

async function forTrial({ release, namespace }: SecretOptions): Promise<Record<string, string>> {
  const password = random('base64url');
  const fullname = release.includes('rapporteur') ? release : `${release}-rapporteur`;
  const { keyPem, certificatePem, spki } = await inTemporaryFolder((folder) => loadCertificate(folder, Date.now));
  return {
    [requiredKey]: `postgres://rapporteur:${password}@${fullname}-postgresql.${namespace}.svc:5432/rapporteur`,
    'bundled-postgresql-password': password,
    'simulator-key.pem': keyPem,
    'simulator-certificate.pem': certificatePem,
    'simulator-spki': spki,
  };
}

function random(encoding: 'base64' | 'base64url'): string {
  return randomBytes(32).toString(encoding);
}

async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'rapporteur-secrets-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

import { Agent as PlainAgent } from 'node:http';
import type { AgentOptions } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { S3Client } from '@aws-sdk/client-s3';
import { isGoogle, speakToGoogle } from './s3-google.ts';

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Temporary credentials have a session token. */
  readonly sessionToken?: string;
}

/** A server that responds `<signedUrlBase>/<signed path>` with `verifySignedPath`. */
export interface SignedLinks {
  /** Without a slash at its end. */
  readonly signedUrlBase: string;
  readonly signingSecret: string;
}

/** Server-side encryption of every object that is written. */
export interface S3Encryption {
  /** SSE-S3, or SSE-KMS. */
  readonly algorithm: 'AES256' | 'aws:kms';
  /** With aws:kms: id, alias or ARN of the key; null: the account's default key for S3. */
  readonly kmsKeyId: string | null;
}

export interface S3StoreOptions {
  /** With scheme; absent: AWS's endpoint of the region. */
  readonly endpoint?: string;
  /** Address of the same server for the holders of signed URLs; absent: the endpoint. */
  readonly publicEndpoint?: string;
  readonly region: string;
  /** Must exist. */
  readonly bucket: string;
  /**
   * Absent: the SDK's default chain, which renews its credentials: web identity (IRSA), EKS Pod Identity, the machine's
   * role.
   */
  readonly credentials?: S3Credentials;
  /**
   * The server of `signedGetUrl`; absent: the S3 server. S3 refuses a URL once the temporary credentials that signed it
   * have expired, possibly within minutes: with such credentials links need a server of their own.
   */
  readonly links?: SignedLinks;
  /** Signs every request that writes, in place of `credentials`; it needs no permission to read, list or delete. */
  readonly writeCredentials?: S3Credentials;
  /**
   * Options of the store's own connections: a proxy, for example. Credentials by web identity are fetched with them, those
   * of the machine and of EKS Pod Identity are not.
   */
  readonly agentOptions?: Pick<AgentOptions, 'proxyEnv' | 'timeout'>;
  /** Used for every connection, in place of the store's own; the store does not destroy them. */
  readonly agents?: { readonly plain: PlainAgent; readonly secure: SecureAgent };
  /** `https://host/bucket/key` instead of `https://bucket.host/key`; most self-hosted gateways need it. */
  readonly forcePathStyle?: boolean;
  /**
   * when-required (default): no CRC trailers, which older servers refuse or store as content; parts have an MD5
   * instead. when-supported: the SDK's default, suitable for AWS.
   */
  readonly checksums?: 'when-required' | 'when-supported';
  /** Default 4, including the first. */
  readonly maxAttempts?: number;
  /** Absent: what the bucket does by default. */
  readonly encryption?: S3Encryption | null;
  /** Folder of every key in the bucket, for example `recordings/`; absent or empty: none. */
  readonly keyPrefix?: string;
}

const connectTimeoutMs = 5_000;
/** No byte in either direction for this long ends a request. */
const idleTimeoutMs = 30_000;
const connectionsAtMost = 100;

export function newS3Client(
  options: S3StoreOptions,
  endpoint: string | undefined,
  credentials: S3Credentials | undefined = options.credentials,
): S3Client {
  const agent = { keepAlive: true, maxSockets: connectionsAtMost, ...options.agentOptions };
  const checksums = options.checksums === 'when-supported' ? 'WHEN_SUPPORTED' : 'WHEN_REQUIRED';
  const client = new S3Client({
    region: options.region,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials: { ...credentials } }),
    forcePathStyle: options.forcePathStyle ?? false,
    requestChecksumCalculation: checksums,
    responseChecksumValidation: checksums,
    maxAttempts: options.maxAttempts ?? 4,
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      socketTimeout: idleTimeoutMs,
      // Not their options: the SDK would send bodies from 2 MiB through agents of its own, past the proxy.
      httpAgent: options.agents?.plain ?? new PlainAgent(agent),
      httpsAgent: options.agents?.secure ?? new SecureAgent(agent),
    },
  });
  if (isGoogle(endpoint)) speakToGoogle(client);
  encryptWrites(client, encryptionHeaders(options.encryption));
  return client;
}

/** Headers of every request that creates an object, and of no other one. */
export function encryptionHeaders(encryption: S3Encryption | null | undefined): Readonly<Record<string, string>> {
  if (encryption == null) return {};
  const { algorithm, kmsKeyId } = encryption;
  return {
    'x-amz-server-side-encryption': algorithm,
    ...(kmsKeyId === null ? {} : { 'x-amz-server-side-encryption-aws-kms-key-id': kmsKeyId }),
  };
}

const creating: ReadonlySet<string | undefined> = new Set([
  'PutObjectCommand',
  'CreateMultipartUploadCommand',
  'CopyObjectCommand',
]);

function encryptWrites(client: S3Client, headers: Readonly<Record<string, string>>): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      (call) => {
        const { request } = call as unknown as { readonly request: { readonly headers: Record<string, string> } };
        if (creating.has(commandName)) Object.assign(request.headers, headers);
        return next(call);
      },
    { step: 'build', name: 'encryptWrites' },
  );
}

import { randomBytes } from 'node:crypto';
import { CreateBucketCommand, PutBucketPolicyCommand, S3Client } from '@aws-sdk/client-s3';

const commandDeadlineMs = 20_000;

/** A running S3 server that a test may modify. */
export interface S3Server {
  /** `http://127.0.0.1:<port>`; path-style addressing only. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** An empty bucket of this user. */
  createBucket(name: string): Promise<void>;
  /** Another user, without permissions on this user's buckets. */
  createUser(name: string): Promise<S3User>;
  /**
   * Replaces the policy of a bucket of this user: everything for the users of `full`, writing alone for those of
   * `write`.
   */
  setPolicy(
    bucket: string,
    users: { readonly full: readonly string[]; readonly write: readonly string[] },
  ): Promise<void>;
  /** Ends the daemons and removes their folder. Idempotent. */
  stop(): Promise<void>;
}

export interface S3User {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

interface BucketOwner extends S3User {
  readonly endpoint: string;
  readonly region: string;
  /** Other principals with all permissions, in the form of the server's policies. */
  readonly principals: readonly string[];
}

/** Operations of the buckets' owner. `principalOf` formats the name of a user for the server's policies. */
export function openBucketOwner(
  { principals, ...owner }: BucketOwner,
  principalOf: (name: string) => string,
): Omit<S3Server, 'createUser' | 'stop'> {
  return {
    ...owner,
    createBucket: (Bucket) =>
      withClient(owner, (client, abortSignal) => client.send(new CreateBucketCommand({ Bucket }), { abortSignal })),
    setPolicy: (Bucket, { full, write }) => {
      const all = { full: [...principals, ...full.map(principalOf)], write: write.map(principalOf) };
      const Policy = JSON.stringify(policyOf(Bucket, all));
      return withClient(owner, (client, abortSignal) =>
        client.send(new PutBucketPolicyCommand({ Bucket, Policy }), { abortSignal }),
      );
    },
  };
}

export function newUser(): S3User {
  return { accessKeyId: randomBytes(10).toString('hex'), secretAccessKey: randomBytes(20).toString('hex') };
}

async function withClient(
  { endpoint, region, accessKeyId, secretAccessKey }: Omit<BucketOwner, 'principals'>,
  work: (client: S3Client, signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const credentials = { accessKeyId, secretAccessKey };
  const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials });
  try {
    await work(client, AbortSignal.timeout(commandDeadlineMs));
  } finally {
    client.destroy();
  }
}

/** The policy of a bucket: everything for `full`, writing alone for `write`. */
export function policyOf(
  bucket: string,
  { full, write }: { readonly full: readonly string[]; readonly write: readonly string[] },
) {
  const statement = (Effect: 'Allow' | 'Deny', users: readonly string[], actions: readonly string[]) => ({
    Effect,
    Principal: { AWS: users },
    Action: actions.map((action) => `s3:${action}`),
    Resource: [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`],
  });
  const writing = [
    statement('Allow', write, ['PutObject', 'PutObjectTagging', 'AbortMultipartUpload']),
    // The writer of an object owns it and could read it.
    statement('Deny', write, ['GetObject', 'GetObjectTagging', 'DeleteObject', 'ListBucket']),
  ];
  const Statement = [statement('Allow', full, ['*']), ...(write.length === 0 ? [] : writing)];
  return { Version: '2012-10-17', Statement };
}

import { GetObjectLockConfigurationCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import { newS3Client } from './s3-client.ts';
import type { S3StoreOptions } from './s3-client.ts';
import type { Deletable } from './s3-delete.ts';

/**
 * For how long the bucket retains every new object, for example `COMPLIANCE, 30 days`. Null where the server states no
 * such rule: it has none, or the key may not read it.
 */
export async function defaultRetentionOf(options: S3StoreOptions): Promise<string | null> {
  const client = newS3Client(options, options.endpoint);
  try {
    const command = new GetObjectLockConfigurationCommand({ Bucket: options.bucket });
    const { ObjectLockConfiguration: lock } = await client.send(command);
    const { Mode, Days, Years } = lock?.Rule?.DefaultRetention ?? {};
    if (Mode === undefined) return null;
    return `${Mode}, ${Years === undefined ? `${Days} days` : `${Years} years`}`;
  } catch {
    return null;
  } finally {
    if (options.agents === undefined) client.destroy();
  }
}

/** What retains an object, or a version of it; null where the server states nothing. */
export async function retentionOf(client: S3Client, Bucket: string, object: Deletable): Promise<string | null> {
  const found = await client.send(new HeadObjectCommand({ Bucket, ...object })).catch(() => null);
  if (found?.ObjectLockLegalHoldStatus === 'ON') return 'a legal hold';
  if (found?.ObjectLockMode === undefined) return null;
  const until = found.ObjectLockRetainUntilDate?.toISOString();
  return `object lock (${found.ObjectLockMode}${until === undefined ? '' : ` until ${until}`})`;
}

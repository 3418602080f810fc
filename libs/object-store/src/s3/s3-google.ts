import type { S3Client } from '@aws-sdk/client-s3';

/** Google Cloud Storage by its S3 interface (XML API with HMAC keys), also at a private or regional endpoint. */
export function isGoogle(endpoint: string | undefined): boolean {
  return endpoint !== undefined && /(^|\.)googleapis\.com$/.test(new URL(endpoint).hostname);
}

interface Call {
  readonly request: { readonly headers: Record<string, string>; readonly query: Record<string, unknown> };
}

/**
 * Versions as Google has them: they are listed in the form of S3 on request, and one is deleted by its `generation`.
 * Without it the newest one becomes an earlier version, and no delete marker says so. A header `x-goog-…` beside those of
 * S3 is refused.
 */
export function speakToGoogle(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      (call) => {
        const { headers, query } = (call as unknown as Call).request;
        if (commandName === 'ListObjectVersionsCommand') headers['x-amz-interop-list-objects-format'] = 'enabled';
        if (commandName === 'DeleteObjectCommand' && query['versionId'] !== undefined) {
          query['generation'] = query['versionId'];
          delete query['versionId'];
        }
        return next(call);
      },
    { step: 'build', name: 'speakToGoogle' },
  );
}

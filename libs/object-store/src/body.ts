import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { fail } from '@rapporteur/failures';
import { multipartPartBytesMax } from './store.ts';
import type { ObjectBody, PutOptions, UploadPartOptions } from './store.ts';

/** Counts and hashes a body on its way into a store. */
export interface MeasuredBody {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly bytes: number;
  /**
   * Lowercase hex of the whole body. Call once, after the end; throws OBJECT_DIGEST_MISMATCH when another hash was
   * announced.
   */
  digest(): string;
}

/**
 * Throws BODY_TOO_LARGE from the chunks when the limit is passed, and the signal's reason once it aborts, also while no
 * chunk arrives.
 */
export function measureBody(
  body: ObjectBody,
  options: Pick<PutOptions, 'maxBytes' | 'sha256' | 'signal'>,
): MeasuredBody {
  const hash = createHash('sha256');
  let bytes = 0;
  const limit = options.maxBytes ?? Number.POSITIVE_INFINITY;
  async function* measured(): AsyncGenerator<Uint8Array> {
    for await (const chunk of untilAborted(body, options.signal)) {
      bytes += chunk.byteLength;
      if (bytes > limit) throw fail('BODY_TOO_LARGE', { message: `An object may have at most ${limit} bytes.` });
      hash.update(chunk);
      yield chunk;
    }
  }
  return {
    chunks: measured(),
    get bytes() {
      return bytes;
    },
    digest: () => {
      const found = hash.digest('hex');
      if (options.sha256 !== undefined && options.sha256 !== found) {
        throw fail('OBJECT_DIGEST_MISMATCH', { details: `announced ${options.sha256}, received ${found}` });
      }
      return found;
    },
  };
}

/** The chunks, until the signal aborts: then its reason, even if the source never yields again. */
async function* untilAborted(body: ObjectBody, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  signal?.throwIfAborted();
  if (body instanceof Uint8Array) return yield body;
  if (signal === undefined) return yield* body;
  const iterator = body[Symbol.asyncIterator]();
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  aborted.catch(() => undefined);
  let exhausted = false;
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted]);
      exhausted = next.done === true;
      if (exhausted) return;
      yield next.value as Uint8Array;
    }
  } finally {
    if (body instanceof Readable && signal.aborted) body.destroy();
    // Not awaited: a generator that is waiting for its own source ends only after that.
    if (!exhausted) iterator.return?.()?.catch(() => undefined);
  }
}

/** The size of a part of a multipart upload. S3 requires at least 5 MiB in all parts but the last. */
export const partBytes = 8 * 1024 * 1024;

/** The chunks as parts of `partBytes`; the last one is shorter. */
export async function* partsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let gathered: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    gathered.push(chunk);
    bytes += chunk.byteLength;
    while (bytes >= partBytes) {
      const all = Buffer.concat(gathered, bytes);
      yield all.subarray(0, partBytes);
      const rest = Buffer.from(all.subarray(partBytes));
      gathered = rest.byteLength === 0 ? [] : [rest];
      bytes = rest.byteLength;
    }
  }
  if (bytes > 0) yield Buffer.concat(gathered, bytes);
}

/** The whole body of a part of a multipart upload, verified. */
export async function gatherPart({
  body,
  sha256,
  maxBytes,
}: { body: ObjectBody } & UploadPartOptions): Promise<Buffer> {
  const limit = Math.min(maxBytes ?? multipartPartBytesMax, multipartPartBytesMax);
  const measured = measureBody(body, { sha256, maxBytes: limit });
  const chunks: Uint8Array[] = [];
  for await (const chunk of measured.chunks) chunks.push(chunk);
  measured.digest();
  return Buffer.concat(chunks);
}

/** Runs the last step of a put, through the caller's guard when there is one. */
export async function publishThroughGuard(
  options: Pick<PutOptions, 'guard' | 'signal'>,
  publish: () => Promise<void>,
): Promise<void> {
  options.signal?.throwIfAborted();
  if (options.guard === undefined) return publish();
  let published = false;
  await options.guard(async () => {
    await publish();
    published = true;
  });
  if (!published) throw new Error('The guard of this put neither published nor threw.');
}

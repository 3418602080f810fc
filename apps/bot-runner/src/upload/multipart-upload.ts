import { createHash } from 'node:crypto';
import { readSpans } from '@rapporteur/recorder';
import type { ByteSpan, IncrementalArtifact } from '@rapporteur/recorder';
import { GrantRefused, UploadGone } from './grant-store.ts';
import type { PutReceipt, MultipartStore, PartName } from './grant-store.ts';
import { retryUpload } from './upload-queue.ts';
import type { RunContext } from '../run-context.ts';

export interface MultipartUploadOptions extends Pick<RunContext, 'clock' | 'logger'> {
  readonly key: string;
  readonly contentType: string;
  readonly store: MultipartStore;
}

const dropTimeoutMs = 3_000;

/**
 * Stores one artifact as a multipart upload: parts in order, each until it is stored, finally tail and head. When the
 * store has lost the upload it is abandoned, and the artifact has to be sent as a whole.
 */
export class MultipartUpload {
  readonly #options: MultipartUploadOptions;
  readonly #closing = new AbortController();
  readonly #hashes: Buffer[] = [];
  #work: Promise<void> = Promise.resolve();
  #upload: string | null = null;
  #failed = false;
  #finished = false;

  constructor(options: MultipartUploadOptions) {
    this.#options = options;
  }

  /** Adds the next part. Never throws. */
  add(number: number, spans: readonly ByteSpan[]): void {
    this.#work = this.#work.then(async () => {
      const hash = await this.#put(number, spans);
      if (hash !== null) this.#hashes.push(hash);
    });
  }

  /** @returns null when the upload failed */
  async finish({ head, tail, parts, bytes }: IncrementalArtifact): Promise<PutReceipt | null> {
    await this.#work;
    const last = tail.length > 0 ? await this.#put('tail', tail) : null;
    const first = await this.#put('head', head);
    const { store, key } = this.#options;
    const done = await this.#retryUpload('It is finished', async (upload) => {
      await store.finish({ key, upload }, { parts, tail: last !== null }, this.#closing.signal);
      return true;
    });
    if (first === null || done === null) return null;
    this.#finished = true;
    const hashes = [first, ...this.#hashes, ...(last === null ? [] : [last])];
    return { bytes, sha256: `${createHash('sha256').update(Buffer.concat(hashes)).digest('hex')}-${hashes.length}` };
  }

  /** Abandons what waits; the stored parts of an unfinished artifact are removed. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('The upload was closed.'));
    await this.#work;
    const { store, key } = this.#options;
    if (this.#upload === null || this.#finished) return;
    const upload = this.#upload;
    this.#upload = null;
    await store.drop({ key, upload }, AbortSignal.timeout(dropTimeoutMs)).catch(() => undefined);
  }

  async #put(part: PartName, spans: readonly ByteSpan[]): Promise<Buffer | null> {
    const { store, key } = this.#options;
    return await this.#retryUpload(`Part ${part}`, async (upload) => {
      const bytes: Buffer[] = [];
      for await (const some of readSpans(spans)) bytes.push(some);
      return await store.put({ key, upload }, part, Buffer.concat(bytes), this.#closing.signal);
    });
  }

  /** Null when it is abandoned. */
  async #retryUpload<T>(what: string, work: (upload: string) => Promise<T>): Promise<T | null> {
    const { store, key, contentType, clock, logger } = this.#options;
    const { signal } = this.#closing;
    if (this.#failed) return null;
    return await retryUpload(
      async () => {
        this.#upload ??= await store.start(key, contentType, signal);
        return await work(this.#upload);
      },
      {
        clock,
        logger,
        signal,
        fields: { key, part: what },
        permanentFailure: (error) => {
          this.#failed = error instanceof GrantRefused || error instanceof UploadGone;
          return this.#failed ? 'A multipart upload failed; the file is sent in one request.' : null;
        },
      },
    );
  }
}

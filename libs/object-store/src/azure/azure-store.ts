import { createHash } from 'node:crypto';
import { addAbortSignal } from 'node:stream';
import type { Readable } from 'node:stream';
import { BlobSASPermissions, SASProtocol } from '@azure/storage-blob';
import type {
  BlobDownloadResponseParsed,
  BlobGetPropertiesResponse,
  ContainerClient,
  BlobSASSignatureValues,
} from '@azure/storage-blob';
import { mapConcurrently } from '@rapporteur/async';
import { fail } from '@rapporteur/failures';
import { gatherPart, measureBody, partBytes, partsOf, publishThroughGuard } from '../body.ts';
import { contentDisposition } from '../content-disposition.ts';
import { assertFolderPrefix, assertKey as assertAnyKey, assertPrefix } from '../keys.ts';
import type {
  CompleteMultipartOptions,
  DirectUploads,
  GetOptions,
  ListOptions,
  MultipartPart,
  ObjectBody,
  ObjectInfo,
  ObjectPage,
  ObjectRead,
  ObjectStore,
  PutOptions,
  SignedGetOptions,
  SweepOptions,
  UploadPartOptions,
} from '../store.ts';
import { signedSeconds } from '../signed-seconds.ts';
import { newAzureClient } from './azure-client.ts';
import type { AzureClient, AzureStoreOptions } from './azure-client.ts';
import { asStoreFailure } from './azure-failures.ts';
import type { OnCondition } from './azure-failures.ts';
import {
  commit,
  dropIdleUploads,
  dropUpload,
  finishUpload,
  ifAbsent,
  sendPart,
  startUpload,
  uploadsFolder,
} from './azure-multipart.ts';

const pageLimit = 1_000;
const deletionsAtOnce = 16;

function assertKey(key: string): void {
  assertAnyKey(key);
  if (key.startsWith(uploadsFolder))
    throw fail('VALIDATION', { message: `No key starts with ${uploadsFolder} in this store.`, details: 'key' });
}

export class AzureStore implements ObjectStore {
  readonly #client: AzureClient;
  readonly #container: ContainerClient;
  readonly direct: DirectUploads;

  constructor(options: AzureStoreOptions) {
    this.#client = newAzureClient(options);
    this.#container = this.#client.container;
    this.direct = createDirectUploads(this.#client, assertKey);
  }

  async put(key: string, body: ObjectBody, options: PutOptions): Promise<ObjectInfo> {
    assertKey(key);
    const uploaded = await this.#run(() => this.#upload(key, body, options), 'OBJECT_ALREADY_EXISTS', options.signal);
    return { key, ...uploaded, contentType: options.contentType, modifiedAtMs: Date.now() };
  }

  async #upload(key: string, body: ObjectBody, options: PutOptions) {
    const measured = measureBody(body, options);
    const parts = partsOf(measured.chunks);
    const first = await parts.next();
    const bytes = first.done === true ? Buffer.alloc(0) : first.value;
    const { signal: abortSignal } = options;
    const settings = (sha256: string | undefined) => ({
      blobHTTPHeaders: { blobContentType: options.contentType },
      ...(sha256 === undefined ? {} : { metadata: { sha256 } }),
      ...(options.ifAbsent === true ? { conditions: { ifNoneMatch: '*' } } : {}),
      ...(abortSignal === undefined ? {} : { abortSignal }),
    });
    let etag = '';
    if (bytes.byteLength < partBytes) {
      const sha256 = measured.digest();
      const { blobHTTPHeaders, ...rest } = settings(sha256);
      const headers = { ...blobHTTPHeaders, blobContentMD5: createHash('md5').update(bytes).digest() };
      await publishThroughGuard(options, async () => {
        const blob = this.#container.getBlockBlobClient(key);
        ({ etag = '' } = await blob.upload(bytes, bytes.byteLength, { ...rest, blobHTTPHeaders: headers }));
      });
      return { etag, bytes: bytes.byteLength, sha256 };
    }
    const upload = await startUpload(this.#container, key, options.contentType);
    const send = (part: number, content: Buffer): Promise<string> =>
      sendPart(this.#container, [key, upload], { part, bytes: content, signal: abortSignal });
    try {
      const blocks = [await send(1, bytes)];
      for await (const part of parts) blocks.push(await send(blocks.length + 1, part));
      measured.digest();
      await publishThroughGuard(options, async () => {
        etag = await commit(this.#container, [key, upload], blocks, settings(options.sha256));
      });
      return { etag, bytes: measured.bytes, sha256: options.sha256 ?? null };
    } catch (error) {
      // An upload that cannot be dropped now is dropped by the sweep.
      await dropUpload(this.#container, key, upload).catch(() => undefined);
      throw error;
    }
  }

  async createMultipart(key: string, options: { readonly contentType: string }): Promise<string> {
    assertKey(key);
    return await this.#run(() => startUpload(this.#container, key, options.contentType));
  }

  async uploadPart(
    key: string,
    upload: string,
    part: MultipartPart,
    put: { body: ObjectBody } & UploadPartOptions,
  ): Promise<void> {
    assertKey(key);
    const bytes = await gatherPart(put);
    await this.#run(() => sendPart(this.#container, [key, upload], { part, bytes }));
  }

  async completeMultipart(key: string, upload: string, options: CompleteMultipartOptions): Promise<ObjectInfo> {
    assertKey(key);
    await this.#run(() => finishUpload(this.#container, [key, upload], options));
    const info = await this.head(key);
    if (info === null) throw fail('UNAVAILABLE', { message: 'The object store does not show what was just stored.' });
    return info;
  }

  async abortMultipart(key: string, upload: string): Promise<void> {
    assertKey(key);
    await this.#run(() => dropUpload(this.#container, key, upload));
  }

  async get(key: string, options: GetOptions = {}): Promise<ObjectRead> {
    assertKey(key);
    const { range, ifEtag, signal } = options;
    if (range !== undefined && (range.first < 0 || range.first > range.last)) throw fail('RANGE_NOT_SATISFIABLE');
    return await this.#run(
      async () => {
        const count = range === undefined ? undefined : range.last - range.first + 1;
        const response = await this.#container.getBlobClient(key).download(range?.first ?? 0, count, {
          ...(ifEtag === undefined ? {} : { conditions: { ifMatch: ifEtag } }),
          ...(signal === undefined ? {} : { abortSignal: signal }),
        });
        const body = response.readableStreamBody as Readable;
        const total = /\/(\d+)$/.exec(response.contentRange ?? '')?.[1];
        const info = infoOf(key, response, total === undefined ? response.contentLength : Number(total));
        if (range !== undefined && (total === undefined || range.last >= info.bytes)) {
          body.destroy();
          throw fail('RANGE_NOT_SATISFIABLE');
        }
        return { info, body: signal === undefined ? body : addAbortSignal(signal, body) };
      },
      'OBJECT_CHANGED',
      signal,
    );
  }

  async head(key: string): Promise<ObjectInfo | null> {
    assertKey(key);
    const found = await this.#run(() => this.#container.getBlobClient(key).getProperties().catch(ifAbsent));
    return found === null ? null : infoOf(key, found, found.contentLength);
  }

  async list({ prefix, limit = pageLimit, cursor }: ListOptions): Promise<ObjectPage> {
    assertPrefix(prefix);
    return await this.#run(async () => {
      const pages = this.#container.listBlobsFlat({ prefix }).byPage({
        maxPageSize: limit,
        ...(cursor === undefined ? {} : { continuationToken: cursor }),
      });
      for await (const { segment, continuationToken = '' } of pages) {
        const shown = segment.blobItems.filter(({ name }) => !name.startsWith(uploadsFolder));
        const objects = shown.map(({ name: key, properties }) => ({ key, bytes: properties.contentLength ?? 0 }));
        if (continuationToken === '') return { objects, cursor: null };
        // A page may be empty although the list continues.
        if (objects.length > 0) return { objects, cursor: continuationToken };
      }
      return { objects: [], cursor: null };
    });
  }

  async delete(key: string): Promise<void> {
    assertKey(key);
    await this.#run(async () => {
      await this.#refuseVersions(key);
      await this.#delete(key);
    });
  }

  /** @returns whether there was such an object */
  async #delete(key: string): Promise<boolean> {
    const deletion = this.#container.getBlobClient(key).delete({ deleteSnapshots: 'include' });
    return (await deletion.catch(ifAbsent)) !== null;
  }

  /** With versioning, every object that was written since has a version. */
  async #refuseVersions(key: string): Promise<void> {
    const found = await this.#container.getBlobClient(key).getProperties().catch(ifAbsent);
    if (found?.versionId === undefined) return;
    const message = 'The storage account keeps earlier versions of deleted objects. End the versioning of blobs.';
    throw fail('UNAVAILABLE', { message });
  }

  async deletePrefix(prefix: string): Promise<number> {
    assertFolderPrefix(prefix);
    return await this.#run(async () => {
      await dropIdleUploads(this.#container, { idleMs: -Infinity, prefixes: [prefix] });
      const listed = this.#container.listBlobsFlat({ prefix, includeUncommitedBlobs: true });
      let deleted = 0;
      for await (const { segment } of listed.byPage({ maxPageSize: pageLimit })) {
        if (segment.blobItems[0] !== undefined) await this.#refuseVersions(segment.blobItems[0].name);
        await mapConcurrently(segment.blobItems, deletionsAtOnce, async ({ name }) => {
          if (await this.#delete(name)) deleted += 1;
          else await this.#discardBlocks(name);
        });
      }
      return deleted;
    });
  }

  /** The blocks of uploads that were never completed are data, too: only another content discards them. */
  async #discardBlocks(key: string): Promise<void> {
    const blob = this.#container.getBlockBlobClient(key);
    await blob.upload('', 0, { conditions: { ifNoneMatch: '*' } });
    await blob.delete();
  }

  async signedGetUrl(key: string, { expiresAtMs, downloadName, contentType }: SignedGetOptions): Promise<string> {
    assertKey(key);
    const name = downloadName ?? key.split('/').at(-1) ?? key;
    const headers = {
      contentDisposition: contentDisposition(name),
      ...(contentType === undefined ? {} : { contentType }),
    };
    return await this.#run(() => signedUrl(this.#client, key, { expiresAtMs, permission: 'r', ...headers }));
  }

  async sweepUnfinished(options: SweepOptions): Promise<number> {
    options.prefixes.forEach(assertPrefix);
    return await this.#run(() => dropIdleUploads(this.#container, options));
  }

  close(): Promise<void> {
    this.#client.close();
    return Promise.resolve();
  }

  async #run<T>(work: () => Promise<T>, onCondition: OnCondition = 'OBJECT_CHANGED', signal?: AbortSignal): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw asStoreFailure(error, onCondition, signal);
    }
  }
}

function infoOf(
  key: string,
  { contentType, etag, lastModified, metadata }: BlobGetPropertiesResponse | BlobDownloadResponseParsed,
  bytes: number | undefined,
): ObjectInfo {
  return {
    key,
    bytes: bytes ?? 0,
    contentType: contentType ?? 'application/octet-stream',
    sha256: metadata?.['sha256'] ?? null,
    etag: etag ?? '',
    modifiedAtMs: lastModified?.getTime() ?? 0,
  };
}

interface Signature extends Pick<BlobSASSignatureValues, 'contentDisposition' | 'contentType'> {
  readonly expiresAtMs: number;
  /** `r`: read; `c`: write what does not exist yet. */
  readonly permission: 'r' | 'c';
}

/** A URL with a shared access signature for one blob. */
async function signedUrl(
  { container, sign }: AzureClient,
  key: string,
  { expiresAtMs, permission, ...headers }: Signature,
): Promise<string> {
  const expiresOn = new Date(Date.now() + signedSeconds(expiresAtMs) * 1_000);
  const { url } = container.getBlobClient(key);
  const protocol = url.startsWith('https:') ? SASProtocol.Https : SASProtocol.HttpsAndHttp;
  const permissions = BlobSASPermissions.parse(permission);
  const { containerName } = container;
  return `${url}?${await sign({ ...headers, containerName, blobName: key, permissions, protocol, expiresOn })}`;
}

/**
 * A signature covers no headers and no length: the service takes what it is sent. One for a part would also permit to
 * replace the object.
 */
function createDirectUploads(client: AzureClient, assertKey: (key: string) => void): DirectUploads {
  return {
    signedPut: async (key, { bytes, contentType, expiresAtMs }) => {
      assertKey(key);
      const url = await signedUrl(client, key, { expiresAtMs, permission: 'c' });
      const length: Record<string, string> = bytes === undefined ? {} : { 'content-length': String(bytes) };
      const headers = { ...length, 'content-type': contentType, 'x-ms-blob-type': 'BlockBlob', 'if-none-match': '*' };
      return { method: 'PUT', url, headers };
    },
    signedPart: () => Promise.resolve(null),
  };
}

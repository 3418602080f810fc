import { addAbortSignal } from 'node:stream';
import type { Readable } from 'node:stream';
import {
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
  CreateMultipartUploadCommand,
  ListPartsCommand,
} from '@aws-sdk/client-s3';
import type { S3Client, Part } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { fail } from '@rapporteur/failures';
import { contentDisposition } from '../content-disposition.ts';
import { assertFolderPrefix, assertKey, assertPrefix } from '../keys.ts';
import { multipartPartBytesMin } from '../store.ts';
import type {
  DirectUploads,
  CompleteMultipartOptions,
  GetOptions,
  MultipartPart,
  ListOptions,
  ObjectBody,
  ObjectInfo,
  ObjectPage,
  ObjectRead,
  ObjectStore,
  UploadPartOptions,
  PutOptions,
  SignedGetOptions,
  SweepOptions,
} from '../store.ts';
import { signPath } from '../signed-path.ts';
import { signedSeconds } from '../signed-seconds.ts';
import { withKeyPrefix } from '../with-key-prefix.ts';
import { gatherPart, publishThroughGuard } from '../body.ts';
import { encryptionHeaders, newS3Client } from './s3-client.ts';
import type { S3StoreOptions, SignedLinks } from './s3-client.ts';
import { asStoreFailure, isNoSuchKey, isTransient } from './s3-failures.ts';
import { createDeleteKeys, deleteKey } from './s3-delete.ts';
import type { DeleteKeys } from './s3-delete.ts';
import { isGoogle } from './s3-google.ts';
import { deleteVersions, keptVersions, refuseHiddenVersions } from './s3-versions.ts';
import { abortIdleUploads } from './s3-sweep.ts';
import { uploadBody, abortUpload, completeUpload, sendPart } from './s3-upload.ts';
import type { Target } from './s3-upload.ts';

const pageLimit = 1_000;
/** A page of nothing but deleted objects is empty, and the list continues. */
const mostEmptyPages = 1_000;

/** Objects in one bucket of any S3-compatible server. Opens no connection yet: `verifyStore` does. */
export function openS3Store(options: S3StoreOptions): ObjectStore {
  return withKeyPrefix(new S3Store(options), options.keyPrefix ?? '');
}

class S3Store implements ObjectStore {
  readonly #bucket: string;
  readonly #client: S3Client;
  readonly #writer: S3Client;
  readonly #signingClient: S3Client;
  readonly #deleteKeys: DeleteKeys;
  readonly #links: SignedLinks | null;
  /** The server of the links adds it to their keys itself. */
  readonly #keyPrefix: string;
  /** A deletion does not show whether the bucket keeps the object as an earlier version. */
  readonly #hidesMarkers: boolean;
  /** A destroyed client destroys its agents, which are shared. */
  readonly #ownsAgents: boolean;

  readonly direct: DirectUploads;

  constructor(options: S3StoreOptions) {
    this.#bucket = options.bucket;
    this.#links = options.links ?? null;
    this.#keyPrefix = options.keyPrefix ?? '';
    this.#hidesMarkers = isGoogle(options.endpoint);
    this.#ownsAgents = options.agents === undefined;
    this.#client = newS3Client(options, options.endpoint);
    this.#writer =
      options.writeCredentials === undefined
        ? this.#client
        : newS3Client(options, options.endpoint, options.writeCredentials);
    this.#deleteKeys = createDeleteKeys(this.#client, this.#bucket);
    this.direct = createDirectUploads(this.#writer, this.#bucket, encryptionHeaders(options.encryption));
    this.#signingClient =
      options.publicEndpoint === undefined ? this.#client : newS3Client(options, options.publicEndpoint);
  }

  async put(key: string, body: ObjectBody, options: PutOptions): Promise<ObjectInfo> {
    assertKey(key);
    try {
      const uploaded = await uploadBody(this.#target(key), body, options);
      return { key, ...uploaded, contentType: options.contentType, modifiedAtMs: Date.now() };
    } catch (error) {
      throw asStoreFailure(error, 'OBJECT_ALREADY_EXISTS', options.signal);
    }
  }

  async createMultipart(key: string, options: { readonly contentType: string }): Promise<string> {
    assertKey(key);
    return await this.#multipart(() => startUpload(this.#target(key), options.contentType));
  }

  async uploadPart(
    key: string,
    upload: string,
    part: MultipartPart,
    put: { body: ObjectBody } & UploadPartOptions,
  ): Promise<void> {
    assertKey(key);
    await this.#multipart(() => putPart({ ...this.#target(key), upload }, part, put));
  }

  async completeMultipart(key: string, upload: string, options: CompleteMultipartOptions): Promise<ObjectInfo> {
    assertKey(key);
    await this.#multipart(() => finishUpload({ ...this.#target(key), upload }, options));
    const info = await this.head(key);
    if (info === null) throw fail('UNAVAILABLE', { message: 'The object store does not show what was just stored.' });
    return info;
  }

  async abortMultipart(key: string, upload: string): Promise<void> {
    assertKey(key);
    await this.#multipart(() => dropUpload({ ...this.#target(key), upload }));
  }

  #target(key: string): Target {
    return { client: this.#writer, reader: this.#client, bucket: this.#bucket, key };
  }

  async #multipart<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw asStoreFailure(error, 'OBJECT_CHANGED');
    }
  }

  async get(key: string, options: GetOptions = {}): Promise<ObjectRead> {
    assertKey(key);
    const { range, ifEtag, signal } = options;
    if (range !== undefined && (range.first < 0 || range.first > range.last)) throw fail('RANGE_NOT_SATISFIABLE');
    try {
      const response = await this.#client.send(
        new GetObjectCommand({
          Bucket: this.#bucket,
          Key: key,
          ...(range === undefined ? {} : { Range: `bytes=${range.first}-${range.last}` }),
          ...(ifEtag === undefined ? {} : { IfMatch: ifEtag }),
        }),
        signal === undefined ? {} : { abortSignal: signal },
      );
      const body = response.Body as unknown as Readable;
      const total = /\/(\d+)$/.exec(response.ContentRange ?? '')?.[1];
      const info = infoOf(key, {
        ...response,
        ContentLength: total === undefined ? response.ContentLength : Number(total),
      });
      if (range !== undefined && (total === undefined || range.last >= info.bytes)) {
        body.destroy();
        throw fail('RANGE_NOT_SATISFIABLE');
      }
      return { info, body: signal === undefined ? body : addAbortSignal(signal, body) };
    } catch (error) {
      throw asStoreFailure(error, 'OBJECT_CHANGED', signal);
    }
  }

  async head(key: string): Promise<ObjectInfo | null> {
    assertKey(key);
    try {
      return infoOf(key, await this.#client.send(new HeadObjectCommand({ Bucket: this.#bucket, Key: key })));
    } catch (error) {
      if (isNoSuchKey(error)) return null;
      throw asStoreFailure(error, 'OBJECT_CHANGED');
    }
  }

  async list(options: ListOptions): Promise<ObjectPage> {
    assertPrefix(options.prefix);
    try {
      let token: string | undefined;
      for (let empty = 0; empty < mostEmptyPages; empty += 1) {
        const page = await this.#client.send(
          new ListObjectsV2Command({
            Bucket: this.#bucket,
            Prefix: options.prefix,
            MaxKeys: options.limit ?? pageLimit,
            ...(options.cursor === undefined ? {} : { StartAfter: options.cursor }),
            ...(token === undefined ? {} : { ContinuationToken: token }),
          }),
        );
        const objects = (page.Contents ?? []).flatMap(({ Key: key, Size: bytes = 0 }) =>
          key === undefined ? [] : [{ key, bytes }],
        );
        if (page.IsTruncated !== true) return { objects, cursor: null };
        const last = objects.at(-1)?.key;
        if (last !== undefined) return { objects, cursor: last };
        token = page.NextContinuationToken;
        if (token === undefined) break;
      }
      throw fail('UNAVAILABLE', { message: 'The object store cuts a list and does not show where it continues.' });
    } catch (error) {
      throw asStoreFailure(error, 'OBJECT_CHANGED');
    }
  }

  async delete(key: string): Promise<void> {
    assertKey(key);
    try {
      const isKept = await deleteKey(this.#client, this.#bucket, { Key: key });
      if ((isKept || this.#hidesMarkers) && (await deleteVersions(this.#place(key), this.#deleteKeys, key)) === null)
        throw keptVersions();
    } catch (error) {
      throw asStoreFailure(error, 'OBJECT_CHANGED');
    }
  }

  async deletePrefix(prefix: string): Promise<number> {
    assertFolderPrefix(prefix);
    try {
      const versions = await deleteVersions(this.#place(prefix), this.#deleteKeys);
      const deleted = (versions ?? 0) + (await this.#deleteListed(prefix, versions !== null));
      await this.sweepUnfinished({ idleMs: -Infinity, prefixes: [prefix] });
      return deleted;
    } catch (error) {
      throw asStoreFailure(error, 'OBJECT_CHANGED');
    }
  }

  /** Some servers list no versions, or respond to that request with a plain list. */
  async #deleteListed(prefix: string, listsVersions: boolean): Promise<number> {
    let deleted = 0;
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: ObjectPage = await this.list({ prefix, ...(cursor === undefined ? {} : { cursor }) });
      const [first] = page.objects;
      if (!listsVersions && deleted === 0 && first !== undefined)
        await refuseHiddenVersions(this.#client, this.#bucket, first.key);
      if (first !== undefined) await this.#deleteKeys(page.objects.map(({ key }) => ({ Key: key })));
      deleted += page.objects.length;
      ({ cursor } = page);
    }
    if (deleted > 0 && (await this.list({ prefix, limit: 1 })).objects.length > 0)
      throw fail('UNAVAILABLE', { message: 'The object store still lists objects that it confirmed as deleted.' });
    return deleted;
  }

  #place(prefix: string) {
    return { client: this.#client, bucket: this.#bucket, prefix };
  }

  async signedGetUrl(key: string, options: SignedGetOptions): Promise<string> {
    assertKey(key);
    const expiresIn = signedSeconds(options.expiresAtMs);
    if (this.#links !== null) {
      const { signedUrlBase, signingSecret } = this.#links;
      return `${signedUrlBase}/${signPath(signingSecret, key.slice(this.#keyPrefix.length), options)}`;
    }
    const command = new GetObjectCommand({
      Bucket: this.#bucket,
      Key: key,
      ResponseContentDisposition: contentDisposition(options.downloadName ?? key.split('/').at(-1) ?? key),
      ...(options.contentType === undefined ? {} : { ResponseContentType: options.contentType }),
    });
    return getSignedUrl(this.#signingClient, command, { expiresIn });
  }

  async sweepUnfinished(options: SweepOptions): Promise<number> {
    options.prefixes.forEach(assertPrefix);
    try {
      return await abortIdleUploads(this.#target(''), options);
    } catch (error) {
      throw asStoreFailure(error, 'OBJECT_CHANGED');
    }
  }

  close(): Promise<void> {
    if (this.#ownsAgents) for (const client of [this.#client, this.#writer, this.#signingClient]) client.destroy();
    return Promise.resolve();
  }
}

interface Described {
  readonly ContentLength?: number | undefined;
  readonly ContentType?: string | undefined;
  readonly ETag?: string | undefined;
  readonly LastModified?: Date | undefined;
  readonly Metadata?: Record<string, string> | undefined;
}

function infoOf(key: string, described: Described): ObjectInfo {
  return {
    key,
    bytes: described.ContentLength ?? 0,
    contentType: described.ContentType ?? 'application/octet-stream',
    sha256: described.Metadata?.['sha256'] ?? null,
    etag: described.ETag ?? '',
    modifiedAtMs: described.LastModified?.getTime() ?? 0,
  };
}

/** Headers covered by the signature, so that the sender cannot change them. */
const signed = ['host', 'content-length', 'if-none-match'];

/**
 * Signs with the key of `writer`, which needs no permission to read.
 *
 * @param encryption headers that `writer` sends with every request that creates an object: the sender has to send them
 */
function createDirectUploads(
  writer: S3Client,
  Bucket: string,
  encryption: Readonly<Record<string, string>>,
): DirectUploads {
  const signableHeaders = new Set([...signed, ...Object.keys(encryption)]);
  const unhoistableHeaders = new Set(['if-none-match', ...Object.keys(encryption)]);
  return {
    signedPut: async (key, { bytes, contentType, expiresAtMs }) => {
      assertKey(key);
      const length = bytes === undefined ? {} : { ContentLength: bytes };
      const command = new PutObjectCommand({ Bucket, Key: key, ...length, IfNoneMatch: '*' });
      const options = { expiresIn: signedSeconds(expiresAtMs), signableHeaders, unhoistableHeaders };
      const url = await getSignedUrl(writer, command, options);
      const headers = { ...lengthHeader(bytes), 'content-type': contentType, 'if-none-match': '*', ...encryption };
      return { method: 'PUT', url, headers };
    },
    signedPart: async (key, upload, part, { bytes, expiresAtMs }) => {
      assertKey(key);
      const PartNumber = partNumberOf(part);
      const length = bytes === undefined ? {} : { ContentLength: bytes };
      const command = new UploadPartCommand({ Bucket, Key: key, UploadId: upload, PartNumber, ...length });
      const url = await getSignedUrl(writer, command, { expiresIn: signedSeconds(expiresAtMs), signableHeaders });
      return { method: 'PUT', url, headers: lengthHeader(bytes) };
    },
  };
}

function lengthHeader(bytes: number | undefined): Record<string, string> {
  return bytes === undefined ? {} : { 'content-length': String(bytes) };
}

interface MultipartTarget extends Target {
  readonly upload: string;
}

/** S3 joins parts in the order of their numbers, whatever the order of their upload. */
const headNumber = 1;
const tailNumber = 10_000;

/** Throws VALIDATION for a part number that is out of range. */
function partNumberOf(part: MultipartPart): number {
  if (part === 'head') return headNumber;
  if (part === 'tail') return tailNumber;
  const number = headNumber + part;
  if (part < 1 || number >= tailNumber)
    throw fail('VALIDATION', { message: 'There is no such part.', details: 'part' });
  return number;
}

async function startUpload({ client, bucket, key }: Target, contentType: string): Promise<string> {
  const created = await client.send(
    new CreateMultipartUploadCommand({ Bucket: bucket, Key: key, ContentType: contentType }),
  );
  return created.UploadId ?? '';
}

async function putPart(
  target: MultipartTarget,
  part: MultipartPart,
  put: { body: ObjectBody } & UploadPartOptions,
): Promise<void> {
  const number = partNumberOf(part);
  await sendPart(target, target.upload, { number, bytes: await gatherPart(put) });
}

async function finishUpload(target: MultipartTarget, options: CompleteMultipartOptions): Promise<void> {
  const found = await partsOf(target);
  const wanted = [
    headNumber,
    ...Array.from({ length: options.parts }, (_, index) => partNumberOf(index + 1)),
    ...(options.tail ? [tailNumber] : []),
  ];
  const isWhole =
    found.length === wanted.length && wanted.every((number, index) => found[index]?.PartNumber === number);
  const tooShort = found.slice(0, -1).some(({ Size }) => (Size ?? 0) < multipartPartBytesMin);
  const lastTooShort = !options.tail && options.parts > 0 && (found.at(-1)?.Size ?? 0) < multipartPartBytesMin;
  if (!isWhole || (options.parts > 0 && (tooShort || lastTooShort)))
    throw fail('VALIDATION', { message: 'Parts of the object are missing or too short.', details: 'parts' });
  const Parts = found.map(({ PartNumber, ETag }) => ({ PartNumber, ETag }));
  const bytes = found.reduce((sum, { Size = 0 }) => sum + Size, 0);
  try {
    await publishThroughGuard(options, async () => {
      await completeUpload(target, { UploadId: target.upload, MultipartUpload: { Parts } }, bytes);
    });
  } catch (error) {
    if (!isTransient(error)) await dropUpload(target).catch(() => undefined);
    throw error;
  }
}

/** In order. SeaweedFS lists a part that was sent again beside its former content: the newest counts. */
async function partsOf({ reader, bucket, key, upload }: MultipartTarget): Promise<Part[]> {
  const parts = new Map<number, Part>();
  for (let marker: string | undefined; ;) {
    const page = await reader.send(
      new ListPartsCommand({
        Bucket: bucket,
        Key: key,
        UploadId: upload,
        ...(marker === undefined ? {} : { PartNumberMarker: marker }),
      }),
    );
    for (const part of page.Parts ?? []) {
      const former = parts.get(part.PartNumber ?? 0)?.LastModified?.getTime() ?? 0;
      if ((part.LastModified?.getTime() ?? 0) >= former) parts.set(part.PartNumber ?? 0, part);
    }
    if (page.IsTruncated !== true || page.NextPartNumberMarker === undefined)
      return [...parts.values()].toSorted((one, other) => (one.PartNumber ?? 0) - (other.PartNumber ?? 0));
    marker = page.NextPartNumberMarker;
  }
}

async function dropUpload(target: MultipartTarget): Promise<void> {
  try {
    await abortUpload(target, target.upload);
  } catch (error) {
    if ((error as Error).name !== 'NoSuchUpload') throw error;
  }
}

import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { listsVersionsAsS3, refusalOfGoogle } from './google-limits.ts';

/** Restrictions of this store, each as in a real service or a bucket policy. Absent: none. */
export interface StoreLimits {
  /** Dell ECS, older MinIO, Ceph before Squid: a deletion of several keys requires Content-MD5. */
  readonly requiresMd5?: boolean;
  readonly refusesMultiDelete?: boolean;
  /** 403 for these keys. */
  readonly refusesPuts?: RegExp;
  /** Responds as if the request were quiet. */
  readonly confirmsNoKeys?: boolean;
  /** Confirms deletions without performing them. */
  readonly keepsDeleted?: boolean;
  /** Objects under retention: an error entry in the response to several deletions, 403 for a single one. */
  readonly locked?: RegExp;
  /** Cloudflare R2: all parts but the last have one length. */
  readonly requiresEqualParts?: boolean;
  readonly refusesMultipart?: boolean;
  /** A default retention: a put needs a digest, and no version is deleted. hidden: no key may read that; minio: its refusal has status 400. */
  readonly retention?: 'stated' | 'hidden' | 'minio';
  /** A bucket policy: 403 for what creates an object without this header of server-side encryption. */
  readonly requiresEncryption?: Readonly<Record<string, string>>;
  /** A policy of the keys: 403 for everything outside of this prefix. */
  readonly permits?: string;
  readonly refusesConditions?: boolean;
  /** Replaces an object despite `If-None-Match: *`. */
  readonly ignoresConditions?: boolean;
  readonly ignoresRanges?: boolean;
  readonly refusesUploadListing?: boolean;
  /** MinIO: with a prefix only the uploads of the object with this very name are listed, without one all. */
  readonly listsUploadsByName?: boolean;
  readonly refusesPresigned?: boolean;
  /** Versioning, as of Backblaze B2 by default: what is deleted or replaced stays as an earlier version. */
  readonly keepsVersions?: boolean;
  /** refused: the request; plain: responds with the list of objects, as if `versions` were no parameter. */
  readonly versionListing?: 'refused' | 'plain';
  readonly deniesVersionDeletion?: boolean;
  /** A list begins with a page of this bucket's deleted objects, which is empty. */
  readonly beginsWithEmptyPage?: boolean;
  readonly omitsTimes?: boolean;
  /** SeaweedFS: the former content of a part that was sent again is listed too. */
  readonly listsFormerParts?: boolean;
  /** Google Cloud Storage, as `google-limits.ts` states it. */
  readonly google?: boolean;
  /** The next completions of multipart uploads: 200 with an error in the body, or joined without any response. */
  readonly completions?: ('error' | 'lost')[];
}

/**
 * An S3 store in memory that checks no signatures, with configurable limits. Path-style addressing; every bucket
 * exists.
 */
export interface StrictStore {
  readonly endpoint: string;
  /** Requests in order: `METHOD` and the names of the query parameters that select the operation. */
  readonly seen: readonly string[];
  /** `bucket/key`, sorted. */
  keys(): string[];
  /** The header that an object was stored with. */
  headerOf(id: string, name: string): string | undefined;
  /** Number of kept versions and delete markers. */
  versions(): number;
  limit(limits: StoreLimits): void;
  /** Runs once, when the next whole object has arrived and before it is stored. */
  onPut(work: () => Promise<unknown>): void;
  stop(): Promise<void>;
}

interface Stored {
  readonly body: Buffer;
  readonly headers: Record<string, string>;
}

interface Upload {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: Map<number, Buffer>;
  readonly startedAt: string;
}

interface Reply {
  readonly status: number;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string | number>>;
}

interface Call {
  readonly method: string;
  readonly bucket: string;
  readonly key: string;
  /** `bucket/key`. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

const operations = ['delete', 'versions', 'uploads', 'uploadId', 'partNumber', 'list-type', 'X-Amz-Signature'];

export async function startStrictStore(initial: StoreLimits = {}): Promise<StrictStore> {
  const memory = new Memory(initial);
  const seen: string[] = [];
  let beforePut: () => Promise<unknown> = async () => undefined;
  const takeOnPut = async (): Promise<void> => {
    const work = beforePut;
    beforePut = async () => undefined;
    await work();
  };
  const server = createServer((request, response) => {
    void (async () => {
      const call = await callOf(request);
      seen.push([call.method, ...operations.filter((name) => call.query.has(name))].join(' '));
      if (call.method === 'PUT' && !call.query.has('uploadId')) await takeOnPut();
      const { status, body, headers } = memory.handle(call);
      if (status === 0) return void request.socket.destroy();
      response.writeHead(status, { 'x-amz-request-id': randomUUID(), ...headers });
      response.end(call.method === 'HEAD' ? undefined : body);
    })().catch(() => request.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    keys: () => [...memory.objects.keys()].sort(),
    headerOf: (id, name) => memory.objects.get(id)?.headers[name],
    versions: () => memory.versions.length,
    limit: (limits) => void (memory.limits = limits),
    onPut: (work) => void (beforePut = work),
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function callOf(request: IncomingMessage): Promise<Call> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://store');
  const [bucket = '', ...rest] = pathname.slice(1).split('/');
  const key = decodeURIComponent(rest.join('/'));
  const { method = 'GET', headers } = request;
  return { method, bucket, key, id: `${bucket}/${key}`, query: searchParams, headers, body: await buffer(request) };
}

interface Version {
  readonly id: string;
  readonly versionId: string;
  readonly isMarker: boolean;
}

class Memory {
  limits: StoreLimits;
  readonly objects = new Map<string, Stored>();
  /** Empty for a store that keeps no versions. */
  versions: Version[] = [];
  readonly #uploads = new Map<string, Upload>();

  constructor(limits: StoreLimits) {
    this.limits = limits;
  }

  handle(call: Call): Reply {
    const { method, key, query } = call;
    const code = this.limits.google === true ? refusalOfGoogle(call) : null;
    if (code !== null) return refused(code === 'SignatureDoesNotMatch' ? 403 : 400, code);
    const policy = this.#refusalOfPolicy(call);
    if (policy !== null) return policy;
    if (query.has('object-lock')) return this.#objectLock();
    if (this.limits.refusesPresigned === true && query.has('X-Amz-Signature')) return refused(403, 'AccessDenied');
    if (method === 'POST' && query.has('delete')) return this.#deleteSeveral(call);
    if (query.has('uploads') || query.has('uploadId')) return this.#multipart(call);
    if (key === '') return query.has('versions') ? this.#listVersions(call) : this.#list(call);
    if (method === 'PUT') return this.#put(call);
    if (method === 'DELETE')
      return this.#delete(call.id, query.get(this.limits.google === true ? 'generation' : 'versionId'));
    return this.#read(call);
  }

  #refusalOfPolicy({ method, key, query, headers, body }: Call): Reply | null {
    const { retention, requiresEncryption, permits } = this.limits;
    const selected = key === '' ? (query.get('prefix') ?? '') : key;
    const several = [...body.toString('latin1', 0, 20_000).matchAll(/<Key>([^<]*)<\/Key>/g)].map(
      ([, text]) => text ?? '',
    );
    const keys = query.has('delete') ? several : [selected];
    if (permits !== undefined && !query.has('object-lock') && keys.some((one) => !one.startsWith(permits)))
      return refused(403, 'AccessDenied', 'The key may use its own folder only.');
    const isPart = query.has('uploadId');
    const creates = !isPart && ((method === 'PUT' && key !== '') || (method === 'POST' && query.has('uploads')));
    const encryption = Object.entries(headers).filter(([name]) => name.startsWith('x-amz-server-side-encryption'));
    if (!creates && encryption.length > 0)
      return refused(400, 'InvalidArgument', 'Encryption belongs to the creation.');
    if (creates && Object.entries(requiresEncryption ?? {}).some(([name, value]) => headers[name] !== value))
      return refused(403, 'AccessDenied', deniedByPolicy);
    const hasDigest = Object.keys(headers).some((name) => /^(content-md5|x-amz-checksum-)/.test(name));
    if (retention !== undefined && method === 'PUT' && !hasDigest && creates)
      return refused(
        400,
        'InvalidRequest',
        'Content-MD5 OR x-amz-checksum- HTTP header is required for Put Object requests with Object Lock parameters',
      );
    return null;
  }

  #objectLock(): Reply {
    const { retention } = this.limits;
    if (retention === undefined) return refused(404, 'ObjectLockConfigurationNotFoundError');
    if (retention === 'hidden') return refused(403, 'AccessDenied');
    const rule = '<DefaultRetention><Mode>COMPLIANCE</Mode><Days>30</Days></DefaultRetention>';
    return xml(
      200,
      `<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled><Rule>${rule}</Rule></ObjectLockConfiguration>`,
    );
  }

  #delete(id: string, versionId: string | null): Reply {
    const { google } = this.limits;
    const keepsVersions = this.#keepsVersions;
    if (google === true && versionId === null && !this.objects.has(id)) return refused(404, 'NoSuchKey');
    if (!this.#remove(id, versionId))
      return this.limits.retention === 'minio'
        ? refused(400, 'InvalidRequest', retained)
        : refused(403, 'AccessDenied', retained);
    const marksDeletion = keepsVersions === true && versionId === null && google !== true;
    const marker = marksDeletion ? { 'x-amz-delete-marker': 'true' } : {};
    return { status: 204, headers: marker };
  }

  #remove(id: string, versionId: string | null = null): boolean {
    const { locked, keepsDeleted, deniesVersionDeletion, google } = this.limits;
    const keepsVersions = this.#keepsVersions;
    if (locked?.test(id) === true || (versionId !== null && deniesVersionDeletion === true)) return false;
    if (versionId !== null && this.limits.retention !== undefined) return false;
    if (versionId !== null && (keepsVersions === true || google !== true)) {
      const [newest] = this.versions.filter((one) => one.id === id).slice(-1);
      this.versions = this.versions.filter((one) => one.id !== id || one.versionId !== versionId);
      if (newest?.versionId === versionId) this.objects.delete(id);
      return true;
    }
    if (keepsVersions === true && google !== true) this.versions.push({ id, versionId: randomUUID(), isMarker: true });
    if (keepsDeleted !== true) this.objects.delete(id);
    return true;
  }

  #listVersions(call: Call): Reply {
    const { versionListing, google } = this.limits;
    const keepsVersions = this.#keepsVersions;
    if (versionListing === 'refused') return refused(403, 'AccessDenied');
    if (versionListing === 'plain' || (google === true && !listsVersionsAsS3(call))) return this.#list(call);
    const prefix = `${call.bucket}/${call.query.get('prefix') ?? ''}`;
    const unversioned = [...this.objects.keys()].map((id) => ({
      id,
      versionId: google === true ? '1' : 'null',
      isMarker: false,
    }));
    const entries = (keepsVersions === true ? this.versions : unversioned)
      .filter(({ id }) => id.startsWith(prefix))
      .map(({ id, versionId, isMarker }) => {
        const name = isMarker ? 'DeleteMarker' : 'Version';
        return `<${name}><Key>${escape(id.slice(call.bucket.length + 1))}</Key><VersionId>${versionId}</VersionId></${name}>`;
      });
    return xml(200, `<ListVersionsResult>${entries.join('')}</ListVersionsResult>`);
  }

  #deleteSeveral({ bucket, headers, body }: Call): Reply {
    const { requiresMd5, refusesMultiDelete, confirmsNoKeys } = this.limits;
    if (refusesMultiDelete === true) return refused(501, 'NotImplemented');
    const md5 = headers['content-md5'];
    const hasChecksum = Object.keys(headers).some((name) => /^x-amz-checksum-(crc|sha)/.test(name));
    if (md5 === undefined && (requiresMd5 === true || !hasChecksum)) return refused(400, 'MissingContentMD5');
    if (md5 !== undefined && md5 !== md5Of(body, 'base64')) return refused(400, 'BadDigest');
    const wanted = body.toString().matchAll(/<Key>([^<]*)<\/Key>(?:<VersionId>([^<]*)<\/VersionId>)?/g);
    const entries = [...wanted].map(([, text, versionId]) => {
      const name = `<Key>${text}</Key>${versionId === undefined ? '' : `<VersionId>${versionId}</VersionId>`}`;
      if (!this.#remove(`${bucket}/${unescape(text ?? '')}`, versionId ?? null))
        return `<Error>${name}<Code>AccessDenied</Code><Message>${retained}</Message></Error>`;
      return confirmsNoKeys === true ? '' : `<Deleted>${name}</Deleted>`;
    });
    return xml(200, `<DeleteResult>${entries.join('')}</DeleteResult>`);
  }

  #multipart(call: Call): Reply {
    const { method, bucket, key, id, query, headers, body } = call;
    if (this.limits.refusesMultipart === true) return refused(501, 'NotImplemented');
    if (method === 'POST' && query.has('uploads')) {
      const uploadId = randomUUID();
      this.#uploads.set(uploadId, {
        id,
        headers: keptOf(headers),
        parts: new Map(),
        startedAt: new Date().toISOString(),
      });
      return xml(
        200,
        `<InitiateMultipartUploadResult><UploadId>${uploadId}</UploadId></InitiateMultipartUploadResult>`,
      );
    }
    if (key === '') return this.#listUploads(bucket, query.get('prefix') ?? '');
    const upload = this.#uploads.get(query.get('uploadId') ?? '');
    if (upload?.id !== id) return refused(404, 'NoSuchUpload');
    if (method === 'PUT') {
      upload.parts.set(Number(query.get('partNumber')), body);
      return { status: 200, headers: { etag: `"${md5Of(body)}"` } };
    }
    if (method === 'GET') return xml(200, `<ListPartsResult>${describeParts(upload, this.limits)}</ListPartsResult>`);
    if (method === 'POST') return this.#complete(query.get('uploadId') ?? '', upload);
    this.#uploads.delete(query.get('uploadId') ?? '');
    return { status: 204 };
  }

  #complete(uploadId: string, { id, headers, parts }: Upload): Reply {
    const bodies = partsOf(parts).map(([, body]) => body);
    const lengths = bodies.map(({ byteLength }) => byteLength);
    const [first = 0] = lengths;
    const leading = lengths.slice(0, -1);
    if (leading.some((length) => length < 5 * 1024 * 1024)) return refused(400, 'EntityTooSmall');
    const isEqual = leading.every((length) => length === first) && (lengths.at(-1) ?? 0) <= first;
    if (this.limits.requiresEqualParts === true && lengths.length > 1 && !isEqual) return refused(400, 'InvalidPart');
    const fate = this.limits.completions?.shift();
    if (fate === 'error') return { ...refused(200, 'InternalError'), status: 200 };
    const body = Buffer.concat(bodies);
    this.#keepVersion(id);
    const etag = `"${md5Of(body)}-${bodies.length}"`;
    this.objects.set(id, { body, headers: { ...headers, etag } });
    this.#uploads.delete(uploadId);
    if (fate === 'lost') return { status: 0 };
    return xml(200, `<CompleteMultipartUploadResult><ETag>${etag}</ETag></CompleteMultipartUploadResult>`);
  }

  #listUploads(bucket: string, prefix: string): Reply {
    if (this.limits.refusesUploadListing === true) return refused(501, 'NotImplemented');
    const byName = this.limits.listsUploadsByName === true && prefix !== '';
    const place = `${bucket}/${prefix}`;
    const found = [...this.#uploads].filter(([, { id }]) => (byName ? id === place : id.startsWith(place)));
    const entries = found.map(
      ([uploadId, { id, startedAt }]) =>
        `<Upload><Key>${escape(id.slice(bucket.length + 1))}</Key><UploadId>${uploadId}</UploadId>${this.limits.omitsTimes === true ? '' : `<Initiated>${startedAt}</Initiated>`}</Upload>`,
    );
    return xml(200, `<ListMultipartUploadsResult>${entries.join('')}</ListMultipartUploadsResult>`);
  }

  #list({ bucket, query }: Call): Reply {
    const [prefix, after] = [query.get('prefix') ?? '', query.get('start-after') ?? ''];
    const most = Number(query.get('max-keys') ?? 1_000);
    if (this.limits.beginsWithEmptyPage === true && !query.has('continuation-token')) {
      const token = '<NextContinuationToken>after-the-deleted</NextContinuationToken>';
      return xml(200, `<ListBucketResult><IsTruncated>true</IsTruncated>${token}</ListBucketResult>`);
    }
    const keys = [...this.objects.keys()].filter((id) => id.startsWith(`${bucket}/${prefix}`)).sort(byBytes);
    const later = keys.map((id) => id.slice(bucket.length + 1)).filter((key) => byBytes(key, after) > 0);
    const entries = later
      .slice(0, most)
      .map(
        (key) =>
          `<Contents><Key>${escape(key)}</Key><Size>${this.objects.get(`${bucket}/${key}`)?.body.byteLength}</Size></Contents>`,
      );
    const truncated = `<IsTruncated>${later.length > most}</IsTruncated>`;
    return xml(200, `<ListBucketResult>${truncated}${entries.join('')}</ListBucketResult>`);
  }

  #put({ id, headers, body }: Call): Reply {
    if (this.limits.refusesPuts?.test(id) === true) return refused(403, 'AccessDenied', deniedByPolicy);
    const isConditional = headers['if-none-match'] !== undefined;
    if (isConditional && this.limits.refusesConditions === true) return refused(501, 'NotImplemented');
    const { ignoresConditions, google } = this.limits;
    if (isConditional && ignoresConditions !== true && google !== true && this.objects.has(id))
      return refused(412, 'PreconditionFailed');
    const etag = `"${md5Of(body)}"`;
    this.#keepVersion(id);
    this.objects.set(id, { body, headers: { ...keptOf(headers), etag } });
    return { status: 200, headers: { etag } };
  }

  /** Object lock needs versioning. */
  get #keepsVersions(): boolean {
    return this.limits.keepsVersions === true || this.limits.retention !== undefined;
  }

  #isKept(id: string, versionId: string | null): boolean {
    return this.versions.some((one) => one.id === id && one.versionId === versionId);
  }

  #keepVersion(id: string): void {
    if (this.#keepsVersions) this.versions.push({ id, versionId: randomUUID(), isMarker: false });
  }

  #read({ id, headers, query }: Call): Reply {
    const lock = ['stated', 'minio'].includes(this.limits.retention ?? '')
      ? { 'x-amz-object-lock-mode': 'COMPLIANCE' }
      : {};
    if (query.has('versionId') && this.#isKept(id, query.get('versionId'))) return { status: 200, headers: lock };
    const found = this.objects.get(id);
    if (found === undefined) return refused(404, 'NoSuchKey');
    const { body } = found;
    const newest = this.versions.findLast((one) => one.id === id);
    if (newest !== undefined && this.limits.google !== true) found.headers['x-amz-version-id'] = newest.versionId;
    if (headers['if-match'] !== undefined && headers['if-match'] !== found.headers['etag'])
      return refused(412, 'PreconditionFailed');
    const range = this.limits.ignoresRanges === true ? null : /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '');
    if (range === null)
      return { status: 200, body, headers: { ...found.headers, ...lock, 'content-length': body.byteLength } };
    const part = body.subarray(Number(range[1]), Number(range[2]) + 1);
    if (part.byteLength === 0) return refused(416, 'InvalidRange');
    const place = `bytes ${range[1]}-${Number(range[1]) + part.byteLength - 1}/${body.byteLength}`;
    return {
      status: 206,
      body: part,
      headers: { ...found.headers, 'content-range': place, 'content-length': part.byteLength },
    };
  }
}

function partsOf(parts: Upload['parts']): [number, Buffer][] {
  return [...parts].sort(([left], [right]) => left - right);
}

function describeParts({ parts, startedAt }: Upload, { listsFormerParts = false }: StoreLimits): string {
  const describe = (number: number, body: Buffer, at: string) =>
    `<Part><PartNumber>${number}</PartNumber><ETag>"${md5Of(body)}"</ETag><Size>${body.byteLength}</Size><LastModified>${at}</LastModified></Part>`;
  return partsOf(parts)
    .map(([number, body]) => {
      const former = listsFormerParts ? describe(number, Buffer.from('former'), '2020-01-01T00:00:00.000Z') : '';
      return describe(number, body, startedAt) + former;
    })
    .join('');
}

function keptOf(headers: IncomingMessage['headers']): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) =>
    /^(content-type$|x-amz-meta-|x-amz-server-side-encryption)/.test(name),
  );
  return { ...Object.fromEntries(kept as [string, string][]), 'last-modified': new Date().toUTCString() };
}

const retained = 'Access Denied because object protected by object lock.';
const deniedByPolicy =
  'User is not authorized to perform: s3:PutObject with an explicit deny in a resource-based policy';

function refused(status: number, code: string, sentence = 'This store does not do that.'): Reply {
  return xml(status, `<Error><Code>${code}</Code><Message>${escape(sentence)}</Message></Error>`);
}

function xml(status: number, text: string): Reply {
  return {
    status,
    body: `<?xml version="1.0" encoding="UTF-8"?>${text}`,
    headers: { 'content-type': 'application/xml' },
  };
}

const md5Of = (body: Buffer, encoding: 'hex' | 'base64' = 'hex'): string =>
  createHash('md5').update(body).digest(encoding);
const byBytes = (left: string, right: string): number => Buffer.compare(Buffer.from(left), Buffer.from(right));
const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const unescape = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

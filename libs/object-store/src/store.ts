import type { Readable } from 'node:stream';

/** The store's facts about one object. */
export interface ObjectInfo {
  readonly key: string;
  readonly bytes: number;
  readonly contentType: string;
  /**
   * Lowercase hex; null when the store does not have it (object of another writer, or a multipart upload without a
   * given hash).
   */
  readonly sha256: string | null;
  /** Strong validator in double quotes, as in HTTP: another content has another etag. */
  readonly etag: string;
  /** Epoch milliseconds. */
  readonly modifiedAtMs: number;
}

export interface PutOptions {
  readonly contentType: string;
  /** Lowercase hex. When the body's hash differs, nothing is stored and the put throws OBJECT_DIGEST_MISMATCH. */
  readonly sha256?: string;
  /** A longer body is not stored and the put throws BODY_TOO_LARGE. */
  readonly maxBytes?: number;
  /** True: throws OBJECT_ALREADY_EXISTS when the key exists (HTTP `If-None-Match: *`). */
  readonly ifAbsent?: boolean;
  /** Aborting ends the put; nothing is stored. */
  readonly signal?: AbortSignal;
  /**
   * Runs the last step, which makes the object visible, when the body is complete and verified. A writer that must not
   * write any more throws here instead of calling `publish`. Default: `publish => publish()`.
   */
  readonly guard?: (publish: () => Promise<void>) => Promise<void>;
}

/** A Buffer, or any source of chunks: a file's read stream, a request, a generator. */
export type ObjectBody = Uint8Array | AsyncIterable<Uint8Array>;

/** First and last byte, both included, both inside the object. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

export interface GetOptions {
  readonly range?: ByteRange;
  /** Throws OBJECT_CHANGED when the object is not this version any more. */
  readonly ifEtag?: string;
  /** Aborting destroys the body stream. */
  readonly signal?: AbortSignal;
}

export interface ObjectRead {
  readonly info: ObjectInfo;
  /** Exactly the requested bytes. The caller reads it to the end or destroys it. */
  readonly body: Readable;
}

export interface ListOptions {
  /** Any start of a key, also in the middle of a name; empty for everything. */
  readonly prefix: string;
  /** The cursor of the previous page. */
  readonly cursor?: string;
  /** 1 to 1000 objects a page; default 1000. */
  readonly limit?: number;
}

export interface ObjectPage {
  /** Ordered by the keys' UTF-8 bytes; on Azure Blob possibly by their UTF-16 units. */
  readonly objects: readonly { readonly key: string; readonly bytes: number }[];
  /** Null on the last page. */
  readonly cursor: string | null;
}

export interface SignedGetOptions {
  /** Epoch milliseconds; the URL is valid until then. S3 allows at most 7 days ahead. */
  readonly expiresAtMs: number;
  /** File name for a browser; default: the last part of the key. */
  readonly downloadName?: string;
  /** Replaces the stored content type. */
  readonly contentType?: string;
}

/** A part of a multipart upload: its number, from 1, or the bytes before all parts (`head`) or after them (`tail`). */
export type MultipartPart = number | 'head' | 'tail';

export interface UploadPartOptions {
  /** Lowercase hex. When the part's hash differs, it is not stored and the call throws OBJECT_DIGEST_MISMATCH. */
  readonly sha256: string;
  /** A longer part throws BODY_TOO_LARGE; at most 64 MiB. */
  readonly maxBytes?: number;
}

export interface CompleteMultipartOptions {
  /** The number of numbered parts, and whether a tail follows them. */
  readonly parts: number;
  readonly tail: boolean;
  /** As for a put. */
  readonly guard?: (publish: () => Promise<void>) => Promise<void>;
}

export interface SignedPutOptions {
  /** Exact length; another one is refused, not on Azure Blob. Absent: any length that the server accepts. */
  readonly bytes?: number;
  /** Epoch milliseconds; the URL is valid until then. S3 allows at most 7 days ahead. */
  readonly expiresAtMs: number;
}

/** A request that its holder sends directly to the store, with exactly these headers and a body. */
export interface SignedRequestToStore {
  readonly method: 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Direct uploads from the sender to the store, not through this process. */
export interface DirectUploads {
  /** For a key that does not exist yet, where the server supports conditional writes: its holder replaces nothing. */
  signedPut(key: string, options: SignedPutOptions & { readonly contentType: string }): Promise<SignedRequestToStore>;
  /** For one part of a multipart upload; null where parts have to go through this process (Azure Blob). */
  signedPart(
    key: string,
    upload: string,
    part: MultipartPart,
    options: SignedPutOptions,
  ): Promise<SignedRequestToStore | null>;
}

export interface SweepOptions {
  readonly idleMs: number;
  /** Every key of the caller starts with one of these. A bucket may have other users, whose objects are left alone. */
  readonly prefixes: readonly string[];
  /**
   * False for the key of another writer's upload, which is left alone; absent: all below the prefixes are the caller's.
   */
  readonly owns?: (key: string) => boolean;
}

/** Minimum length of the head and every numbered part, required by S3. */
export const multipartPartBytesMin = 5 * 1024 * 1024;
export const multipartPartBytesMax = 64 * 1024 * 1024;

/**
 * A flat set of named byte strings. A put is visible whole or not at all, to every reader, at any time. Every method
 * throws VALIDATION for a key that breaks the rules of `assertKey`, and UNAVAILABLE when the store itself does not
 * respond.
 */
export interface ObjectStore {
  /** Memory stays bounded whatever the length of the body. Replaces an existing object. */
  put(key: string, body: ObjectBody, options: PutOptions): Promise<ObjectInfo>;
  /**
   * Creates a multipart upload of an object whose head is available last. Nothing is visible before it is completed.
   * @returns the id of this upload for the calls below
   */
  createMultipart(key: string, options: { readonly contentType: string }): Promise<string>;
  /**
   * Numbered parts come in order; a part may be repeated. Throws OBJECT_NOT_FOUND for an upload that does not exist any
   * more, VALIDATION for a part out of order.
   */
  uploadPart(
    key: string,
    upload: string,
    part: MultipartPart,
    put: { body: ObjectBody } & UploadPartOptions,
  ): Promise<void>;
  /**
   * Makes the object visible; where the store supports it, the cost does not depend on the length of earlier parts.
   * Throws OBJECT_NOT_FOUND for an upload that does not exist any more, VALIDATION when parts are missing or too short.
   * After a failure of the guard the upload is gone; after another one it may be.
   */
  completeMultipart(key: string, upload: string, options: CompleteMultipartOptions): Promise<ObjectInfo>;
  /** Removes the upload. No error when it does not exist. */
  abortMultipart(key: string, upload: string): Promise<void>;
  /** OBJECT_NOT_FOUND when there is none, RANGE_NOT_SATISFIABLE when the range is outside of it. */
  get(key: string, options?: GetOptions): Promise<ObjectRead>;
  /** Null when there is none. */
  head(key: string): Promise<ObjectInfo | null>;
  list(options: ListOptions): Promise<ObjectPage>;
  /** No error when it does not exist. */
  delete(key: string): Promise<void>;
  /**
   * The prefix ends in `/`. Also aborts the multipart uploads below it. Resolves to the number of objects once the
   * store has confirmed every deletion; rejects when one is not confirmed, and may then be repeated.
   */
  deletePrefix(prefix: string): Promise<number>;
  /** A URL that returns this object to its holder. Does not check whether the object exists. */
  signedGetUrl(key: string, options: SignedGetOptions): Promise<string>;
  /** Null: every byte has to go through this process. */
  readonly direct: DirectUploads | null;
  /**
   * Removes unfinished puts: those of ended processes, and all that received no byte for `idleMs`. Returns how many.
   */
  sweepUnfinished(options: SweepOptions): Promise<number>;
  /** Closes open connections. Idempotent. */
  close(): Promise<void>;
}

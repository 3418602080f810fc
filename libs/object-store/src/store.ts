import type { Readable } from 'node:stream';

/** What a store knows about one object. */
export interface ObjectInfo {
  readonly key: string;
  readonly bytes: number;
  readonly contentType: string;
  /** Lowercase hex; null when the store does not know it (written by somebody else, or in parts without a given hash). */
  readonly sha256: string | null;
  /** Strong validator in double quotes, as HTTP writes it: another content has another etag. */
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
  /** True: throws OBJECT_ALREADY_EXISTS when the key is taken (HTTP `If-None-Match: *`). */
  readonly ifAbsent?: boolean;
  /** Aborting ends the put; nothing of it stays behind. */
  readonly signal?: AbortSignal;
  /**
   * Runs the last step, which makes the object visible, when the body is complete and checked. A writer that must
   * not write any more throws here instead of calling `publish`. Default: `publish => publish()`.
   */
  readonly guard?: (publish: () => Promise<void>) => Promise<void>;
}

/** A Buffer, or anything that yields chunks: a file's read stream, a request, a generator. */
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
  /** Exactly the bytes asked for. Whoever gets it reads it to the end or destroys it. */
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
  /** In the order of the keys' UTF-8 bytes. */
  readonly objects: readonly { readonly key: string; readonly bytes: number }[];
  /** Null on the last page. */
  readonly cursor: string | null;
}

export interface SignedGetOptions {
  /** Epoch milliseconds; the URL works before, not after. S3 allows at most 7 days ahead. */
  readonly expiresAtMs: number;
  /** File name for a browser; without it the last part of the key. */
  readonly downloadName?: string;
  /** Replaces the stored content type. */
  readonly contentType?: string;
}

/** A part of an object that grows: its number among the others, from 1, or what stands before all of them, or behind. */
export type MultipartPart = number | 'head' | 'tail';

export interface UploadPartOptions {
  /** Lowercase hex. When the part's hash differs, it is not taken and the call throws OBJECT_DIGEST_MISMATCH. */
  readonly sha256: string;
  /** A longer part throws BODY_TOO_LARGE; at most 64 MiB. */
  readonly maxBytes?: number;
}

export interface CompleteMultipartOptions {
  /** How many numbered parts there are, and whether a tail stands behind them. */
  readonly parts: number;
  readonly tail: boolean;
  /** As for a put. */
  readonly guard?: (publish: () => Promise<void>) => Promise<void>;
}

export interface SignedPutOptions {
  /** Exactly so many: another length is refused. Absent: any length that the server takes. */
  readonly bytes?: number;
  /** Epoch milliseconds; the URL works before, not after. S3 allows at most 7 days ahead. */
  readonly expiresAtMs: number;
}

/** A request that its holder sends to the store itself, with exactly these headers and a body. */
export interface SignedRequestToStore {
  readonly method: 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Writes that go from their sender to the store without passing this process. */
export interface DirectUploads {
  /** Of a key that is not taken yet, where the server knows conditional writes: whoever holds it replaces nothing. */
  signedPut(key: string, options: SignedPutOptions & { readonly contentType: string }): Promise<SignedRequestToStore>;
  /** Of one part of a multipart upload. */
  signedPart(
    key: string,
    upload: string,
    part: MultipartPart,
    options: SignedPutOptions,
  ): Promise<SignedRequestToStore>;
}

export interface SweepOptions {
  readonly idleMs: number;
  /** Every key of the caller starts with one of these. A bucket may have other users: what else is in it is left alone. */
  readonly prefixes: readonly string[];
  /** False for the key of somebody else's upload, which is left alone; absent: all below the prefixes are the caller's. */
  readonly owns?: (key: string) => boolean;
}

/** The least that the head and every numbered part hold: S3 wants it so. */
export const multipartPartBytesMin = 5 * 1024 * 1024;
export const multipartPartBytesMax = 64 * 1024 * 1024;

/**
 * A flat set of named byte strings. A put is seen whole or not at all, by everybody, at any moment. Every method throws
 * VALIDATION for a key that breaks the rules of `assertKey`, and UNAVAILABLE when the store itself does not answer.
 */
export interface ObjectStore {
  /** Memory stays bounded whatever the length of the body. Replaces what was there. */
  put(key: string, body: ObjectBody, options: PutOptions): Promise<ObjectInfo>;
  /**
   * Begins an object that is sent while it grows, and whose beginning is known last. Nothing is to be seen of it before
   * it is finished. @returns what names this upload in the calls below
   */
  createMultipart(key: string, options: { readonly contentType: string }): Promise<string>;
  /**
   * Numbered parts come in order; the same one may come again. Throws OBJECT_NOT_FOUND for an upload that is not there any
   * more, VALIDATION for a part out of turn.
   */
  uploadPart(
    key: string,
    upload: string,
    part: MultipartPart,
    put: { body: ObjectBody } & UploadPartOptions,
  ): Promise<void>;
  /**
   * Makes the object visible: its cost does not depend on the length of what was sent before, as far as the store can help
   * it. Throws OBJECT_NOT_FOUND for an upload that is not there any more, VALIDATION when parts are missing or too short.
   * After a failure of the guard the upload is gone; after another one it may be.
   */
  completeMultipart(key: string, upload: string, options: CompleteMultipartOptions): Promise<ObjectInfo>;
  /** Nothing is left of it. One that is not there is fine. */
  abortMultipart(key: string, upload: string): Promise<void>;
  /** OBJECT_NOT_FOUND when there is none, RANGE_NOT_SATISFIABLE when the range leaves it. */
  get(key: string, options?: GetOptions): Promise<ObjectRead>;
  /** Null when there is none. */
  head(key: string): Promise<ObjectInfo | null>;
  list(options: ListOptions): Promise<ObjectPage>;
  /** An absent object is fine. */
  delete(key: string): Promise<void>;
  /**
   * The prefix ends in `/`. Also aborts the multipart uploads below it. Resolves to the number of objects once the store has
   * confirmed every deletion; rejects when one is not confirmed, and may then be repeated.
   */
  deletePrefix(prefix: string): Promise<number>;
  /** A URL that gives this one object to whoever holds it. Does not look whether the object exists. */
  signedGetUrl(key: string, options: SignedGetOptions): Promise<string>;
  /** Null: every byte has to pass this process. */
  readonly direct: DirectUploads | null;
  /**
   * Removes what puts left that never finished: of processes that are gone, and all that saw no byte for
   * `idleMs`. Answers how many.
   */
  sweepUnfinished(options: SweepOptions): Promise<number>;
  /** Ends open connections. Safe twice. */
  close(): Promise<void>;
}

import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { fail } from '@rapporteur/failures';
import { everyObject } from './every-object.ts';
import { refusalIn } from './store-refusal.ts';
import { multipartPartBytesMin } from './store.ts';
import type { MultipartPart, ObjectStore } from './store.ts';

/** A presigned request, sent without a key of the store. */
export interface SignedRequest {
  readonly method: 'GET' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

export interface RequestCheck {
  readonly store: ObjectStore;
  /** Ends in a slash; everything that the check writes is below it. */
  readonly prefix: string;
  /** The current step, as a phrase that completes "… failed.". */
  readonly begin: (step: string) => void;
  /** Null: signed requests are not sent. */
  readonly send: ((request: SignedRequest) => Promise<{ readonly status: number; readonly body: Buffer }>) | null;
}

const type = { contentType: 'application/octet-stream' } as const;
const inTenMinutes = () => ({ expiresAtMs: Date.now() + 600_000 });

/**
 * Sends every kind of request that recordings need later, beyond writing, reading and deleting one object. Rejects at
 * the first one that the store does not serve as S3 does; `begin` received its name. Written objects are deleted when
 * the check completes.
 */
export async function checkRequests(check: RequestCheck): Promise<void> {
  await checkReading(check);
  if (check.store.direct !== null && check.send !== null) await checkSigned(check, check.send);
  await checkMultipart(check);
  await checkDeletion(check);
}

async function checkReading({ store, prefix, begin }: RequestCheck): Promise<void> {
  begin('writing objects with a condition (If-None-Match)');
  const content = Buffer.from('0123456789');
  for (const name of ['one', 'two']) await store.put(`${prefix}${name}`, content, { ...type, ifAbsent: true });
  begin('reading a range of an object');
  const info = await store.head(`${prefix}one`);
  const range = { range: { first: 2, last: 5 }, ...(info === null ? {} : { ifEtag: info.etag }) };
  const read = await buffer((await store.get(`${prefix}one`, range)).body);
  if (String(read) !== '2345') throw different();
  begin('listing objects in pages');
  const first = await store.list({ prefix, limit: 1 });
  const second = await store.list({ prefix, limit: 1, ...(first.cursor === null ? {} : { cursor: first.cursor }) });
  const keys = [...first.objects, ...second.objects].map(({ key }) => key.slice(prefix.length));
  if (keys.join() !== 'one,two') throw fail('UNAVAILABLE', { message: 'The lists do not show what was written.' });
}

async function checkSigned(
  { store, prefix, begin }: RequestCheck,
  send: NonNullable<RequestCheck['send']>,
): Promise<void> {
  begin('writing an object with a signed request');
  const body = Buffer.from('signed');
  const put = await store.direct?.signedPut(`${prefix}signed`, { ...type, bytes: body.byteLength, ...inTenMinutes() });
  if (put !== undefined) assertStatus(await send({ ...put, body }), 200);
  begin('reading a range of an object with a signed link');
  const url = await store.signedGetUrl(`${prefix}signed`, { ...inTenMinutes(), contentType: 'text/plain' });
  const read = await send({ method: 'GET', url, headers: { range: 'bytes=0-2' } });
  assertStatus(read, 206);
  if (String(read.body) !== 'sig') throw different();
}

/** Like a recording: a head of any length that comes last, numbered parts and a tail. */
async function checkMultipart({ store, prefix, begin, send }: RequestCheck): Promise<void> {
  const key = `${prefix}parts`;
  begin('creating a multipart upload');
  const upload = await store.createMultipart(key, type);
  const put = (part: MultipartPart, body: Buffer) =>
    store.uploadPart(key, upload, part, { body, sha256: createHash('sha256').update(body).digest('hex') });
  const parts = Buffer.alloc(2 * multipartPartBytesMin + 1);
  begin('writing a part of a multipart upload');
  await put(1, parts.subarray(0, multipartPartBytesMin + 1));
  await put('head', parts.subarray(0, multipartPartBytesMin));
  begin('writing a part with a signed request');
  const tail = Buffer.from('end');
  const signed =
    send === null
      ? null
      : await store.direct?.signedPart(key, upload, 'tail', { bytes: tail.byteLength, ...inTenMinutes() });
  if (signed === undefined || signed === null || send === null) await put('tail', tail);
  else assertStatus(await send({ ...signed, body: tail }), 200);
  begin('listing multipart uploads');
  await store.sweepUnfinished({ idleMs: 86_400_000, prefixes: [prefix] });
  begin('completing a multipart upload with parts of different lengths');
  const info = await store.completeMultipart(key, upload, { parts: 1, tail: true });
  if (info.bytes !== parts.byteLength + tail.byteLength) throw different();
  begin('aborting a multipart upload');
  await store.abortMultipart(key, await store.createMultipart(key, type));
}

async function checkDeletion({ store, prefix, begin }: RequestCheck): Promise<void> {
  begin('deleting several objects');
  await store.deletePrefix(prefix);
  for await (const { key } of everyObject(store, prefix))
    throw fail('UNAVAILABLE', { message: `The list still shows ${key.slice(prefix.length)}.` });
}

function different(): Error {
  return fail('UNAVAILABLE', { message: 'The store returned other content than was written.' });
}

function assertStatus({ status, body }: { readonly status: number; readonly body: Buffer }, wanted: number): void {
  if (status !== wanted) throw fail('UNAVAILABLE', { message: `The store responded with ${refusalIn(status, body)}.` });
}

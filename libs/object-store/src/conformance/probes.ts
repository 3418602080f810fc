import { createHash, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { ObjectStore } from '../index.ts';
import type { DriverOptions } from './open-driver.ts';

/** The store under test, once it is open, and how another process opens the same one. */
export interface DriverUnderTest {
  store(): ObjectStore;
  options(): DriverOptions;
}

export const text = { contentType: 'text/plain' };
/** Three parts on S3. */
export const largeBytes = 20 * 1024 * 1024 + 123;

const folderStart = 'case-';

export function newFolder(): string {
  return `${folderStart}${randomUUID()}/`;
}

export function sweep(store: ObjectStore, idleMs = 0): Promise<number> {
  return store.sweepUnfinished({ idleMs, prefixes: [folderStart] });
}

export function sha256Of(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

export async function* chunks(content: Buffer, chunkBytes = 100_000): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < content.byteLength; start += chunkBytes)
    yield content.subarray(start, start + chunkBytes);
}

export async function keysOf(store: ObjectStore, prefix: string): Promise<string[]> {
  return (await store.list({ prefix })).objects.map((object) => object.key);
}

export async function read(store: ObjectStore, key: string): Promise<Buffer> {
  return buffer((await store.get(key)).body);
}

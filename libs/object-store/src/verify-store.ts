import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Failure } from '@rapporteur/failures';
import { checkRequests } from './check-requests.ts';
import { boundedSentence, storeRefusal } from './store-refusal.ts';
import type { ObjectStore } from './store.ts';

const probeBytes = 300_007;

/**
 * Writes a stream, reads it back whole and in part, lists and deletes it, and compares every byte: some S3 servers
 * store a stream's framing as content, ignore ranges or accept anything. Throws an Error whose message states the
 * failed step and the cause, for the operator; it may contain hosts and buckets.
 */
export async function verifyStore(store: ObjectStore): Promise<void> {
  const prefix = `store-check/${randomUUID()}/`;
  const key = `${prefix}probe.bin`;
  const content = randomBytes(probeBytes);
  const sha256 = createHash('sha256').update(content).digest('hex');
  await step('Writing a test object', () =>
    store.put(key, chunked(content), { contentType: 'application/octet-stream', sha256 }),
  );
  try {
    await step('Reading the test object back', async () => {
      const whole = await buffer((await store.get(key)).body);
      if (!whole.equals(content))
        throw new Error(`it has ${whole.byteLength} other bytes than the ${probeBytes} written`);
    });
    await step('Reading a part of the test object', async () => {
      const range = { first: 1_000, last: 1_999 };
      const part = await buffer((await store.get(key, { range })).body);
      if (!part.equals(content.subarray(range.first, range.last + 1)))
        throw new Error('it returned other bytes than requested');
    });
    await step('Listing the test object', async () => {
      const { objects } = await store.list({ prefix });
      if (objects.length !== 1 || objects[0]?.bytes !== probeBytes) throw new Error('the list does not show it');
    });
  } finally {
    await step('Deleting the test object', () => store.delete(key));
  }
  await step('Looking for the deleted test object', async () => {
    if ((await store.head(key)) !== null) throw new Error('it is still there');
  });
  await verifyRequests(store);
}

/** Every other request that a service sends to an S3 server. A folder supports them all. */
async function verifyRequests(store: ObjectStore): Promise<void> {
  if (store.direct === null) return;
  let current = '';
  const check = { store, prefix: `store-check/${randomUUID()}/`, send: null };
  try {
    await checkRequests({ ...check, begin: (step) => (current = step) });
  } catch (error) {
    await store.deletePrefix(check.prefix).catch(() => undefined);
    await step(current.charAt(0).toUpperCase() + current.slice(1), () => Promise.reject(error as Error));
  }
}

async function* chunked(content: Buffer): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < content.byteLength; start += 65_536) yield content.subarray(start, start + 65_536);
}

async function step(what: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { message, cause } = error as Error;
    const reason =
      error instanceof Failure && cause instanceof Error
        ? `${message} (${storeRefusal(cause) ?? `${cause.name}: ${boundedSentence(cause.message)}`})`
        : message;
    throw new Error(`The object store cannot be used. ${what} failed: ${reason}`, { cause: error });
  }
}

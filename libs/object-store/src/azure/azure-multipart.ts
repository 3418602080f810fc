import { createHash, randomBytes } from 'node:crypto';
import type { BlockBlobCommitBlockListOptions, ContainerClient } from '@azure/storage-blob';
import { fail } from '@rapporteur/failures';
import { publishThroughGuard } from '../body.ts';
import { multipartPartBytesMin } from '../store.ts';
import type { CompleteMultipartOptions, MultipartPart, SweepOptions } from '../store.ts';
import { isAbsent, isTransient } from './azure-failures.ts';

/**
 * Azure has no uploads, only blocks of a blob that are not committed; they have no time and cannot be deleted. An
 * upload is therefore an empty blob `.uploads/<key>/<upload>`, whose time is that of the last part, and its number is
 * the start of its blocks' ids.
 */
export const uploadsFolder = '.uploads/';
const nameLimit = 1_024;
/** A blob has at most 50 000 blocks. */
const tailNumber = 50_000;

const recordOf = (container: ContainerClient, key: string, upload: string) =>
  container.getBlockBlobClient(`${uploadsFolder}${key}/${upload}`);

/** All ids of a blob have one length. */
function blockIdOf(upload: string, part: MultipartPart): string {
  const number = part === 'head' ? 0 : part === 'tail' ? tailNumber : part;
  if (typeof part === 'number' && (part < 1 || part > tailNumber - 2))
    throw fail('VALIDATION', { message: 'There is no such part.', details: 'part' });
  return Buffer.from(`${upload}-${String(number).padStart(5, '0')}`).toString('base64');
}

export async function startUpload(container: ContainerClient, key: string, contentType: string): Promise<string> {
  const upload = randomBytes(16).toString('hex');
  const record = recordOf(container, key, upload);
  if (record.name.length > nameLimit)
    throw fail('VALIDATION', { message: 'The key is too long for an object in parts.', details: 'key' });
  await record.upload('', 0, { blobHTTPHeaders: { blobContentType: contentType } });
  return upload;
}

/** Throws OBJECT_NOT_FOUND for an upload that does not exist any more. */
export async function sendPart(
  container: ContainerClient,
  [key, upload]: readonly [string, string],
  { part, bytes, signal }: { part: MultipartPart; bytes: Buffer; signal?: AbortSignal | undefined },
): Promise<string> {
  const id = blockIdOf(upload, part);
  await recordOf(container, key, upload).setMetadata({}).catch(refuseAbsent);
  await container.getBlockBlobClient(key).stageBlock(id, bytes, bytes.byteLength, {
    transactionalContentMD5: createHash('md5').update(bytes).digest(),
    ...(signal === undefined ? {} : { abortSignal: signal }),
  });
  return id;
}

/** Joins the blocks, and forgets the upload. @returns the blob's ETag */
export async function commit(
  container: ContainerClient,
  [key, upload]: readonly [string, string],
  blocks: string[],
  options: BlockBlobCommitBlockListOptions,
): Promise<string> {
  const { etag = '' } = await container.getBlockBlobClient(key).commitBlockList(blocks, options);
  // What stays behind is swept.
  await dropUpload(container, key, upload).catch(() => undefined);
  return etag;
}

export async function finishUpload(
  container: ContainerClient,
  [key, upload]: readonly [string, string],
  options: CompleteMultipartOptions,
): Promise<void> {
  const { contentType } = await recordOf(container, key, upload).getProperties().catch(refuseAbsent);
  const parts: MultipartPart[] = ['head', ...Array.from({ length: options.parts }, (_none, index) => index + 1)];
  if (options.tail) parts.push('tail');
  const wanted = parts.map((part) => blockIdOf(upload, part));
  const list = await container.getBlockBlobClient(key).getBlockList('uncommitted').catch(ifAbsent);
  const start = Buffer.from(upload).toString('base64').slice(0, 40);
  const sizes = new Map((list?.uncommittedBlocks ?? []).map(({ name, size }) => [name, size]));
  const own = [...sizes.keys()].filter((name) => name.startsWith(start));
  const isWhole = own.length === wanted.length && wanted.every((id) => sizes.has(id));
  const measured = options.tail ? wanted.slice(0, -1) : wanted;
  const isTooShort = options.parts > 0 && measured.some((id) => (sizes.get(id) ?? 0) < multipartPartBytesMin);
  if (!isWhole || isTooShort)
    throw fail('VALIDATION', { message: 'Parts of the object are missing or too short.', details: 'parts' });
  const headers = contentType === undefined ? {} : { blobHTTPHeaders: { blobContentType: contentType } };
  try {
    await publishThroughGuard(options, async () => void (await commit(container, [key, upload], wanted, headers)));
  } catch (error) {
    if (!isTransient(error)) await dropUpload(container, key, upload).catch(() => undefined);
    throw error;
  }
}

/** No error when it does not exist. Its blocks stay, unreadable, until the service discards them after a week. */
export async function dropUpload(container: ContainerClient, key: string, upload: string): Promise<void> {
  await recordOf(container, key, upload).delete().catch(ifAbsent);
}

/** Forgets the uploads below the prefixes that received no part for `idleMs`. */
export async function dropIdleUploads(container: ContainerClient, options: SweepOptions): Promise<number> {
  const idleSince = Date.now() - options.idleMs;
  let dropped = 0;
  for (const prefix of options.prefixes) {
    for await (const { name, properties } of container.listBlobsFlat({ prefix: uploadsFolder + prefix })) {
      const end = name.lastIndexOf('/');
      const key = name.slice(uploadsFolder.length, end);
      if (properties.lastModified.getTime() > idleSince || options.owns?.(key) === false) continue;
      await dropUpload(container, key, name.slice(end + 1));
      dropped += 1;
    }
  }
  return dropped;
}

export function ifAbsent(error: unknown): null {
  if (isAbsent(error)) return null;
  throw error;
}

function refuseAbsent(cause: unknown): never {
  if (!isAbsent(cause)) throw cause;
  throw fail('OBJECT_NOT_FOUND', { message: 'There is no such upload any more.', cause });
}

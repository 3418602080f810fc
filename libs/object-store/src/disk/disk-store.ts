import { link, readdir, stat, unlink, open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { randomUUID } from 'node:crypto';
import { KeyedMutex } from '@rapporteur/async';
import { fail, Failure } from '@rapporteur/failures';
import { measureBody, publishThroughGuard } from '../body.ts';
import { assertFolderPrefix, assertKey, assertPrefix, keyProblem } from '../keys.ts';
import { signPath } from '../signed-path.ts';
import type {
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
import { contentTypeByName, readDescriptions, sameFile } from './description.ts';
import type { FileDescription } from './description.ts';
import { compareKeys, errorCode, FolderTree, isAbsent, syncFolder } from './folders.ts';
import { MultipartFiles } from './multipart-files.ts';

/** Distinguishes this process from an earlier one with the same PID, as in containers, where it is always 1. */
const processMark = randomUUID().slice(0, 8);

function newPath(folder: string): string {
  return join(folder, `${process.pid}-${processMark}-${randomUUID()}`);
}

/** True when the process that was writing this file has ended, so the file stays unfinished. */
function isUnfinishedStray(name: string): boolean {
  const [pid, mark] = name.split('-');
  if (!/^\d+$/.test(pid ?? '')) return true;
  if (Number(pid) === process.pid) return mark !== processMark;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

interface IncomingFile {
  readonly path: string;
  readonly mtimeNs: bigint;
}

/** Writes a body to a new file and flushes it. `onPath` gets the path first, to remove it on a failure. */
async function writeIncoming(
  folder: string,
  chunks: AsyncIterable<Uint8Array>,
  onPath: (path: string) => void,
): Promise<IncomingFile> {
  const path = newPath(folder);
  const handle = await open(path, 'wx', 0o600);
  onPath(path);
  try {
    for await (const chunk of chunks) await handle.appendFile(chunk);
    await handle.sync();
    const { mtimeNs } = await handle.stat({ bigint: true });
    return { path, mtimeNs };
  } finally {
    await handle.close();
  }
}

async function writeSmallIncoming(folder: string, text: string): Promise<string> {
  let path = '';
  await writeIncoming(
    folder,
    (async function* () {
      yield Buffer.from(text);
    })(),
    (made) => (path = made),
  );
  return path;
}

export interface DiskStoreOptions {
  /**
   * Created when missing: `objects/` contains the files under their own keys, `descriptions/` their types and hashes.
   */
  readonly folder: string;
  /**
   * Address without a slash at its end, under which a server responds to `<signedUrlBase>/<signed path>` with
   * `verifySignedPath`.
   */
  readonly signedUrlBase: string;
  readonly signingSecret: string;
}

const readBufferBytes = 256 * 1024;
const publishAttempts = 5;

/** Objects as plain files. One process writes at a time; any number may read. */
export async function openDiskStore(options: DiskStoreOptions): Promise<ObjectStore> {
  const objects = await FolderTree.open(join(options.folder, 'objects'));
  const descriptions = await FolderTree.open(join(options.folder, 'descriptions'));
  const incoming = await FolderTree.open(join(options.folder, 'incoming'));
  const multipart = await FolderTree.open(join(options.folder, 'growing'));
  return new DiskStore(options, { objects, descriptions, incoming, multipart });
}

interface Trees {
  readonly objects: FolderTree;
  readonly descriptions: FolderTree;
  readonly incoming: FolderTree;
  readonly multipart: FolderTree;
}

class DiskStore implements ObjectStore {
  readonly direct = null;
  readonly #options: DiskStoreOptions;
  readonly #trees: Trees;
  readonly #locks = new KeyedMutex();
  readonly #uploads: MultipartFiles;

  constructor(options: DiskStoreOptions, trees: Trees) {
    this.#options = options;
    this.#trees = trees;
    this.#uploads = new MultipartFiles(trees.multipart.root);
  }

  async put(key: string, body: ObjectBody, options: PutOptions): Promise<ObjectInfo> {
    assertKey(key);
    const measured = measureBody(body, options);
    let temporary: string | null = null;
    try {
      const file = await writeIncoming(this.#trees.incoming.root, measured.chunks, (path) => (temporary = path));
      const description: FileDescription = {
        bytes: measured.bytes,
        modifiedAtNs: String(file.mtimeNs),
        contentType: options.contentType,
        sha256: measured.digest(),
      };
      await publishThroughGuard(options, () =>
        this.#locks.run(key, () => this.#publish(key, file.path, description, options.ifAbsent ?? false)),
      );
      return infoOf(key, { size: BigInt(measured.bytes), mtimeNs: file.mtimeNs }, description);
    } catch (error) {
      if (temporary !== null) await unlink(temporary).catch(() => undefined);
      throw asStoreFailure(error);
    }
  }

  async createMultipart(key: string, options: { readonly contentType: string }): Promise<string> {
    assertKey(key);
    return await this.#uploads.start(key, options.contentType).catch(rethrow);
  }

  async uploadPart(
    key: string,
    upload: string,
    part: MultipartPart,
    put: { body: ObjectBody } & UploadPartOptions,
  ): Promise<void> {
    assertKey(key);
    await this.#locks.run(upload, () => this.#uploads.put({ key, upload }, part, put)).catch(rethrow);
  }

  async completeMultipart(key: string, upload: string, options: CompleteMultipartOptions): Promise<ObjectInfo> {
    assertKey(key);
    const finish = async (): Promise<ObjectInfo> => {
      const { path, description } = await this.#uploads.join({ key, upload }, options);
      await publishThroughGuard(options, () =>
        this.#locks.run(key, () => this.#publish(key, path, description, false)),
      );
      const { bytes, modifiedAtNs } = description;
      return infoOf(key, { size: BigInt(bytes), mtimeNs: BigInt(modifiedAtNs) }, description);
    };
    const finished = await this.#locks.run(upload, finish).catch(async (error: unknown) => {
      if (!(error instanceof Failure) || error.code !== 'VALIDATION') await this.#uploads.drop({ key, upload });
      throw asStoreFailure(error);
    });
    await this.#uploads.drop({ key, upload });
    return finished;
  }

  async abortMultipart(key: string, upload: string): Promise<void> {
    assertKey(key);
    await this.#locks.run(upload, () => this.#uploads.drop({ key, upload })).catch(rethrow);
  }

  async #publish(key: string, path: string, description: FileDescription, ifAbsent: boolean): Promise<void> {
    if (ifAbsent && (await this.head(key)) !== null) throw fail('OBJECT_ALREADY_EXISTS');
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#describe(key, description);
        await this.#trees.objects.makeFoldersFor(key);
        if (ifAbsent) await linkNew(path, this.#trees.objects.path(key));
        else await this.#trees.objects.moveIn(path, key);
        return;
      } catch (error) {
        // A concurrent delete removed the empty folder between its creation and its use.
        if (errorCode(error) !== 'ENOENT' || attempt === publishAttempts) throw error;
      }
    }
  }

  async #describe(key: string, description: FileDescription): Promise<void> {
    const { descriptions, incoming } = this.#trees;
    const name = descriptionKey(key);
    const previous = await this.#currentDescription(key);
    const versions = previous === null ? [description] : [description, previous];
    await descriptions.makeFoldersFor(name);
    const path = await writeSmallIncoming(incoming.root, JSON.stringify({ versions }));
    try {
      await descriptions.moveIn(path, name);
    } catch (error) {
      await unlink(path).catch(() => undefined);
      throw error;
    }
  }

  async #currentDescription(key: string): Promise<FileDescription | null> {
    const opened = await this.#open(key);
    await opened?.handle.close();
    return opened?.description ?? null;
  }

  async #open(
    key: string,
  ): Promise<{ handle: FileHandle; info: ObjectInfo; description: FileDescription | null } | null> {
    const handle = await this.#trees.objects.openFile(key);
    if (handle === null) return null;
    try {
      const file = await handle.stat({ bigint: true });
      const known = await readDescriptions(this.#trees.descriptions.path(descriptionKey(key)));
      const description = known.find((candidate) => sameFile(candidate, file)) ?? null;
      return { handle, info: infoOf(key, file, description), description };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async get(key: string, options: GetOptions = {}): Promise<ObjectRead> {
    assertKey(key);
    const opened = await this.#open(key);
    if (opened === null) throw fail('OBJECT_NOT_FOUND');
    const { handle, info } = opened;
    try {
      options.signal?.throwIfAborted();
      if (options.ifEtag !== undefined && options.ifEtag !== info.etag) throw fail('OBJECT_CHANGED');
      const { range } = options;
      if (range !== undefined && (range.first < 0 || range.first > range.last || range.last >= info.bytes)) {
        throw fail('RANGE_NOT_SATISFIABLE');
      }
      const span = range === undefined ? { start: 0 } : { start: range.first, end: range.last };
      const body = handle.createReadStream({ ...span, highWaterMark: readBufferBytes, autoClose: true });
      return { info, body: options.signal === undefined ? body : addAbortSignal(options.signal, body) };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async head(key: string): Promise<ObjectInfo | null> {
    assertKey(key);
    const opened = await this.#open(key);
    await opened?.handle.close();
    return opened?.info ?? null;
  }

  async list(options: ListOptions): Promise<ObjectPage> {
    assertPrefix(options.prefix);
    const limit = options.limit ?? 1_000;
    const objects: { key: string; bytes: number }[] = [];
    for await (const key of this.#walk([], options.prefix, options.cursor ?? '')) {
      const bytes = await this.#trees.objects.bytesOf(key);
      if (bytes === null) continue;
      if (objects.length === limit) return { objects, cursor: objects.at(-1)?.key ?? null };
      objects.push({ key, bytes });
    }
    return { objects, cursor: null };
  }

  /** Keys in order that start with `prefix` and come after `after`; folders without such keys are not read. */
  async *#walk(segments: readonly string[], prefix: string, after: string): AsyncGenerator<string> {
    for (const { name, isFolder } of await this.#trees.objects.entries(segments)) {
      const path = [...segments, name];
      const key = path.join('/');
      if (isFolder) {
        const start = `${key}/`;
        const mayHoldPrefix = start.startsWith(prefix) || prefix.startsWith(start);
        const mayComeAfter = after.startsWith(start) || compareKeys(start, after) > 0;
        if (mayHoldPrefix && mayComeAfter) yield* this.#walk(path, prefix, after);
      } else if (key.startsWith(prefix) && compareKeys(key, after) > 0 && keyProblem(key) === null) {
        yield key;
      }
    }
  }

  async delete(key: string): Promise<void> {
    assertKey(key);
    await this.#locks.run(key, async () => {
      if ((await this.head(key)) === null) return;
      const { objects, descriptions } = this.#trees;
      await removeFile(objects.path(key));
      await removeFile(descriptions.path(descriptionKey(key)));
      await objects.pruneFoldersOf(key);
      await descriptions.pruneFoldersOf(descriptionKey(key));
    });
  }

  async deletePrefix(prefix: string): Promise<number> {
    assertFolderPrefix(prefix);
    let deleted = 0;
    for await (const key of this.#walk([], prefix, '')) {
      await this.delete(key);
      deleted += 1;
    }
    await this.#uploads.dropBelow(prefix).catch(rethrow);
    return deleted;
  }

  signedGetUrl(key: string, options: SignedGetOptions): Promise<string> {
    const { signedUrlBase, signingSecret } = this.#options;
    return Promise.resolve(`${signedUrlBase}/${signPath(signingSecret, key, options)}`);
  }

  /** Sweeps all prefixes: the folder has no other users. */
  async sweepUnfinished(options: Pick<SweepOptions, 'idleMs'>): Promise<number> {
    const { root } = this.#trees.incoming;
    let removed = 0;
    for (const name of await readdir(root)) {
      const path = join(root, name);
      const file = await stat(path).catch(() => null);
      if (file === null) continue;
      if (!isUnfinishedStray(name) && Date.now() - file.mtimeMs < options.idleMs) continue;
      await removeFile(path);
      removed += 1;
    }
    return removed + (await this.#uploads.sweep(options.idleMs));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function descriptionKey(key: string): string {
  return `${key}.json`;
}

function infoOf(key: string, file: { size: bigint; mtimeNs: bigint }, description: FileDescription | null): ObjectInfo {
  return {
    key,
    bytes: Number(file.size),
    contentType: description?.contentType ?? contentTypeByName(key),
    sha256: description?.sha256 ?? null,
    etag:
      description?.sha256 == null
        ? `"${file.size.toString(16)}-${file.mtimeNs.toString(16)}"`
        : `"${description.sha256.slice(0, 32)}"`,
    modifiedAtMs: Number(file.mtimeNs / 1_000_000n),
  };
}

/** Only a hard link publishes a finished file on the condition that the name is free. */
async function linkNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw fail('OBJECT_ALREADY_EXISTS');
    throw error;
  }
  await unlink(from);
  await syncFolder(join(to, '..'));
}

async function removeFile(path: string): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    if (!isAbsent(error)) throw error;
  });
}

const diskProblems: Record<string, string> = {
  ENOSPC: 'The disk of the object store is full.',
  EDQUOT: 'The disk quota of the object store is used up.',
  EACCES: 'The folder of the object store may not be written.',
  EPERM: 'The folder of the object store may not be written.',
  EROFS: 'The folder of the object store is read-only.',
  EIO: 'The disk of the object store reports an error.',
};

function rethrow(error: unknown): never {
  throw asStoreFailure(error);
}

function asStoreFailure(error: unknown): unknown {
  const message = error instanceof Failure ? undefined : diskProblems[errorCode(error)];
  return message === undefined ? error : fail('UNAVAILABLE', { message, cause: error });
}

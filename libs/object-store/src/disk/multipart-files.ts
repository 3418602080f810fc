import { randomUUID } from 'node:crypto';
import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fail } from '@rapporteur/failures';
import { measureBody } from '../body.ts';
import { multipartPartBytesMin, multipartPartBytesMax } from '../store.ts';
import type { CompleteMultipartOptions, MultipartPart, ObjectBody, UploadPartOptions } from '../store.ts';
import type { FileDescription } from './description.ts';
import { isAbsent, syncFolder } from './folders.ts';

export interface MultipartName {
  readonly key: string;
  readonly upload: string;
}

interface Part {
  readonly bytes: number;
  readonly sha256: string;
}

interface Multipart {
  readonly key: string;
  readonly contentType: string;
  readonly parts: readonly Part[];
  readonly head: Part | null;
  readonly tail: Part | null;
  /** The head is being inserted: after a crash in this state the progress is unknown. */
  readonly joining: boolean;
}

const stateName = 'state.json';
const bodyName = 'body';
const run = promisify(execFile);
const joinDeadlineMs = 60_000;
const uploadName = /^[0-9a-f-]{36}$/;

/**
 * Shifts the content of a file by this many bytes, without copying it. @throws Error where that is not possible, or
 * takes too long
 */
export type InsertRange = (path: string, bytes: number) => Promise<unknown>;

/**
 * Multipart uploads, each in a folder of its own: numbered parts concatenated in one file, head and tail beside it.
 * They survive the process and continue after its restart.
 */
export class MultipartFiles {
  readonly #root: string;
  readonly #insertRange: InsertRange;

  constructor(root: string, insertRange: InsertRange = fallocate) {
    this.#root = root;
    this.#insertRange = insertRange;
  }

  async start(key: string, contentType: string): Promise<string> {
    const upload = randomUUID();
    await mkdir(join(this.#root, upload), { mode: 0o700 });
    await syncFolder(this.#root);
    await this.#save(upload, { key, contentType, parts: [], head: null, tail: null, joining: false });
    return upload;
  }

  async put(name: MultipartName, part: MultipartPart, put: { body: ObjectBody } & UploadPartOptions): Promise<void> {
    const multipart = await this.#load(name);
    if (part === 'head' || part === 'tail') {
      const written = await this.#write(join(this.#root, name.upload, part), 0, put);
      await this.#save(name.upload, { ...multipart, [part]: written });
      return;
    }
    if (multipart.parts[part - 1]?.sha256 === put.sha256) return;
    if (part !== multipart.parts.length + 1)
      throw fail('VALIDATION', { message: 'The part is out of turn.', details: 'part' });
    const written = await this.#write(join(this.#root, name.upload, bodyName), bytesOf(multipart.parts), put);
    await this.#save(name.upload, { ...multipart, parts: [...multipart.parts, written] });
  }

  /** Joins everything in one file. @returns it with its description */
  async join(
    name: MultipartName,
    { parts, tail }: CompleteMultipartOptions,
  ): Promise<{ path: string; description: FileDescription }> {
    const multipart = await this.#load(name);
    const { head } = multipart;
    const tooShort = [head, ...multipart.parts].some((part) => part !== null && part.bytes < multipartPartBytesMin);
    if (
      head === null ||
      multipart.parts.length !== parts ||
      (multipart.tail !== null) !== tail ||
      (parts > 0 && tooShort)
    )
      throw fail('VALIDATION', { message: 'Parts of the object are missing or too short.', details: 'parts' });
    await this.#save(name.upload, { ...multipart, joining: true });
    const folder = join(this.#root, name.upload);
    const bodyBytes = bytesOf(multipart.parts);
    const path = await putTogether(folder, { headBytes: head.bytes, bodyBytes, hasTail: tail }, this.#insertRange);
    const { size, mtimeNs } = await stat(path, { bigint: true });
    if (Number(size) !== head.bytes + bodyBytes + (multipart.tail?.bytes ?? 0))
      throw new Error('A joined object has another length than its parts.');
    const description = {
      bytes: Number(size),
      modifiedAtNs: String(mtimeNs),
      contentType: multipart.contentType,
      sha256: null,
    };
    return { path, description };
  }

  /** No effect on an upload of another key. */
  async drop({ key, upload }: MultipartName): Promise<void> {
    if ((await this.#read(upload))?.key === key) await this.#remove(upload);
  }

  /** Aborts the uploads whose keys start with the prefix. */
  async dropBelow(prefix: string): Promise<void> {
    for (const upload of await readdir(this.#root))
      if ((await this.#read(upload))?.key.startsWith(prefix) === true) await this.#remove(upload);
  }

  /** Removes those that received nothing for `idleMs`. */
  async sweep(idleMs: number): Promise<number> {
    let removed = 0;
    for (const upload of await readdir(this.#root)) {
      const folder = join(this.#root, upload);
      const state = await stat(join(folder, stateName)).catch(() => stat(folder).catch(() => null));
      if (state === null || Date.now() - state.mtimeMs < idleMs) continue;
      await this.#remove(upload);
      removed += 1;
    }
    return removed;
  }

  async #load({ key, upload }: MultipartName): Promise<Multipart> {
    const multipart = await this.#read(upload);
    if (multipart === null || multipart.key !== key || multipart.joining)
      throw fail('OBJECT_NOT_FOUND', { message: 'There is no such upload any more.' });
    return multipart;
  }

  /** Null: it does not exist. */
  async #read(upload: string): Promise<Multipart | null> {
    if (!uploadName.test(upload)) return null;
    const text = await readFile(join(this.#root, upload, stateName), 'utf8').catch((error: unknown) => {
      if (isAbsent(error)) return null;
      throw error;
    });
    return text === null ? null : (JSON.parse(text) as Multipart);
  }

  async #remove(upload: string): Promise<void> {
    await rm(join(this.#root, upload), { recursive: true, force: true });
  }

  async #save(upload: string, multipart: Multipart): Promise<void> {
    const path = join(this.#root, upload, stateName);
    const file = await open(`${path}.part`, 'w', 0o600);
    try {
      await file.writeFile(JSON.stringify(multipart));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.part`, path);
  }

  /** Bytes of an earlier attempt after the start are overwritten. */
  async #write(path: string, start: number, put: { body: ObjectBody } & UploadPartOptions): Promise<Part> {
    const maxBytes = Math.min(put.maxBytes ?? multipartPartBytesMax, multipartPartBytesMax);
    const measured = measureBody(put.body, { sha256: put.sha256, maxBytes });
    const file = await openToWrite(path);
    try {
      await file.truncate(start);
      let at = start;
      for await (const chunk of measured.chunks) at = await writeAt(file, chunk, at);
      const sha256 = measured.digest();
      await file.sync();
      return { bytes: measured.bytes, sha256 };
    } finally {
      await file.close();
    }
  }
}

function bytesOf(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + part.bytes, 0);
}

async function openToWrite(path: string): Promise<FileHandle> {
  return await open(path, 'r+').catch(() => open(path, 'w+', 0o600));
}

async function writeAt(file: FileHandle, bytes: Uint8Array, start: number): Promise<number> {
  let at = 0;
  while (at < bytes.length) at += (await file.write(bytes, at, bytes.length - at, start + at)).bytesWritten;
  return start + at;
}

interface Chunks {
  readonly headBytes: number;
  readonly bodyBytes: number;
  readonly hasTail: boolean;
}

/**
 * Head, body and tail in one file. Some file systems (ext4, XFS) insert whole blocks at the front without moving the
 * rest; on others, and for other lengths, everything is copied once.
 * @returns its path
 */
async function putTogether(folder: string, chunks: Chunks, insertRange: InsertRange): Promise<string> {
  const { headBytes, bodyBytes, hasTail } = chunks;
  const body = join(folder, bodyName);
  const hasRoom = bodyBytes > 0 && (await madeRoom(body, headBytes, insertRange));
  const path = hasRoom ? body : join(folder, 'whole');
  const file = await openToWrite(path);
  try {
    // Bytes of an earlier attempt after the body are not part of it.
    await file.truncate(hasRoom ? headBytes + bodyBytes : 0);
    await copyInto(file, 0, createReadStream(join(folder, 'head')));
    if (!hasRoom && bodyBytes > 0) await copyInto(file, headBytes, createReadStream(body, { end: bodyBytes - 1 }));
    if (hasTail) await copyInto(file, headBytes + bodyBytes, createReadStream(join(folder, 'tail')));
    await file.sync();
  } finally {
    await file.close();
  }
  return path;
}

async function copyInto(file: FileHandle, start: number, content: AsyncIterable<unknown>): Promise<void> {
  let at = start;
  for await (const chunk of content) at = await writeAt(file, chunk as Buffer, at);
}

/** @throws Error when the position of the body's bytes is unknown: an interrupted insertion may have moved them */
async function madeRoom(path: string, bytes: number, insertRange: InsertRange): Promise<boolean> {
  const { size } = await stat(path);
  try {
    await insertRange(path, bytes);
    return true;
  } catch (error) {
    if ((await stat(path)).size !== size)
      throw new Error('Making room in front of an object was stopped when it had begun.', { cause: error });
    return false;
  }
}

async function fallocate(path: string, bytes: number): Promise<void> {
  await run('fallocate', ['--insert-range', '--offset', '0', '--length', String(bytes), path], {
    timeout: joinDeadlineMs,
  });
}

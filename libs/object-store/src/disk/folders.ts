import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, rename, rmdir } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fail } from '@rapporteur/failures';

/** The error codes of Node for a missing file. */
const absent = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);

export function errorCode(error: unknown): string {
  return (error as NodeJS.ErrnoException | undefined)?.code ?? '';
}

export function isAbsent(error: unknown): boolean {
  return absent.has(errorCode(error));
}

/** One tree of files below a root that never leaves it: a symbolic link anywhere below the root is not followed. */
export class FolderTree {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  static async open(root: string): Promise<FolderTree> {
    await mkdir(root, { recursive: true, mode: 0o700 });
    return new FolderTree(await realpath(root));
  }

  path(key: string): string {
    return join(this.root, ...key.split('/'));
  }

  /** Opens a file for reading; null when there is none, or only a folder, a link or a device. */
  async openFile(key: string): Promise<FileHandle | null> {
    if (!(await this.#isRealFolder(key.split('/').slice(0, -1)))) return null;
    try {
      const handle = await open(this.path(key), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      if ((await handle.stat()).isFile()) return handle;
      await handle.close();
      return null;
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }

  /** Creates the folders above a key. Throws VALIDATION when one of them is an object or a link. */
  async makeFoldersFor(key: string): Promise<void> {
    let folder = this.root;
    for (const segment of key.split('/').slice(0, -1)) {
      const parent = folder;
      folder = join(folder, segment);
      try {
        await mkdir(folder, { mode: 0o700 });
        await syncFolder(parent);
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error;
        if (!(await lstat(folder)).isDirectory()) throw refuseKey();
      }
    }
  }

  /** Moves a complete file into its place, replacing what is there, and makes that durable. */
  async moveIn(from: string, key: string): Promise<void> {
    try {
      await rename(from, this.path(key));
    } catch (error) {
      if (['EISDIR', 'ENOTEMPTY', 'EEXIST'].includes(errorCode(error))) throw refuseKey();
      throw error;
    }
    await syncFolder(dirname(this.path(key)));
  }

  /** Removes empty folders above a key. */
  async pruneFoldersOf(key: string): Promise<void> {
    const segments = key.split('/').slice(0, -1);
    for (; segments.length > 0; segments.pop()) {
      try {
        await rmdir(join(this.root, ...segments));
      } catch {
        return;
      }
    }
  }

  /** Files and folders in one folder, ordered by their keys' UTF-8 bytes. Links and devices are left out. */
  async entries(segments: readonly string[]): Promise<{ name: string; isFolder: boolean }[]> {
    if (!(await this.#isRealFolder(segments))) return [];
    const found = await readdir(join(this.root, ...segments), { withFileTypes: true }).catch((error: unknown) => {
      if (isAbsent(error)) return [];
      throw error;
    });
    return found
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
      .sort((a, b) => compareKeys(a.isFolder ? `${a.name}/` : a.name, b.isFolder ? `${b.name}/` : b.name));
  }

  /** Size of a file, or null when it was deleted in the meantime. */
  async bytesOf(key: string): Promise<number | null> {
    try {
      const file = await lstat(this.path(key));
      return file.isFile() ? file.size : null;
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }

  async #isRealFolder(segments: readonly string[]): Promise<boolean> {
    let folder = this.root;
    try {
      for (const segment of segments) {
        folder = join(folder, segment);
        if (!(await lstat(folder)).isDirectory()) return false;
      }
      return true;
    } catch (error) {
      if (isAbsent(error)) return false;
      throw error;
    }
  }
}

export function compareKeys(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function refuseKey(): Error {
  return fail('VALIDATION', {
    message: 'The object key is not allowed: it would be a folder of another object, or the other way round.',
    details: 'key',
  });
}

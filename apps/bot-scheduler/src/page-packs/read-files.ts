import { open, readdir, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { PagePackRefusal } from './refusal.ts';

/** Of a whole document, which may hold the overlays of several platforms. */
export const largestDocumentBytes = 1024 * 1024;
const mostFiles = 32;

/**
 * The documents of a JSON file, or of the `.json` files of a folder (a mounted ConfigMap). Throws PagePackRefusal.
 */
export async function readPagePackFiles(path: string): Promise<string[]> {
  try {
    const files = (await stat(path)).isDirectory() ? await filesIn(path) : [path];
    return await Promise.all(files.map(readBounded));
  } catch (error) {
    if (error instanceof PagePackRefusal) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new PagePackRefusal('unreachable', `The page packs at ${path} cannot be read (${code}).`, error);
  }
}

async function filesIn(folder: string): Promise<string[]> {
  // A mounted ConfigMap also has hidden folders with its versions.
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json') && !name.startsWith('.')).sort();
  if (names.length > mostFiles)
    throw new PagePackRefusal('invalid', `${folder} holds ${names.length} page packs; at most ${mostFiles} are read.`);
  return names.map((name) => join(folder, name));
}

async function readBounded(path: string): Promise<string> {
  const file = await open(path);
  try {
    const bytes = await readUpTo(file, largestDocumentBytes + 1);
    if (bytes.length > largestDocumentBytes)
      throw new PagePackRefusal('invalid', `${path} is larger than ${largestDocumentBytes} bytes.`);
    return bytes.toString('utf8');
  } finally {
    await file.close();
  }
}

async function readUpTo(file: FileHandle, most: number): Promise<Buffer> {
  const buffer = Buffer.alloc(most);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, length, most - length, length);
    length += bytesRead;
    if (bytesRead === 0 || length === most) return buffer.subarray(0, length);
  }
}

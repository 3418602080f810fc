import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

/** Files by content hash below one folder; the least recently used are removed above the limit. */
export type MediaCache = {
  read(name: string): Promise<Buffer | null>;
  /** Atomic: a reader never gets a partial file. */
  write(name: string, content: Buffer): Promise<void>;
};

/** Others may be writing here now; an older draft was abandoned. */
const LONGEST_WRITING_MS = 10 * 60_000;

export const LARGEST_CACHE_BYTES = 512 * 1024 * 1024;

/** Opens the folder (made when missing) and removes the oldest files above `largestBytes`. */
export async function openMediaCache(folder: string, largestBytes = LARGEST_CACHE_BYTES): Promise<MediaCache> {
  await mkdir(folder, { recursive: true });
  await removeOldest(folder, largestBytes);
  return {
    async read(name) {
      const path = join(folder, name);
      try {
        const content = await readFile(path);
        const now = new Date();
        await utimes(path, now, now);
        return content;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    async write(name, content) {
      const draft = join(folder, `${name}.${randomUUID()}.draft`);
      await writeFile(draft, content);
      await rename(draft, join(folder, name));
    },
  };
}

async function removeOldest(folder: string, largestBytes: number): Promise<void> {
  const files = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const path = join(folder, name);
      const { size, mtimeMs } = await stat(path);
      return { path, size, mtimeMs };
    }),
  );
  let total = files.reduce((sum, file) => sum + file.size, 0);
  for (const file of files.sort((one, other) => one.mtimeMs - other.mtimeMs)) {
    const forgotten = file.path.endsWith('.draft') && Date.now() - file.mtimeMs > LONGEST_WRITING_MS;
    if (total <= largestBytes && !forgotten) continue;
    await rm(file.path, { force: true });
    total -= file.size;
  }
}

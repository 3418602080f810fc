import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

/** Distinguishes this process from an earlier one with the same PID, as in containers, where it is always 1. */
const processMark = randomUUID().slice(0, 8);

function newPath(folder: string): string {
  return join(folder, `${process.pid}-${processMark}-${randomUUID()}`);
}

/** True when the process that was writing this file has ended, so the file stays unfinished. */
export function isUnfinishedStray(name: string): boolean {
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

export interface IncomingFile {
  readonly path: string;
  readonly mtimeNs: bigint;
}

/** Writes a body to a new file and flushes it. `onPath` gets the path first, to remove it on a failure. */
export async function writeIncoming(
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

export async function writeSmallIncoming(folder: string, text: string): Promise<string> {
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

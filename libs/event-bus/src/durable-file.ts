import * as nodeFiles from 'node:fs';
import { dirname } from 'node:path';

type Files = Pick<
  typeof nodeFiles,
  'chmodSync' | 'closeSync' | 'fsyncSync' | 'openSync' | 'renameSync' | 'writeFileSync'
>;

/**
 * Replaces a file that only this user can read, atomically. After a loss of power it has this text: rows that were
 * sealed with a key, and flushed, are not readable without it.
 */
export function writeDurably(file: string, text: string, files: Files = nodeFiles): void {
  const unfinished = `${file}.unfinished`;
  files.writeFileSync(unfinished, text, { mode: 0o600, flush: true });
  files.chmodSync(unfinished, 0o600);
  renameDurably(unfinished, file, files);
}

/** Renames within one folder, and flushes the folder. */
export function renameDurably(from: string, to: string, files: Files = nodeFiles): void {
  files.renameSync(from, to);
  const folder = files.openSync(dirname(to), 'r');
  try {
    files.fsyncSync(folder);
  } finally {
    files.closeSync(folder);
  }
}

import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** The stored record of a run, by which a restarted scheduler finds it. */
const runRecord = z.object({
  name: z.string(),
  botId: z.string(),
  attempt: z.int(),
  workFolder: z.string(),
  logFile: z.string(),
  /** Null until the process has started. */
  process: z.object({ pid: z.int(), startTicks: z.string() }).nullable(),
  exit: z
    .object({
      exitCode: z.int().nullable(),
      signal: z.string().nullable(),
      outOfMemory: z.boolean(),
      atMs: z.number(),
    })
    .nullable(),
});
export type RunRecord = z.infer<typeof runRecord>;

/** One small file per run in its own folder. */
export interface RunRecords {
  readonly folder: string;
  /** Missing when the folder was removed: the next record creates it. */
  list(): RunRecord[];
  find(name: string): RunRecord | null;
  write(record: RunRecord): void;
  remove(name: string): void;
}

const namePattern = /^[\w-]{1,120}$/;

export function openRunRecords(folder: string): RunRecords {
  mkdirSync(folder, { recursive: true });
  const fileOf = (name: string): string => {
    if (!namePattern.test(name)) throw new Error(`A run cannot be called ${JSON.stringify(name)}.`);
    return join(folder, `${name}.run.json`);
  };
  const read = (name: string): RunRecord | null => {
    try {
      return runRecord.parse(JSON.parse(readFileSync(fileOf(name), 'utf8')));
    } catch {
      return null;
    }
  };
  return {
    folder,
    list: () =>
      namesIn(folder)
        .filter((file) => file.endsWith('.run.json'))
        .map((file) => read(file.slice(0, -'.run.json'.length)))
        .filter((record) => record !== null),
    find: read,
    write: (record) => {
      mkdirSync(folder, { recursive: true });
      writeWhole(fileOf(record.name), JSON.stringify(record));
    },
    remove: (name) => rmSync(fileOf(name), { force: true }),
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** A reader, also after a crash, gets the old or the new text. */
function writeWhole(file: string, text: string): void {
  const draft = `${file}.draft`;
  const descriptor = openSync(draft, 'w', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, file);
}

import { appendFile } from 'node:fs/promises';
import type { RunnerReport } from '@rapporteur/contracts';

/** Keeps reports on the disk, one JSON line each, for an operator after a crash. */
export interface ReportSpool {
  append(report: RunnerReport): void;
  /** Resolves when all lines are on disk. */
  flush(): Promise<void>;
}

export function createFileSpool(path: string, onError: (error: unknown) => void): ReportSpool {
  let writing: Promise<void> = Promise.resolve();
  return {
    append: (report) => {
      writing = writing.then(() => appendFile(path, `${JSON.stringify(report)}\n`, { mode: 0o600 })).catch(onError);
    },
    flush: () => writing,
  };
}

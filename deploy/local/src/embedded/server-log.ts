import { closeSync, existsSync, openSync, readFileSync, statSync } from 'node:fs';
import { keepLogSmall, rotateLog } from '../log-limit.ts';
import type { LogLimit } from '../log-limit.ts';

/** The part of a logger that the embedded servers use; service-runtime's Logger fits. */
export interface ServerLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export const quietLogger: ServerLogger = { info: () => undefined, warn: () => undefined };

const usualLimit: LogLimit = { largestBytes: 10 * 1024 * 1024, pollIntervalMs: 10_000 };
const linesInAnError = 12;

/** The output of a server, in a file: unlike a pipe it survives when this process is killed. */
export class ServerLog {
  readonly file: string;
  readonly #limit: LogLimit;
  #startsAt = 0;

  constructor(file: string, limit: LogLimit = usualLimit) {
    this.file = file;
    this.#limit = limit;
  }

  /**
   * Opens the file for one run of the server and stores the offset of that run's lines. Close the returned descriptor.
   */
  open(): number {
    rotateLog(this.file, this.#limit);
    const descriptor = openSync(this.file, 'a', 0o600);
    this.#startsAt = statSync(this.file).size;
    return descriptor;
  }

  close(descriptor: number): void {
    closeSync(descriptor);
  }

  /** For one run. Returns a function that stops it. */
  keepSmall(): () => void {
    return keepLogSmall(this.file, this.#limit, () => (this.#startsAt = 0));
  }

  /** The last lines of this run, for an error message. */
  lastLines(): string {
    if (!existsSync(this.file)) return '(it wrote nothing)';
    const text = readFileSync(this.file).subarray(this.#startsAt).toString('utf8').trim();
    return text === '' ? '(it wrote nothing)' : text.split('\n').slice(-linesInAnError).join('\n');
  }
}

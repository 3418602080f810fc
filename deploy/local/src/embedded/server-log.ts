import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';

/** The part of a logger that the embedded servers use; service-runtime's Logger fits. */
export interface ServerLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export const quietLogger: ServerLogger = { info: () => undefined, warn: () => undefined };

const largestLogBytes = 10 * 1024 * 1024;
const linesInAnError = 12;

/** What a server writes, kept in a file: it outlives us when we are killed, and a pipe would not. */
export class ServerLog {
  readonly file: string;
  #startsAt = 0;

  constructor(file: string) {
    this.file = file;
  }

  /** Opens the file for one run of the server and remembers where that run's lines begin. Close the number given. */
  open(): number {
    if (existsSync(this.file) && statSync(this.file).size > largestLogBytes) {
      renameSync(this.file, `${this.file}.previous`);
    }
    const descriptor = openSync(this.file, 'a', 0o600);
    this.#startsAt = statSync(this.file).size;
    return descriptor;
  }

  close(descriptor: number): void {
    closeSync(descriptor);
  }

  /** The last lines of this run, for an error a person reads. */
  lastLines(): string {
    if (!existsSync(this.file)) return '(it wrote nothing)';
    const text = readFileSync(this.file).subarray(this.#startsAt).toString('utf8').trim();
    return text === '' ? '(it wrote nothing)' : text.split('\n').slice(-linesInAnError).join('\n');
  }
}

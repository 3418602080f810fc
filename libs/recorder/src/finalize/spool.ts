import { open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { ByteSpan } from '@rapporteur/media-container';

/** A file for bytes until they are part of an artifact. */
export class Spool {
  readonly #path: string;
  readonly #file: FileHandle;
  #bytes = 0;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  static async open(path: string): Promise<Spool> {
    return new Spool(path, await open(path, 'w', 0o600));
  }

  async keep(parts: readonly Buffer[]): Promise<Extract<ByteSpan, { path: string }>> {
    const bytes = Buffer.concat(parts);
    const start = this.#bytes;
    for (let at = 0; at < bytes.length;) {
      at += (await this.#file.write(bytes, at, bytes.length - at, start + at)).bytesWritten;
    }
    this.#bytes += bytes.length;
    return { path: this.#path, start, length: bytes.length };
  }

  async close(): Promise<void> {
    await this.#file.close();
    await rm(this.#path, { force: true });
  }
}

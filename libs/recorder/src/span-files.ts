import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { ByteSpan } from '@rapporteur/media-container';

const readAtOnce = 1_048_576;

/** The bytes of spans one after the other, a megabyte at most at once. @throws Error when a file is shorter than its span */
export async function* readSpans(spans: readonly ByteSpan[]): AsyncGenerator<Buffer> {
  const opened: { path: string | null; file: FileHandle | null } = { path: null, file: null };
  try {
    for (const span of spans) {
      if ('bytes' in span) {
        yield span.bytes;
        continue;
      }
      if (opened.file === null || opened.path !== span.path) {
        await opened.file?.close();
        opened.file = null;
        opened.file = await open(span.path, 'r');
        opened.path = span.path;
      }
      yield* readRange(opened.file, span.start, span.length);
    }
  } finally {
    await opened.file?.close();
  }
}

async function* readRange(file: FileHandle, start: number, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < length;) {
    const wanted = Math.min(readAtOnce, length - at);
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, start + at);
    if (bytesRead === 0) throw new Error('A fragment of the recording is shorter than it was.');
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/**
 * Writes spans into a file, which gets its name only when it is complete. Others may write the same one concurrently.
 */
export async function writeSpans(path: string, spans: readonly ByteSpan[]): Promise<void> {
  const part = `${path}.${randomUUID()}.part`;
  const file = await open(part, 'w', 0o600);
  try {
    for await (const bytes of readSpans(spans)) await file.appendFile(bytes);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  await rename(part, path);
}

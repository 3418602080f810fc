import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

/** Bytes of a file that is made of others: from a file on the disk, or given. */
export type ByteSpan =
  | { readonly path: string; readonly start: number; readonly length: number }
  | { readonly bytes: Buffer };

export function spanLength(span: ByteSpan): number {
  return 'bytes' in span ? span.bytes.length : span.length;
}

export function spansLength(spans: readonly ByteSpan[]): number {
  return spans.reduce((sum, span) => sum + spanLength(span), 0);
}

/** The first bytes of spans, and the rest. */
export function splitSpans(spans: readonly ByteSpan[], length: number): { first: ByteSpan[]; rest: ByteSpan[] } {
  const first: ByteSpan[] = [];
  const rest: ByteSpan[] = [];
  let left = length;
  for (const span of spans) {
    const taken = Math.min(left, spanLength(span));
    if (taken > 0) first.push(partOf(span, 0, taken));
    if (taken < spanLength(span)) rest.push(partOf(span, taken, spanLength(span)));
    left -= taken;
  }
  return { first, rest };
}

function partOf(span: ByteSpan, from: number, to: number): ByteSpan {
  if ('bytes' in span) return { bytes: span.bytes.subarray(from, to) };
  return { path: span.path, start: span.start + from, length: to - from };
}

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

/** Writes spans into a file, which is there under its name only when it is whole. Others may write the same one meanwhile. */
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

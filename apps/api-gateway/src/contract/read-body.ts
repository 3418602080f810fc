import { isUtf8 } from 'node:buffer';
import type { Request } from 'express';
import { fail } from '@rapporteur/failures';
import { parseJson } from './json-text.ts';

const jsonType = /^application\/json\s*(?:;|$)/i;
const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i;

/** Neither a body nor a content type. */
function isAbsent({ headers }: Request): boolean {
  return headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0';
}

/**
 * The JSON body of a request, or undefined when it has none. Throws UNSUPPORTED_MEDIA_TYPE for anything but JSON in
 * UTF-8, BODY_TOO_LARGE above the limit, VALIDATION for invalid JSON or an incomplete body.
 */
export async function readBody(
  request: Request,
  { limitBytes, itemByItem = false }: { readonly limitBytes: number; readonly itemByItem?: boolean },
): Promise<unknown> {
  const type = request.headers['content-type'];
  if (isAbsent(request) && type === undefined) return undefined;
  if (type === undefined || !jsonType.test(type)) throw fail('UNSUPPORTED_MEDIA_TYPE');
  if (!/^utf-?8$/i.test(charset.exec(type)?.[1] ?? 'utf-8')) {
    throw fail('UNSUPPORTED_MEDIA_TYPE', { message: 'Send the body as application/json in UTF-8.' });
  }
  if (!/^identity$/i.test(request.headers['content-encoding'] ?? 'identity')) {
    throw fail('UNSUPPORTED_MEDIA_TYPE', { message: 'Send the body without a content-encoding.' });
  }
  if (isAbsent(request)) return undefined;
  return parseJson(await bytesOf(request, limitBytes), isUtf8, itemByItem);
}

async function bytesOf(request: Request, limitBytes: number): Promise<Buffer> {
  const tooLarge = () =>
    fail('BODY_TOO_LARGE', { details: `At most ${limitBytes} bytes (${limitBytes / (1024 * 1024)} MiB) fit.` });
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const give = () => resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    const cut = () => {
      if (!request.complete) reject(fail('VALIDATION', { message: 'The body did not arrive whole.' }));
    };
    request.on('data', (chunk: Buffer) => {
      length += chunk.byteLength;
      if (length <= limitBytes) return void chunks.push(chunk);
      // The rest of the body is read and discarded: closing the socket would lose the response.
      chunks.length = 0;
      reject(tooLarge());
    });
    request.once('end', give);
    request.once('error', cut);
    request.once('close', cut);
  });
}

import { isUtf8 } from 'node:buffer';
import type { Request } from 'express';
import { mapInSlices } from '@rapporteur/async';
import type { BatchRequest } from '@rapporteur/contracts';
import type { PublicOperation } from '@rapporteur/contracts/public-api';
import { fail } from '@rapporteur/failures';
import { UnusableItem, parseItems, parseJson } from './json-text.ts';
import type { OpenApiCheck } from './openapi-check.ts';

const jsonType = /^application\/json\s*(?:;|$)/i;
const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i;

/** Larger bodies are checked up to the first problem: finding all of them is too expensive. */
const thoroughBytes = 64 * 1024;

/** False for a chunked body, whose length is unknown. */
export function isSmall({ headers }: Request): boolean {
  return headers['content-length'] !== undefined && Number(headers['content-length']) <= thoroughBytes;
}

/**
 * The request body as received: null for an optional body that was omitted, undefined where the operation reads none.
 */
export async function givenBody(operation: PublicOperation, request: Request): Promise<unknown> {
  if (operation.body === 'none') return undefined;
  const given = await readBody(request, {
    limitBytes: operation.bodyLimitBytes,
    itemByItem: operation.itemSchema !== null,
  });
  if (given === undefined && operation.body === 'required') {
    throw fail('VALIDATION', { message: 'body: is required: send it as application/json' });
  }
  cleanAddresses(given);
  return given ?? null;
}

const deepestAddress = 8;
const longestAddress = 8_192;

/**
 * Changes the members `url` and `…_url` to the address that is meant: without blanks around it, and with an
 * international host in its ASCII form. `extra` is the customer's own.
 */
function cleanAddresses(value: unknown, depth = deepestAddress): void {
  if (typeof value !== 'object' || value === null || depth === 0) return;
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    if (typeof member === 'string' && /(?:^|_)url$/.test(name)) Object.assign(value, { [name]: cleanAddress(member) });
    else if (name !== 'extra') cleanAddresses(member, depth - 1);
  }
}

function cleanAddress(text: string): string {
  const address = text.trim();
  const isInternational = address.length <= longestAddress && /^https?:\/\/[^/?#]*[^\0-\x7f]/i.test(address);
  return isInternational && URL.canParse(address) ? new URL(address).href : address;
}

/** Every item of a batch, with its defaults or with its problem. */
export async function checkItems(
  items: readonly unknown[],
  check: OpenApiCheck,
  thorough: boolean,
): Promise<BatchRequest> {
  const checked = await mapInSlices(items, async (body, index): Promise<BatchRequest['items'][number]> => {
    const message = body instanceof UnusableItem ? body.problem : (await check({ path: '/', body }, thorough)).problem;
    return message === null
      ? { index, body: body as Record<string, unknown> }
      : { index, error: { code: 'VALIDATION_ERROR', message, details: null } };
  });
  return { items: checked };
}

/** Neither a body nor a content type. */
function isAbsent({ headers }: Request): boolean {
  return headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0';
}

/**
 * The JSON body of a request, or undefined when it has none. Throws UNSUPPORTED_MEDIA_TYPE for anything but JSON in
 * UTF-8, BODY_TOO_LARGE above the limit, VALIDATION for invalid JSON or an incomplete body.
 */
async function readBody(
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
  const bytes = await bytesOf(request, limitBytes);
  return itemByItem ? parseItems(bytes, isUtf8) : parseJson(bytes, isUtf8);
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
      if (!request.complete) reject(fail('VALIDATION', { message: 'The body is incomplete.' }));
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

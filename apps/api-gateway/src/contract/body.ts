import type { Request } from 'express';
import type { BatchRequest } from '@rapporteur/contracts';
import type { PublicOperation } from '@rapporteur/contracts/public-api';
import { fail } from '@rapporteur/failures';
import { UnusableItem } from './json-text.ts';
import type { OpenApiCheck } from './openapi-check.ts';
import { readBody } from './read-body.ts';

/** Naming every problem of a larger body costs more than it helps its sender: then only the first is named. */
const thoroughBytes = 64 * 1024;

/** Unknown for a body that comes in chunks, which is then taken for large. */
export function isSmall({ headers }: Request): boolean {
  return headers['content-length'] !== undefined && Number(headers['content-length']) <= thoroughBytes;
}

/** The body of one operation's request as it came: null for an optional one that was left out, undefined where none is read. */
export async function givenBody(operation: PublicOperation, request: Request): Promise<unknown> {
  if (operation.body === 'none') return undefined;
  const given = await readBody(request, {
    limitBytes: operation.bodyLimitBytes,
    itemByItem: operation.itemSchema !== null,
  });
  if (given === undefined && operation.body === 'required') {
    throw fail('VALIDATION', { message: 'body is required: send it as application/json' });
  }
  return given ?? null;
}

/** Every item of a batch, as it fits or with what is wrong with it. */
export async function checkItems(
  items: readonly unknown[],
  check: OpenApiCheck,
  thorough: boolean,
): Promise<BatchRequest> {
  const checked: BatchRequest['items'] = [];
  for (const [index, body] of items.entries()) {
    const message =
      body instanceof UnusableItem
        ? body.problem
        : (await check({ path: '/', body, place: `body/${index}` }, thorough)).problem;
    checked.push(
      message === null
        ? { index, body: body as Record<string, unknown> }
        : { index, error: { code: 'VALIDATION_ERROR', message, details: null } },
    );
  }
  return { items: checked };
}

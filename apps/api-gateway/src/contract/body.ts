import type { Request } from 'express';
import type { BatchRequest } from '@rapporteur/contracts';
import type { PublicOperation } from '@rapporteur/contracts/public-api';
import { fail } from '@rapporteur/failures';
import { UnusableItem } from './json-text.ts';
import type { OpenApiCheck } from './openapi-check.ts';
import { readBody } from './read-body.ts';

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
    throw fail('VALIDATION', { message: 'body is required: send it as application/json' });
  }
  return given ?? null;
}

/** Every item of a batch, with its defaults or with its problem. */
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

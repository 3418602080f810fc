import document from './generated/public.v2.json' with { type: 'json' };
import { operationsOf } from './read-operations.ts';
import type { PublicOperation } from './read-operations.ts';

export { operationOwners, withClosedResponses } from './read-operations.ts';
export type { OperationOwner, PublicOperation } from './read-operations.ts';
export type { components, operations, paths } from './generated/public.v2.ts';

/** The public API as one OpenAPI 3.1 document, bundled from `openapi/public.v2`. Never changed: take a copy. */
export const publicDocument: unknown = document;

/** Every operation of the public API, or of a copy of its document: see `operationsOf`. */
export function publicOperations(source: unknown = document): PublicOperation[] {
  return operationsOf(source);
}

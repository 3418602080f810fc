import { z } from 'zod';
import document from './generated/public.v2.json' with { type: 'json' };

export type { components, operations, paths } from './generated/public.v2.ts';

/** The services that operations of the public API are forwarded to. */
export const operationOwners = ['bot-scheduler', 'delivery'] as const;
export type OperationOwner = (typeof operationOwners)[number];

/** One operation of the public API, as far as routing needs to know it. */
export interface PublicOperation {
  readonly id: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** With `{name}` for parameters, as in the document. */
  readonly path: string;
  readonly owner: OperationOwner;
  /** The least a key needs: `sending` admits both kinds of key. */
  readonly permission: 'full' | 'sending';
  readonly takesBody: boolean;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
const operation = z.object({
  operationId: z.string(),
  'x-owner': z.enum(operationOwners),
  'x-permission': z.enum(['full', 'sending']),
  requestBody: z.unknown().optional(),
});
const pathItems = z.record(z.string(), z.partialRecord(z.enum([...methods, 'parameters']), z.unknown()));

/** The public API as one OpenAPI 3.1 document, bundled from `openapi/public.v2`. Never changed: take a copy. */
export const publicDocument: unknown = document;

/** Every operation of the document, fixed paths before those with parameters. Throws when one lacks owner or permission. */
export function publicOperations(source: unknown = document): PublicOperation[] {
  const { paths } = z.object({ paths: pathItems }).parse(source);
  const found = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method): PublicOperation[] => {
      if (item[method] === undefined) return [];
      const { operationId, requestBody, ...extensions } = operation.parse(item[method]);
      return [
        {
          id: operationId,
          method,
          path,
          owner: extensions['x-owner'],
          permission: extensions['x-permission'],
          takesBody: requestBody !== undefined,
        },
      ];
    }),
  );
  return found.sort((left, right) => parametersIn(left.path) - parametersIn(right.path));
}

function parametersIn(path: string): number {
  return path.split('{').length - 1;
}

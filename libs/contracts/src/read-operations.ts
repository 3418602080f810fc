import { z } from 'zod';

type Json = Record<string, unknown>;

/** A schema after a condition adds a rule to an object that is defined elsewhere. */
const conditionalMembers: ReadonlySet<string> = new Set(['if', 'then', 'else', 'not', 'dependentSchemas']);
const valueMembers: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'const', 'enum']);

/**
 * A copy of a public document in which responses have no members other than those listed: what this version sends.
 * Clients get the document without that rule, because a later version may send more. Objects with free members stay
 * open.
 */
export function withClosedResponses(document: unknown): unknown {
  if (Array.isArray(document)) return document.map(withClosedResponses);
  if (typeof document !== 'object' || document === null) return document;
  const { properties, additionalProperties, type } = document as Json;
  const isNamed = [type].flat().includes('object') && properties !== undefined && additionalProperties === undefined;
  return {
    ...Object.fromEntries(
      Object.entries(document).map(([member, inner]) => [
        member,
        valueMembers.has(member) || conditionalMembers.has(member) ? inner : withClosedResponses(inner),
      ]),
    ),
    ...(isNamed ? { additionalProperties: false } : {}),
  };
}

/** The owners of operations; all but the gateway's own are forwarded to them. */
export const operationOwners = [
  'api-gateway',
  'bot-scheduler',
  'calendar-sync',
  'delivery',
  'sso-idp',
  'storage-config',
] as const;
export type OperationOwner = (typeof operationOwners)[number];

/** The facts of one public operation that routing needs. */
export interface PublicOperation {
  readonly id: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** With `{name}` for parameters, as in the document. */
  readonly path: string;
  readonly owner: OperationOwner;
  /** Lowest permission of a key: `sending` admits both kinds of key. */
  readonly permission: 'full' | 'sending';
  /** Lowest role of a console user; null: none may call it. */
  readonly role: 'viewer' | 'member' | 'admin' | null;
  /** True when a body is read, whether required or not. */
  readonly takesBody: boolean;
  /** `optional`: the request may have none, and its schema admits null for that. */
  readonly body: 'none' | 'optional' | 'required';
  readonly bodyLimitBytes: number;
  /**
   * Name of the component schema that each item of the body's list is validated with, one by one: an invalid item is an
   * error of its own (see `batchRequest`). Null for a body that is accepted or refused as a whole.
   */
  readonly itemSchema: string | null;
  /** True when the operation honours the header `Idempotency-Key`. */
  readonly idempotent: boolean;
  /** Member of `data` that only the first response holds: it is null in a replay under an Idempotency-Key. */
  readonly shownOnce: string | null;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
const bytesPerMib = 1024 * 1024;

const reference = z.object({ $ref: z.string() });
const parameter = z.object({ name: z.string(), in: z.string() });
const operation = z.object({
  operationId: z.string(),
  'x-owner': z.enum(operationOwners),
  'x-permission': z.enum(['full', 'sending']),
  'x-role': z.enum(['viewer', 'member', 'admin']).nullable().default(null),
  'x-body-limit-mib': z.number().positive().default(1),
  'x-item-schema': z.string().nullable().default(null),
  'x-shown-once': z.string().nullable().default(null),
  parameters: z.array(z.unknown()).default([]),
  requestBody: z.object({ required: z.boolean().default(false) }).optional(),
});
const pathItems = z.record(z.string(), z.partialRecord(z.enum([...methods, 'parameters']), z.unknown()));

/**
 * Every operation of a document, fixed paths before those with parameters. Throws when one lacks owner or permission.
 */
export function operationsOf(source: unknown): PublicOperation[] {
  const { paths } = z.object({ paths: pathItems }).parse(source);
  const found = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method): PublicOperation[] =>
      item[method] === undefined ? [] : [{ method, path, ...readOperation(source, item[method]) }],
    ),
  );
  return found.sort((left, right) => parametersIn(left.path) - parametersIn(right.path));
}

function readOperation(source: unknown, written: unknown): Omit<PublicOperation, 'method' | 'path'> {
  const { operationId, requestBody: body, parameters, ...extensions } = operation.parse(written);
  const headers = parameters.map((one) => parameter.parse(follow(source, one))).filter((one) => one.in === 'header');
  return {
    id: operationId,
    owner: extensions['x-owner'],
    permission: extensions['x-permission'],
    role: extensions['x-role'],
    takesBody: body !== undefined,
    body: body === undefined ? 'none' : body.required ? 'required' : 'optional',
    bodyLimitBytes: extensions['x-body-limit-mib'] * bytesPerMib,
    itemSchema: extensions['x-item-schema'],
    idempotent: headers.some(({ name }) => name.toLowerCase() === 'idempotency-key'),
    shownOnce: extensions['x-shown-once'],
  };
}

/** The target of `#/a/b` inside a document, across several references; any other value as it is. */
export function follow(source: unknown, value: unknown): unknown {
  const found = reference.safeParse(value);
  if (!found.success) return value;
  const names = found.data.$ref
    .replace(/^#\//, '')
    .split('/')
    .map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'));
  const place = names.reduce<unknown>((object, name) => z.record(z.string(), z.unknown()).parse(object)[name], source);
  return follow(source, place);
}

function parametersIn(path: string): number {
  return path.split('{').length - 1;
}

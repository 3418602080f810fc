import type { Request } from 'express';
import type { BatchRequest } from '@rapporteur/contracts';
import type { PublicOperation } from '@rapporteur/contracts/public-api';
import { fail } from '@rapporteur/failures';
import type { Check, Compiler } from './compiled.ts';
import { componentSchema } from './document.ts';
import type { Schema } from './document.ts';
import { UnusableItem } from './json-text.ts';
import { readBody } from './read-body.ts';

/** Naming every problem of a larger body costs more than it helps its sender: then only the first is named. */
const thoroughBytes = 64 * 1024;

/** Reads, checks and completes the body of one operation's requests. */
export type BodyReader = (request: Request) => Promise<unknown>;

export function bodyReader(operation: PublicOperation, schema: Schema | null, compiler: Compiler): BodyReader {
  if (schema === null) return () => Promise.resolve(undefined);
  const checked =
    operation.itemSchema === null ? wholeOf(schema, compiler) : listOf(schema, operation.itemSchema, compiler);
  return async (request) => {
    const given = await readBody(request, {
      limitBytes: operation.bodyLimitBytes,
      itemByItem: operation.itemSchema !== null,
    });
    if (given === undefined && operation.body === 'required') {
      throw fail('VALIDATION', { message: 'body is required: send it as application/json' });
    }
    return checked(given === undefined ? null : given, sizeOf(request) <= thoroughBytes);
  };
}

/** Gives the value to hand on. */
type Checked = (value: unknown, thorough: boolean) => unknown;

function wholeOf(schema: Schema, compiler: Compiler): Checked {
  const check = pairOf(schema, compiler);
  return (value, thorough) => {
    const problem = check(thorough)(value, 'body');
    if (problem !== null) throw fail('VALIDATION', { message: problem });
    return value;
  };
}

/** The list as such is taken or refused; every item of it passes or carries what is wrong with it. */
function listOf({ items: _items, ...list }: Schema, itemName: string, compiler: Compiler): Checked {
  const checkList = pairOf(list, compiler);
  const checkItem = pairOf(componentSchema(itemName), compiler);
  return (value, thorough): BatchRequest => {
    const problem = checkList(thorough)(value, 'body');
    if (problem !== null) throw fail('VALIDATION', { message: problem });
    return {
      items: (value as (Record<string, unknown> | UnusableItem)[]).map((body, index) => {
        const message = body instanceof UnusableItem ? body.problem : checkItem(thorough)(body, `body/${index}`);
        return message === null && !(body instanceof UnusableItem)
          ? { index, body }
          : { index, error: { code: 'VALIDATION_ERROR', message: message ?? '', details: null } };
      }),
    };
  };
}

function pairOf(schema: Schema, compiler: Compiler): (thorough: boolean) => Check {
  const [all, first] = [compiler.compile(schema), compiler.compile(schema, false)];
  return (thorough) => (thorough ? all : first);
}

/** Unknown for a body that comes in chunks, which is then taken for large. */
function sizeOf({ headers }: Request): number {
  return headers['content-length'] === undefined ? Infinity : Number(headers['content-length']);
}

import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { parseDateTime } from '@rapporteur/service-runtime';
import { documentName } from './document.ts';
import type { Schema } from './document.ts';
import { sentenceOf } from './problems.ts';

/** Fills defaults into the value and says what does not fit, every field by name; null when all of it does. */
export type Check = (value: unknown, place: string) => string | null;

export interface Compiler {
  /**
   * The schema is compiled when the first value is checked, which throws when it cannot be used: compiling all of them
   * takes longer than the rest of a start. `thorough` names every problem, not only the first.
   */
  compile(schema: Schema, thorough?: boolean): Check;
}

/** Compiles schemas of one document, kept to what its references need. */
export function createCompiler(document: Schema): Compiler {
  const [all, first] = [newAjv(document, true), newAjv(document, false)];
  return {
    compile: (schema, thorough = true) => {
      let validate: ValidateFunction | undefined;
      return (value, place) => {
        validate ??= (thorough ? all : first).compile(schema);
        if (validate(value)) return null;
        return sentenceOf((validate.errors ?? []) as ErrorObject[], place);
      };
    },
  };
}

function newAjv(document: Schema, allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    useDefaults: true,
    discriminator: true,
    // Documents carry members of OpenAPI and of this house that JSON Schema does not know.
    strict: false,
    formats: { ...fullFormats, ...integerFormats, 'date-time': isDateTime },
    validateSchema: false,
    logger: false,
  });
  ajv.addKeyword({
    keyword: 'x-max-json-bytes',
    schemaType: 'number',
    errors: false,
    validate: (limit: number, value: unknown) => value === null || Buffer.byteLength(JSON.stringify(value)) <= limit,
    error: { message: ({ schemaValue }) => `must NOT be longer than ${String(schemaValue)} bytes as JSON` },
  });
  ajv.addSchema(document, documentName);
  return ajv;
}

const isDateTime = (text: string): boolean => parseDateTime(text) !== null;
const uint = (most: number) => ({
  type: 'number' as const,
  validate: (value: number) => Number.isInteger(value) && value >= 0 && value <= most,
});
const integerFormats = { uint32: uint(2 ** 32 - 1), uint64: uint(Number.MAX_SAFE_INTEGER) };

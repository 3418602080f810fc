import { fail } from '@rapporteur/failures';
import type { Check, Compiler } from './compiled.ts';
import type { Parameter } from './document.ts';
import { readQuery } from './query.ts';

export type ParameterValue = string | number | boolean;
export type ParameterValues = Readonly<Record<string, ParameterValue>>;

const plainNumber = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/** A text turned into what its schema speaks of; what is no number stays text and fails there. */
const readers: Readonly<Record<Parameter['kind'], (text: string) => ParameterValue>> = {
  text: (text) => text,
  number: (text) => (plainNumber.test(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
};

export interface GivenParameters {
  readonly params: Readonly<Record<string, string | string[] | undefined>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly url: string;
}

export interface AcceptedParameters {
  readonly params: ParameterValues;
  readonly query: ParameterValues;
  readonly headers: ParameterValues;
}

const places = { path: 'params', query: 'query', header: 'headers' } as const;

/** Reads an operation's parameters, with defaults. VALIDATION names what is wrong; unknown query parameters are. */
export function parameterReader(
  parameters: readonly Parameter[],
  compiler: Compiler,
): (given: GivenParameters) => AcceptedParameters {
  const at = (place: Parameter['place']) => parameters.filter((parameter) => parameter.place === place);
  const declared = { params: at('path'), query: at('query'), headers: at('header') };
  const checks = Object.values(places).map((place) => ({ place, check: checkOf(declared[place], compiler) }));
  return (given) => {
    const read = {
      params: valuesOf(declared.params, (name) => given.params[name]),
      query: queryValues(declared.query, given.url),
      headers: valuesOf(declared.headers, (name) => given.headers[name]),
    };
    const problems = checks.map(({ place, check }) => check(read[place], place)).filter((problem) => problem !== null);
    if (problems.length > 0) throw fail('VALIDATION', { message: problems.join(', ') });
    return read;
  };
}

function checkOf(parameters: readonly Parameter[], compiler: Compiler): Check {
  if (parameters.length === 0) return () => null;
  return compiler.compile({
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  });
}

function valuesOf(
  declared: readonly Parameter[],
  given: (name: string) => string | string[] | undefined,
): Record<string, ParameterValue> {
  const values: Record<string, ParameterValue> = {};
  for (const { name, kind } of declared) {
    const text = given(name);
    if (typeof text === 'string') values[name] = readers[kind](text);
  }
  return values;
}

function queryValues(declared: readonly Parameter[], url: string): Record<string, ParameterValue> {
  const values: Record<string, ParameterValue> = {};
  const wrong: string[] = [];
  for (const [name, [text = '', ...more]] of readQuery(url)) {
    const parameter = declared.find((one) => one.name === name);
    if (parameter === undefined) wrong.push(`query/${name} is not a parameter of this operation`);
    else if (more.length > 0) wrong.push(`query/${name} must be given once`);
    else if (text === '') wrong.push(`query/${name} must not be empty`);
    else values[name] = readers[parameter.kind](text);
  }
  if (wrong.length > 0) throw fail('VALIDATION', { message: wrong.slice(0, 10).join(', ') });
  return values;
}

import { fail } from '@rapporteur/failures';
import type { Parameter } from './document.ts';
import { unstorableText } from './json-text.ts';

export type ParameterValue = string | number | boolean;
export type ParameterValues = Readonly<Record<string, ParameterValue>>;

const plainNumber = /^-?\d{1,15}(?:\.\d{1,15})?$/;

export interface RequestInput {
  readonly params: Readonly<Record<string, string | string[] | undefined>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly url: string;
}

/** The declared parameters of a request, as strings. */
export interface RawParameters {
  readonly params: Record<string, string>;
  readonly query: Record<string, string>;
  readonly headers: Record<string, string>;
}

/** With the types of the document, and defaults applied. */
export interface ValidatedParameters {
  readonly params: ParameterValues;
  readonly query: ParameterValues;
  readonly headers: ParameterValues;
}

/**
 * Reads an operation's parameters as strings. Throws VALIDATION for query parameters that are unknown, empty or repeated, and for
 * malformed numbers.
 */
export function parameterReader(parameters: readonly Parameter[]): (given: RequestInput) => RawParameters {
  const at = (place: Parameter['place']) => parameters.filter((parameter) => parameter.place === place);
  const declared = { params: at('path'), query: at('query'), headers: at('header') };
  return (given) => ({
    params: valuesOf(declared.params, given.params),
    query: queryValues(declared.query, given.url),
    headers: valuesOf(declared.headers, given.headers),
  });
}

function valuesOf(declared: readonly Parameter[], given: RequestInput['params']): Record<string, string> {
  return Object.fromEntries(
    declared.flatMap(({ name }) => (typeof given[name] === 'string' ? [[name, given[name]]] : [])),
  );
}

function queryValues(declared: readonly Parameter[], url: string): Record<string, string> {
  const values: Record<string, string> = {};
  const wrong: string[] = [];
  for (const [name, [text = '', ...more]] of readQuery(url)) {
    const parameter = declared.find((one) => one.name === name);
    if (parameter === undefined) wrong.push(`${name}: is not a parameter of this operation`);
    else if (more.length > 0) wrong.push(`${name}: must be given once`);
    else if (parameter.nullable && text === 'null') continue;
    else if (text === '') wrong.push(`${name}: must not be empty`);
    // JavaScript also parses hexadecimal, exponents and blanks as numbers; the document does not allow them.
    else if (parameter.numeric !== null && !plainNumber.test(text)) wrong.push(`${name}: must be ${parameter.numeric}`);
    else values[name] = text;
  }
  if (wrong.length > 0) throw fail('VALIDATION', { message: wrong.slice(0, 10).join(', ') });
  return values;
}

const maximumParameters = 100;

/**
 * Every value of every name, decoded. Throws VALIDATION for text that is not percent-encoded UTF-8 or cannot be stored.
 */
export function readQuery(url: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const start = url.indexOf('?');
  if (start === -1 || start === url.length - 1) return found;
  const pairs = url.slice(start + 1).split('&', maximumParameters + 1);
  if (pairs.length > maximumParameters) {
    throw fail('VALIDATION', { message: `query: contains more than ${maximumParameters} parameters` });
  }
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decoded(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? '' : decoded(pair.slice(equals + 1));
    const problem = unstorableText(name, 'query') ?? unstorableText(value, name);
    if (problem !== null) throw fail('VALIDATION', { message: problem });
    found.set(name, [...(found.get(name) ?? []), value]);
  }
  return found;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw fail('VALIDATION', { message: 'The query is not valid percent-encoded UTF-8.' });
  }
}

import { setImmediate } from 'node:timers/promises';
import { mapInSlices } from '@rapporteur/async';
import { fail } from '@rapporteur/failures';
import { memberOf } from '@rapporteur/service-runtime';

/** Deeper than any valid body and within the limits of every JSON parser downstream. */
export const maximumDepth = 64;
/**
 * Limits the values of a body, or of an item of a list that is parsed item by item: more of them stop other requests for too
 * long.
 */
export const maximumValues = 10_000;
/** Limits the values of such a list. */
export const maximumListValues = 50_000;

/** As for the body of a single item. */
const longestItem = 1024 * 1024;

const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
const [openBracket, closeBracket] = [0x5b, 0x5d] as const;
const quote = 0x22;
const backslash = 0x5c;
/** `[` and `{` differ in this bit only, and so do `]` and `}`. */
const curlyBit = 0x20;
const opening = 0x7b;
const closing = 0x7d;
const comma = 0x2c;

/**
 * Parses the bytes of a JSON body. Throws VALIDATION, before anything is built, for bytes that are not UTF-8 and for
 * excessive nesting or number of values; and for content that cannot be stored and returned unchanged: NUL characters,
 * lone surrogates, integers beyond 2^53, numbers that overflow, members named `__proto__`. Schemas do not restrict
 * these in free-form members.
 */
export function parseJson(bytes: Buffer, isUtf8: (bytes: Buffer) => boolean): unknown {
  checkBytes(bytes, isUtf8, null);
  const read = readStorable(bytes.toString('utf8'));
  if (read instanceof UnusableItem) throw fail('VALIDATION', { message: read.problem });
  return read;
}

/**
 * The same for a list, item by item, so that a large one does not stop other requests: an item that is too long or that
 * cannot be stored is replaced by an `UnusableItem`. A body that is no list is parsed as a whole.
 */
export async function parseItems(bytes: Buffer, isUtf8: (bytes: Buffer) => boolean): Promise<unknown> {
  const commas: number[] = [];
  checkBytes(bytes, isUtf8, commas);
  let open = 0;
  while (isBlank(bytes[open])) open += 1;
  let close = bytes.length - 1;
  while (close > open && isBlank(bytes[close])) close -= 1;
  if (bytes[open] !== openBracket || bytes[close] !== closeBracket) return parseJson(bytes, isUtf8);
  const ends = [...commas, close];
  const texts = ends.map((end, index) => bytes.subarray((ends[index - 1] ?? open) + 1, end));
  // Each step is long for a large body.
  await setImmediate();
  if (texts.length === 1 && texts[0]?.toString('latin1').trim() === '') return [];
  return await mapInSlices(texts, (text) =>
    text.byteLength > longestItem
      ? new UnusableItem(`body: is longer than ${longestItem} bytes`)
      : readStorable(text.toString('utf8')),
  );
}

/** Adds the positions of the commas on the first level, which separate the items of a list, to `commas`. */
function checkBytes(bytes: Buffer, isUtf8: (bytes: Buffer) => boolean, commas: number[] | null): void {
  if (!isUtf8(bytes)) throw fail('VALIDATION', { message: 'The body is not valid UTF-8.' });
  const problem = findExcess(bytes, commas);
  if (problem !== null) throw fail('VALIDATION', { message: problem });
}

/** The value of a JSON text, or why it cannot be stored. */
function readStorable(text: string): unknown {
  const value = parsed(text);
  const problem = mayBeUnstorable.test(text) ? findUnstorable(value) : null;
  return problem === null ? value : new UnusableItem(problem);
}

/** An item of a list that cannot be stored, and why. */
export class UnusableItem {
  readonly problem: string;

  constructor(problem: string) {
    this.problem = problem;
  }
}

type Reviver = Parameters<typeof JSON.parse>[1];
/** Marks a parsed integer that a double cannot represent. */
class RoundedInteger {}
const mayRound = /\d{16}/;

function markRounded(_name: string, value: unknown, { source = '' }: { readonly source?: string }): unknown {
  const rounded = typeof value === 'number' && /^-?\d+$/.test(source) && !Number.isSafeInteger(value);
  return rounded && Number.isFinite(value) ? new RoundedInteger() : value;
}

function parsed(text: string): unknown {
  try {
    return mayRound.test(text) ? (JSON.parse(text, markRounded as Reviver) as unknown) : (JSON.parse(text) as unknown);
  } catch {
    throw fail('VALIDATION', { message: 'The body is not valid JSON.' });
  }
}

/** One pass over the bytes, before any value is allocated. */
function findExcess(bytes: Buffer, commas: number[] | null): string | null {
  let depth = 0;
  let values = 1;
  let valuesBefore = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) {
      at = endOfText(bytes, at);
    } else if (byte === comma) {
      if (commas !== null && depth === 1) {
        commas.push(at);
        valuesBefore = values;
      }
      values += 1;
      if (values - valuesBefore > maximumValues)
        return `${valuesBefore === 0 ? 'body' : `[${commas?.length}]`}: holds more than ${maximumValues} values`;
      if (values > maximumListValues) return `body: holds more than ${maximumListValues} values`;
    } else if ((byte | curlyBit) === opening) {
      depth += 1;
      if (depth > maximumDepth) return `body: is nested more than ${maximumDepth} levels deep`;
    } else if ((byte | curlyBit) === closing) {
      depth -= 1;
    }
  }
  return null;
}

/** The index of the quotation mark that ends the string opened at `start`. */
function endOfText(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

/**
 * Valid UTF-8 contains unstorable content only as escapes, `__proto__` or very long numbers: nearly every body is
 * skipped.
 */
const mayBeUnstorable = /\\u|__proto__|\d[eE]|\d{16}/;

/**
 * The first part of a JSON value that cannot be stored and returned unchanged, as a message; null when there is none.
 */
export function findUnstorable(value: unknown, field = ''): string | null {
  if (typeof value === 'string') return unstorableText(value, field);
  if (typeof value === 'number')
    return Number.isFinite(value) ? null : `${printable(field)}: is a number too large to keep`;
  if (value instanceof RoundedInteger)
    return `${printable(field)}: is an integer beyond 2^53, which JSON readers round: send it as a text`;
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__') return `${printable(field)}: must not have a member called __proto__`;
    const problem =
      (Array.isArray(value) ? null : unstorableText(name, field)) ?? findUnstorable(member, memberOf(field, name));
    if (problem !== null) return problem;
  }
  return null;
}

export function unstorableText(text: string, field: string): string | null {
  if (text.includes('\0')) return `${printable(field)}: contains a NUL character`;
  return text.isWellFormed() ? null : `${printable(field)}: contains half of a character (a lone surrogate)`;
}

function printable(field: string): string {
  return (field || 'body').replaceAll('\0', '').toWellFormed();
}

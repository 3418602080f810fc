import fc from 'fast-check';
import type { Schema } from '../document/document.ts';

/** Any character that JSON and PostgreSQL can store: no NUL, no lone surrogate. */
const character = fc
  .oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
    { weight: 2, arbitrary: fc.integer({ min: 0xa0, max: 0x24ff }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 0x1f }) },
    { weight: 1, arbitrary: fc.integer({ min: 0xe000, max: 0x10ffff }) },
  )
  .map((point) => String.fromCodePoint(point));

const oddTexts: readonly string[] = [
  'Ρapporteur 🎥',
  "Robert'); drop table bots;--",
  '%_\\%',
  '${7*7}{{7*7}}',
  '<script>alert(1)</script>',
  '\u202egnp.exe',
  'e\u0301 \u200b\u00ad',
  'null',
  '../../etc/passwd',
  'a'.repeat(40),
];

const longest = 10_000;

/** Texts for a schema of type string that match its pattern, format and lengths. */
export function textArbitrary(schema: Schema): fc.Arbitrary<string> {
  const shortest = (schema['minLength'] as number | undefined) ?? 0;
  const most = (schema['maxLength'] as number | undefined) ?? 200;
  const pattern = schema['pattern'] as string | undefined;
  const format = schema['format'] as string | undefined;
  const fits = (text: string): boolean => {
    const length = lengthOf(text);
    return length >= shortest && length <= most && (pattern === undefined || new RegExp(pattern, 'u').test(text));
  };
  return base({ shortest, most, pattern, format }).filter(fits);
}

/** In characters, as JSON Schema counts. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}

interface TextRules {
  readonly shortest: number;
  readonly most: number;
  readonly pattern: string | undefined;
  readonly format: string | undefined;
}

function base({ shortest, most, pattern, format }: TextRules): fc.Arbitrary<string> {
  if (format === 'uri') return addressArbitrary(pattern);
  if (format === 'uuid') return fc.uuid();
  if (format === 'date-time') return momentArbitrary();
  if (format === 'email') return emailArbitrary();
  if (pattern !== undefined && pattern !== '\\S') return patternArbitrary(pattern, most);
  return freeText(shortest, most);
}

function freeText(shortest: number, most: number): fc.Arbitrary<string> {
  const edge = Math.min(most, longest);
  const odd = oddTexts.filter((text) => lengthOf(text) >= shortest && lengthOf(text) <= most);
  return fc.oneof(
    {
      weight: 5,
      arbitrary: fc.string({ unit: character, minLength: shortest, maxLength: Math.min(most, shortest + 24) }),
    },
    ...(odd.length === 0 ? [] : [{ weight: 3, arbitrary: fc.constantFrom(...odd) }]),
    {
      weight: 1,
      arbitrary: fc.constantFrom('x', 'ä', '🎥').map((one) => one.repeat(Math.max(shortest, edge))),
    },
    { weight: 1, arbitrary: fc.constantFrom('y', '語').map((one) => one.repeat(shortest)) },
  );
}

/** Addresses that do not resolve: hosts below .invalid, so no fuzz run reaches another host. */
function addressArbitrary(pattern: string | undefined): fc.Arbitrary<string> {
  const schemes = ['https', 'http', 'wss', 'ws'].filter(
    (scheme) => pattern === undefined || new RegExp(pattern, 'u').test(`${scheme}://a.invalid/`),
  );
  const path = fc.constantFrom('', '/', '/hook', '/a/b.png?x=1&y=%C3%A4', '/%20', '/a#b', '/?q=%2F%3F', '/~user/;p=1');
  return fc
    .tuple(
      fc.constantFrom(...schemes),
      fc.constantFrom('a.invalid', 'hooks.example.invalid', 'xn--4ca.invalid:8443'),
      path,
    )
    .map(([scheme, host, tail]) => `${scheme}://${host}${tail}`);
}

export function momentArbitrary(): fc.Arbitrary<string> {
  const moment = fc.date({
    min: new Date('2001-01-01T00:00:00Z'),
    max: new Date('2060-01-01T00:00:00Z'),
    noInvalidDate: true,
  });
  return fc
    .tuple(moment, fc.constantFrom('Z', 'Z', '+05:30', '-11:00'))
    .map(([at, zone]) => at.toISOString().replace('Z', zone));
}

function emailArbitrary(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.stringMatching(/^[a-z][a-z0-9.+-]{0,10}[a-z0-9]$/), fc.constantFrom('a.invalid', 'mail.example.invalid'))
    .map(([name, host]) => `${name.replaceAll('..', '.')}@${host}`)
    .filter((text) => !text.includes('.@') && !text.includes('..'));
}

/** Long alternations of words joined by commas are split: sampling them at random would not terminate in time. */
function patternArbitrary(pattern: string, most: number): fc.Arbitrary<string> {
  const list = /^\^\(([\w|-]+)\)\(,\(\1\)\)\*\$$/.exec(pattern)?.[1];
  if (list !== undefined) {
    return fc
      .array(fc.constantFrom(...list.split('|')), { minLength: 1, maxLength: 4 })
      .map((words) => words.join(','));
  }
  if (pattern === '^[\\x20-\\x7e]*$' || pattern === '^[\\x20-\\x7e]+$') {
    return fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: Math.min(most, 40) });
  }
  return fc.stringMatching(new RegExp(pattern, 'u')).map((text) => text.replaceAll('\0', ''));
}

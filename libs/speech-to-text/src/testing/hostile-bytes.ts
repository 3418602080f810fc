import { gzipSync } from 'node:zlib';

const strange: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1e308,
  -1e308,
  0.1 + 0.2,
  '',
  'NaN',
  '-5',
  '\u0000',
  '\ud800',
  '😀'.repeat(100),
  'x'.repeat(2_000_000),
  [],
  [[[[]]]],
  {},
  { __proto__: null, constructor: 1, toString: 'x' },
  Array.from({ length: 20_000 }, () => 0),
];

type Node = Record<string, unknown> | unknown[];
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Every place in a document, as a setter. */
function placesOf(document: Node): { readonly key: string; readonly value: unknown; set(value: unknown): void }[] {
  return Object.entries(document).flatMap(([key, value]) => [
    { key, value, set: (other: unknown) => void ((document as Record<string, unknown>)[key] = other) },
    ...(isNode(value) ? placesOf(value) : []),
  ]);
}

/** A response that a broken or hostile provider might send in place of a valid one. */
export function hostileBytes(valid: string, random: () => number): Buffer {
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const kind = one(['type', 'type', 'type', 'time', 'missing', 'many', 'deep', 'cut', 'encoding', 'junk'] as const);
  if (kind === 'cut') return Buffer.from(valid.slice(0, Math.floor(random() * valid.length)));
  if (kind === 'encoding') {
    return one([
      () => Buffer.from(valid, 'utf16le'),
      () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(valid)]),
      () => Buffer.concat([Buffer.from([0xff, 0xfe, 0xfa]), Buffer.from(valid)]),
      () => gzipSync(valid),
      () => Buffer.from(valid.replaceAll('"', '\u201c')),
    ])();
  }
  if (kind === 'junk') return Buffer.from(Array.from({ length: Math.floor(random() * 400) }, () => random() * 256));
  if (kind === 'deep') return Buffer.from(`${'{"a":['.repeat(5_000)}1${']}'.repeat(5_000)}`);
  const document = JSON.parse(valid) as unknown;
  if (!isNode(document)) return Buffer.from('null');
  const places = placesOf(document);
  const times = places.filter(({ key }) => /start|end|duration|offset/.test(key));
  const place = one(kind === 'time' && times.length > 0 ? times : places.length > 0 ? places : [null]);
  if (place === null) return Buffer.from(JSON.stringify(one(strange)));
  if (kind === 'time') place.set(one([-5, 1e12, Number.MAX_VALUE, '12', 0, 99_999]));
  else if (kind === 'missing') place.set(undefined);
  else if (kind === 'many') place.set(Array.from({ length: 3_000 }, () => place.value));
  else place.set(one(strange));
  return Buffer.from(JSON.stringify(document));
}

import { describe, expect, test } from '@jest/globals';
import { platformNames } from '@rapporteur/contracts';
import { Failure } from '@rapporteur/failures';
import { cpuMsOfReading } from '@rapporteur/testbed';
import { builtInPagePack, readPagePackOverlay } from './index.ts';

type Overlay = Record<string, unknown>;
type Platform = (typeof platformNames)[number];

/** What the refusal of one may take of a thread. */
const mostMs = 50;
const wanted = 200;

const small = (platform: Platform): Overlay => ({
  format: 1,
  platform,
  version: 'mended',
  base: builtInPagePack(platform).version,
});
const json = (platform: Platform, part: Overlay): string => JSON.stringify({ ...small(platform), ...part });
const joinButton = (selector: unknown): Overlay => ({ elements: { joinButton: { first: [selector] } } });
const leftText = (pattern: unknown): Overlay => ({ texts: { 'ended-text': { last: [pattern] } } });

const selectors = [
  'xpath=//button',
  '//button',
  'text=Join',
  'internal:role=button',
  'internal:text="Join"i',
  'css=button >> text=Join',
  'button >> nth=0',
  'button:text-matches("^(a+)+$")',
  'button:visible',
  'button:nth-match(button, 2)',
  'button:text("Join")',
  'button:has-text(Join)',
  'button:has-text("Join"',
  'button[aria-label="Join',
  'button[aria-label',
  'button,,a',
  'button,',
  '> button',
  'button > > a',
  'button{}',
  'button;script',
  '<script>alert(1)</script>',
  ':is('.repeat(60) + 'a' + ')'.repeat(60),
  '['.repeat(900),
  'a '.repeat(499) + ':',
  ' ',
  'button::before',
  '_react=Button',
  'button:host-context(x)',
  '\\',
];
const patterns = [
  '(a+)+$(',
  '(?<=a)b',
  '(?<!denied )request',
  '(a)\\1',
  'a{1000}',
  '(a{1,9}){9}',
  '(?:a?){200}a{200}',
  '(\\pL{1,100}|\\pN){9}z',
  '[\\p{L}]+x',
  '\\Qleft',
  '\\C',
  '(((((((((((((((((((((',
  '[z-a]',
  '*',
  'a**',
  '.*',
  'x?',
  '(?i:)',
  '',
  '('.repeat(150) + ')'.repeat(150),
  'a|'.repeat(149),
  '(?P<n>a)(?P<n>b)',
  'a'.repeat(301),
  `a${'.'.repeat(100)}b`,
  { match: 'a' },
  { match: 'a', unless: '(?=b)' },
  { match: 'a', unless: 'b', flags: 'g' },
];
const wrong = [null, 0, true, 'text', [], [[]], { first: 'a' }, { first: [1] }, { first: [] }, { replace: [] }, {}];

/** Hostile overlays by kind; each takes the platform whose pack it would lie over. */
const hostile: readonly (readonly [kind: string, text: (platform: Platform) => string])[] = [
  ...selectors.map((each) => [`selector ${each.slice(0, 30)}`, (on: Platform) => json(on, joinButton(each))] as const),
  ...patterns.map(
    (each, at) =>
      [`pattern ${at} ${JSON.stringify(each).slice(0, 30)}`, (on: Platform) => json(on, leftText(each))] as const,
  ),
  ...wrong.flatMap((each) => [
    [`elements ${JSON.stringify(each)}`, (on: Platform) => json(on, { elements: { joinButton: each } })] as const,
    [`texts ${JSON.stringify(each)}`, (on: Platform) => json(on, { texts: { 'ended-text': each } })] as const,
  ]),
  ...[null, 1, 'x', [], { replace: [] }, { replace: 1 }, { replace: ['a', 1] }].map(
    (each) => [`page ${JSON.stringify(each)}`, (on: Platform) => json(on, { page: { notices: each } })] as const,
  ),
  ['a list for one selector', (on) => json(on, { page: { notices: { replace: ['h1'] } } })],
  ['text in a selector of the page', (on) => json(on, { page: { notices: { replace: 'h1:has-text("a")' } } })],
  ['an old base', (on) => json(on, { base: '2020-01-01.1' })],
  ['no base', (on) => json(on, { base: undefined })],
  ['a base with spaces', (on) => json(on, { base: ' ' })],
  ['another platform', () => json('meet', { platform: 'webex' })],
  ['prototype as platform', () => json('meet', { platform: 'constructor' })],
  ['elements of another platform', (on) => json(on, { elements: { settingsWizard: { first: ['a'] } } })],
  ['an inherited name', (on) => json(on, { elements: { toString: { first: ['a'] } } })],
  ['another format', (on) => json(on, { format: 2 })],
  ['a version with a line break', (on) => json(on, { version: 'a\nb' })],
  ['a long version', (on) => json(on, { version: 'a'.repeat(65) })],
  ['an empty version', (on) => json(on, { version: '' })],
  ['code', (on) => json(on, { script: 'alert(1)' })],
  ['replace beside first', (on) => json(on, { elements: { joinButton: { first: ['a'], replace: ['b'] } } })],
  ['nothing changed in a list', (on) => json(on, { elements: { joinButton: { first: undefined } } })],
  ['too many candidates', (on) => json(on, { elements: { joinButton: { last: Array<string>(64).fill('a') } } })],
  ['dialogs twice', (on) => json(on, { dialogs: { first: [dialog], replace: [dialog] } })],
  ['dialogs emptied', (on) => json(on, { dialogs: { replace: [] } })],
  ['a dialog without buttons', (on) => json(on, { dialogs: { first: [{ ...dialog, buttons: [] }] } })],
  ['too many dialogs', (on) => json(on, { dialogs: { first: Array<unknown>(32).fill(dialog) } })],
  ['captions by an unknown element', (on) => json(on, { captions: { turnOn: { replace: [{ element: 'x' }] } } })],
  ['captions removed', (on) => json(on, { captions: { turnOn: { replace: [] } } })],
  ['captions by code', (on) => json(on, { captions: { languageTag: { replace: 'en' } } })],
  ['share 0', (on) => json(on, { share: 0 })],
  ['share 101', (on) => json(on, { share: 101 })],
  ['half a percent', (on) => json(on, { share: 0.5 })],
  ['share as text', (on) => json(on, { share: '10' })],
  ['NaN', (on) => json(on, {}).replace('}', ',"share":NaN}')],
  ['an overflowing number', (on) => json(on, {}).replace('}', ',"share":1e999}')],
  ['a number of many digits', (on) => json(on, {}).replace('}', `,"share":${'9'.repeat(100_000)}}`)],
  ['a NUL', (on) => json(on, joinButton('a\0b'))],
  ['a control character', (on) => json(on, joinButton('button[aria-label="\u0007"]'))],
  ['half of a character', (on) => json(on, joinButton('button[aria-label="\ud800"]'))],
  ['a NUL in a name', (on) => json(on, { elements: { 'a\0': { first: ['a'] } } })],
  ['a raw NUL', (on) => `${json(on, {})}\0`],
  ['__proto__', (on) => json(on, {}).replace('}', ',"__proto__":{"share":1}}')],
  ['__proto__ by escape', (on) => json(on, {}).replace('}', ',"\\u005f_proto__":{"share":1}}')],
  ['constructor', (on) => json(on, {}).replace('}', ',"elements":{"constructor":{"first":["a"]}}}')],
  ['a name twice', (on) => json(on, {}).replace('}', ',"share":1,"share":100}')],
  ['a name twice, once by escape', (on) => json(on, {}).replace('}', ',"share":1,"\\u0073hare":100}')],
  ['a name twice, inside', (on) => json(on, {}).replace('}', ',"page":{"notices":{"replace":"a","replace":"b"}}}')],
  ['nothing', () => ''],
  ['white space', () => ' '.repeat(200_000)],
  ['null', () => 'null'],
  ['a list', () => '[]'],
  ['a text', () => '"meet"'],
  ['cut off', (on) => json(on, joinButton('a')).slice(0, -3)],
  ['two documents', (on) => json(on, {}) + json(on, {})],
  ['a byte order mark', (on) => `\uFEFF${json(on, {})}`],
  ['256 KiB and more', (on) => json(on, joinButton('a'.repeat(262_144)))],
  ['256 KiB of other bytes', (on) => json(on, joinButton('é'.repeat(140_000)))],
  ['one long text', (on) => json(on, joinButton('a'.repeat(200_000)))],
  ['deep lists', () => '['.repeat(130_000) + ']'.repeat(130_000)],
  ['deep objects', () => '{"a":'.repeat(40_000)],
  ['many values', (on) => json(on, joinButton('a')).replace('["a"]', `[${'1,'.repeat(60_000)}1]`)],
  ['many names', (on) => json(on, { elements: names(3_000, () => ({ first: ['a'] })) })],
  ['many patterns', (on) => json(on, { texts: names(60, () => ({ first: Array<string>(60).fill('abc') })) })],
  ['patterns at their limits', (on) => json(on, { texts: names(30, () => ({ first: ['(x+x+)+y'.repeat(37)] })) })],
  [
    'a bad pattern behind good ones',
    (on) =>
      json(on, {
        texts: { 'ended-text': { first: [...Array.from({ length: 19 }, (_, at) => `ended ${at}.*`.repeat(20)), '('] } },
      }),
  ],
  ['brackets in a text', (on) => json(on, leftText('['.repeat(300)))],
  ['quotes', () => '"'.repeat(200_001)],
  ['backslashes', () => `{"${'\\'.repeat(200_000)}`],
  ['escapes', (on) => json(on, leftText('\\'.repeat(299)))],
  ['a function', () => '(() => ({}))()'],
  ['a regular expression', (on) => json(on, {}).replace('}', ',"texts":{"ended-text":{"first":[/a/]}}}')],
];
const dialog = { what: 'x', text: ['x'], buttons: ['button'] };

function names(many: number, value: () => unknown): Overlay {
  return Object.fromEntries(Array.from({ length: many }, (_, at) => [`name${at}`, value()]));
}

const overlays = Array.from({ length: wanted }, (_, at) => {
  const [kind, text] = hostile[at % hostile.length] ?? ['none', () => ''];
  const platform = platformNames[(at + Math.floor(at / hostile.length)) % platformNames.length] ?? 'meet';
  return { kind: `${kind}, ${platform}, ${at}`, text: text(platform) };
});

describe(`of ${wanted} hostile overlays each is refused with a sentence in ${mostMs} ms`, () => {
  test('there are as many, and a harmless one is taken', () => {
    expect(hostile.length).toBeLessThanOrEqual(wanted);
    for (const platform of platformNames) {
      expect(readPagePackOverlay(json(platform, joinButton('button:has-text("Join")')))).toMatchObject({ platform });
    }
  });

  test.each(overlays)('$kind', ({ text }) => {
    let refused: unknown = null;
    const read = (given: string): unknown => {
      try {
        return readPagePackOverlay(given);
      } catch (error) {
        refused = error;
        return null;
      }
    };
    const ms = cpuMsOfReading(read, text, mostMs);
    expect(refused).toBeInstanceOf(Failure);
    const { code, message } = refused as Failure;
    expect(code).toBe('VALIDATION');
    expect(message).toMatch(/^The page pack is refused: [^\p{Cc}]{10,1200}$/u);
    expect({ ms, slow: ms > mostMs }).toEqual({ ms, slow: false });
  });
});

import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { run } from '../run.ts';

const examples = join(import.meta.dirname, '../../../simulator/page-changes');
const folder = mkdtempSync(join(tmpdir(), 'operator-cli-pages-'));
const page = {
  format: 1,
  platform: 'meet',
  taken_at: '2026-11-26T09:00:00.000Z',
  host: 'meet.google.com',
  rule: 'name-field',
  page_pack_version: '2026-11-26.1',
  truncated: false,
  html: '<body><input type="text" maxlength="60"><button jsname="bXc92d" aria-label="Request entry">Request entry</button></body>',
};

beforeAll(() => {
  writeFileSync(join(folder, 'page.json'), JSON.stringify(page));
  writeFileSync(join(folder, 'broken.json'), '{"format": 1, "platform": "meet"}');
  writeFileSync(join(folder, 'text.json'), 'not JSON');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function type(...words: string[]): Promise<{ code: number; out: string; complaints: string }> {
  let out = '';
  let complaints = '';
  const print = (text: string): void => void (out += text);
  const complain = (text: string): void => void (complaints += text);
  const code = await run(words, { folder, environment: {}, runningStacks: [], print, complain });
  return { code, out, complaints };
}

const repairing = join(examples, 'other-labels.meet.json');

describe('rapporteur pages', () => {
  test.each(readdirSync(examples))('validate takes the overlay %s of the simulator', async (name) => {
    const { code, out } = await type('pages', 'validate', join(examples, name), '--json');
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ platform: name.split('.')[1], share: 100 })]);
  });

  test('validate refuses an overlay with the field that is wrong', async () => {
    const { code, complaints } = await type('pages', 'validate', 'broken.json');
    expect([code, complaints]).toEqual([1, expect.stringMatching(/broken\.json: .*version/)]);
    expect(await type('pages', 'validate', 'absent.json')).toMatchObject({ code: 1 });
    expect(await type('pages', 'validate')).toMatchObject({ code: 2 });
  });

  test('show prints the built-in pack, and what an overlay makes of it', async () => {
    const builtIn = JSON.parse((await type('pages', 'show', 'meet', '--json')).out) as { version: string };
    const repaired = JSON.parse((await type('pages', 'show', 'meet', '--overlay', repairing, '--json')).out) as {
      version: string;
      elements: Record<string, string[]>;
    };
    expect(repaired.version).toBe(`${builtIn.version}+other-labels`);
    expect(repaired.elements['joinButton']?.[0]).toBe('button[jsname="bXc92d"]');
    expect(await type('pages', 'show', 'webex')).toMatchObject({ code: 2 });
    expect(await type('pages', 'show', 'zoom', '--overlay', repairing)).toMatchObject({ code: 1 });
  });

  test('diff lists what an overlay changes', async () => {
    const { code, out } = await type('pages', 'diff', repairing);
    expect(code).toBe(0);
    expect(out).toMatch(/\+ 1\s+elements\/joinButton\s+button\[jsname="bXc92d"\]/);
  });

  test('try prints the candidate of each element, and fails while one is missing that is needed', async () => {
    const without = await type('pages', 'try', 'page.json', '--needs', 'nameField,joinButton');
    expect([without.code, without.out]).toEqual([1, expect.stringMatching(/Not found: joinButton\./)]);
    const needs = ['--overlay', repairing, '--needs', 'nameField, joinButton', '--json'];
    const repaired = await type('pages', 'try', 'page.json', ...needs);
    expect(repaired.code).toBe(0);
    expect(JSON.parse(repaired.out)).toMatchObject({
      page_pack_version: '2026-11-26.1+other-labels',
      missing: [],
      texts: ['join-button'],
      elements: expect.arrayContaining([expect.objectContaining({ element: 'joinButton', candidate: 0 })]),
    });
    expect(await type('pages', 'try', 'page.json', '--needs', 'joinButtons')).toMatchObject({ code: 2 });
    expect(await type('pages', 'try', 'text.json')).toMatchObject({
      code: 1,
      complaints: expect.stringContaining('no page.json of an evidence bundle'),
    });
  });

  describe('learn', () => {
    const kept = (file: string, html: string, over: object = {}): void => {
      mkdirSync(join(folder, 'kept', file), { recursive: true });
      const rule = 'waiting-not-recognised';
      writeFileSync(join(folder, 'kept', file, 'page.json'), JSON.stringify({ ...page, rule, html, ...over }));
    };
    const waiting = (text: string, buttons = 1): string =>
      `<body><div role="dialog"><h1>${text}</h1>${'<button data-tid="cancel">Cancel</button>'.repeat(buttons)}</div></body>`;
    const shapesIn = async (): Promise<string[]> => {
      const { code, complaints } = await type('pages', 'learn', 'kept');
      expect(code).toBe(2);
      return [...complaints.matchAll(/^meet (\w{16}) \S+ \((\d+)\)/gm)].map(([, shape = '', of]) => `${shape} ${of}`);
    };
    beforeAll(() => {
      kept('one', waiting('The host was informed (by Meet) that you are here.'));
      kept('two', waiting('The host was informed (by Meet) that you are here.', 3), {
        taken_at: '2026-11-27T09:00:00.000Z',
      });
      kept('other', '<body><h2>Check your camera.</h2><input type="text"></body>', { rule: 'name-field' });
    });

    test('groups pages by their structure, whatever the number of their elements', async () => {
      expect((await shapesIn()).map((line) => line.slice(17)).sort()).toEqual(['1', '2']);
    });

    test('makes a page pack entry of a text, and tries it on the pages of its shape and on all others', async () => {
      const shape = (await shapesIn()).find((line) => line.endsWith(' 2'))?.slice(0, 16) ?? '';
      const learned = await type('pages', 'learn', 'kept', '--shape', shape, '--write', 'learned.json', '--json');
      expect(learned.code).toBe(0);
      expect(JSON.parse(learned.out)).toMatchObject({
        overlay: { texts: { 'lobby-text': { first: ['the host was informed \\(by meet\\) that you are here\\.'] } } },
        pages: 2,
        known: 2,
        mistaken: [],
      });
      expect((await type('pages', 'validate', 'learned.json')).code).toBe(0);
      expect((await type('pages', 'replay', 'kept', '--shape', shape, '--overlay', 'learned.json')).code).toBe(0);
    });

    test('fails with a text that other pages have, or that the pages do not have', async () => {
      const shape = (await shapesIn()).find((line) => line.endsWith(' 2'))?.slice(0, 16) ?? '';
      const tooShort = await type('pages', 'learn', 'kept', '--shape', shape, '--text', 'e', '--json');
      expect([tooShort.code, (JSON.parse(tooShort.out) as { mistaken: object[] }).mistaken]).toEqual([
        1,
        [{ file: join('other', 'page.json'), found: ['texts/lobby-text'] }],
      ]);
      expect((await type('pages', 'learn', 'kept', '--shape', shape, '--text', 'Not there')).code).toBe(1);
      expect((await type('pages', 'learn', 'kept', '--shape', 'f'.repeat(16))).code).toBe(2);
      expect((await type('pages', 'learn', 'kept', '--shape', shape, '--rule', 'no-such-text')).code).toBe(2);
      expect((await type('pages', 'learn', 'absent', '--shape', shape)).code).toBe(1);
    });
  });
});

import { describe, expect, test } from '@jest/globals';
import { runInNewContext } from 'node:vm';
import { loadPageScript } from './index.ts';

const fixture = (name: string): URL => new URL(`./fixtures/${name}.page.ts`, import.meta.url);

describe('loadPageScript', () => {
  test('gives plain text that calls install with the options, with the modules that the file imports', () => {
    const page: { response?: number } = {};
    runInNewContext(loadPageScript(fixture('response'), { value: 21 }), page);
    // 21, doubled, and one for the name that two of the modules have.
    expect(page.response).toBe(43);
  });

  test('leaves nothing behind in the page but what install put there', () => {
    const page = {};
    runInNewContext(loadPageScript(fixture('response'), { value: 1 }), page);
    expect(Object.keys(page)).toEqual(['response']);
  });

  test('refuses a file that imports what a page does not have', () => {
    expect(() => loadPageScript(fixture('reaching-out'))).toThrow(/Could not resolve "node:path"/);
  });

  test('refuses a file without install', () => {
    expect(() => loadPageScript(fixture('without-install'))).toThrow(/No matching export .* "install"/);
  });

  test('names the file that cannot be read', () => {
    expect(() => loadPageScript(fixture('absent'))).toThrow(/absent\.page\.ts/);
  });
});

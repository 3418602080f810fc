import { describe, expect, test } from '@jest/globals';
import { runInNewContext } from 'node:vm';
import { loadPageScript } from './index.ts';

const fixture = (name: string): URL => new URL(`./fixtures/${name}.page.ts`, import.meta.url);

describe('loadPageScript', () => {
  test('gives plain text that calls install with the options, with parts from other page files joined in', () => {
    const page: { response?: number } = {};
    runInNewContext(loadPageScript(fixture('response'), { value: 21 }), page);
    expect(page.response).toBe(42);
  });

  test('leaves nothing behind in the page but what install put there', () => {
    const page = {};
    runInNewContext(loadPageScript(fixture('response'), { value: 1 }), page);
    expect(Object.keys(page)).toEqual(['response']);
  });

  test('refuses a file that needs a module at run time', () => {
    expect(() => loadPageScript(fixture('reaching-out'))).toThrow(/imports "node:path" at run time/);
  });

  test('refuses a file without install', () => {
    expect(() => loadPageScript(fixture('without-install'))).toThrow(/must export a function install/);
  });

  test('names the file that cannot be read', () => {
    expect(() => loadPageScript(fixture('absent'))).toThrow(/absent\.page\.ts/);
  });
});

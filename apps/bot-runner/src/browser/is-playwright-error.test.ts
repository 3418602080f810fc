import { runInThisContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { isPlaywrightError } from './is-playwright-error.ts';

/** What this code throws in a file of this name. */
function thrownIn(filename: string, code: string): unknown {
  try {
    runInThisContext(code, { filename });
  } catch (error) {
    return error;
  }
  return undefined;
}

const library = '/app/node_modules/playwright-core/lib/coreBundle.js';

test.each([
  [true, thrownIn(library, `throw new Error('Cannot find parent object page@1 to create disposable@2')`)],
  [false, thrownIn('/app/main.js', `throw new Error('playwright-core: no browser')`)],
  [false, thrownIn('/app/main.js', `throw 'in /node_modules/playwright-core/lib'`)],
  [false, undefined],
])('is %j by the file that threw it', (expected, error) => {
  expect(isPlaywrightError(error)).toBe(expected);
});

test('an error of a handler that Playwright calls is not', () => {
  const call = runInThisContext('(handler) => handler()', { filename: library }) as (handler: () => void) => void;
  const handler = (): never => {
    throw new Error('ours');
  };
  let thrown: unknown;
  try {
    call(handler);
  } catch (error) {
    thrown = error;
  }
  expect(isPlaywrightError(thrown)).toBe(false);
});

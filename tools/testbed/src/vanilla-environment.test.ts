import { isContext, runInThisContext } from 'node:vm';
import { expect, test } from '@jest/globals';

test('the global object of a test is an ordinary one, of a realm of its own', () => {
  expect(isContext(globalThis)).toBe(true);
  expect(runInThisContext('Array')).not.toBe(Array);
});

import { expect, test } from '@jest/globals';
import { campaigns } from './campaigns.ts';

test('every campaign has a name of its own, a purpose and a duration', () => {
  const names = campaigns.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)].toSorted());
  expect(names).toEqual(expect.arrayContaining(['api-requests', 'conformance', 'kills', 'races']));
  for (const { name, purpose, usualMinutes } of campaigns) {
    expect(name).toMatch(/^[a-z][a-z-]*$/);
    expect(purpose.length).toBeGreaterThan(20);
    expect(usualMinutes).toBeGreaterThan(0);
  }
});

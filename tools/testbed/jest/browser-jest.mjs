import base from '../../../jest.config.mjs';

/** Jest for tests that drive a real browser: what a starved machine got wrong is looked at a second time. */
export function browserJest(tests, maxWorkers) {
  return {
    ...base,
    testMatch: tests.map((path) => (path.endsWith('/') ? `**/${path}**/*.test.ts` : `**/${path}`)),
    testPathIgnorePatterns: ['/node_modules/'],
    setupFilesAfterEnv: ['<rootDir>/tools/testbed/jest/second-look.mjs'],
    testTimeout: 120_000,
    maxWorkers,
  };
}

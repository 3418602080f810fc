// The whole stack as a black box. One stack for all files but those that name their reason (src/shared-stack.ts), and several
// files at a time: most of their time is waiting.
import base, { longestTests } from '../../jest.config.mjs';

/** Measures a recording: runs by itself (jest.measured.config.mjs). */
export const measuredTests = 'tools/e2e/src/walking\\.e2e\\.ts$';

export default {
  ...base,
  roots: ['<rootDir>/tools/e2e', '<rootDir>/tools/api-fuzz'],
  testMatch: ['**/src/**/*.e2e.ts'],
  testPathIgnorePatterns: ['/node_modules/', measuredTests],
  globals: { longestTests },
  globalSetup: '<rootDir>/tools/e2e/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/tools/e2e/jest/global-teardown.mjs',
  maxWorkers: 3,
};

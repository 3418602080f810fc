// The whole stack as a black box, one test file at a time: two stacks would share two cores.
import base from '../../jest.config.mjs';

export default {
  ...base,
  roots: ['<rootDir>/tools/e2e', '<rootDir>/tools/api-fuzz'],
  testMatch: ['**/src/**/*.e2e.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  setupFilesAfterEnv: ['<rootDir>/tools/testbed/jest/second-look.mjs'],
  globalSetup: undefined,
  globalTeardown: undefined,
  testTimeout: 240_000,
  maxWorkers: 1,
};

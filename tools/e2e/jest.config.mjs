// The whole stack as a black box. Each file has a stack of its own; two wait beside each other.
import base from '../../jest.config.mjs';

export default {
  ...base,
  roots: ['<rootDir>/tools/e2e', '<rootDir>/tools/api-fuzz'],
  testMatch: ['**/src/**/*.e2e.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: undefined,
  globalTeardown: undefined,
  testTimeout: 240_000,
  maxWorkers: 2,
};

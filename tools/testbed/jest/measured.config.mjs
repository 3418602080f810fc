import base, { measuredTests } from '../../../jest.config.mjs';

/** One at a time, and nothing beside them: browsers that play, record and are measured starve each other on two cores. */
export default {
  ...base,
  globals: {},
  testMatch: undefined,
  testRegex: measuredTests,
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: '<rootDir>/tools/testbed/jest/simulator-setup.mjs',
  globalTeardown: '<rootDir>/tools/testbed/jest/simulator-teardown.mjs',
  maxWorkers: 1,
};

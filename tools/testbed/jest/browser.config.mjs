import base, { browserTests, longestTests } from '../../../jest.config.mjs';

/** Two at a time: these tests wait more than they compute, and judge what happened, not how fast. */
export default {
  ...base,
  globals: { longestTests },
  testMatch: undefined,
  testRegex: browserTests,
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: '<rootDir>/tools/testbed/jest/simulator-setup.mjs',
  globalTeardown: '<rootDir>/tools/testbed/jest/simulator-teardown.mjs',
  maxWorkers: 2,
};

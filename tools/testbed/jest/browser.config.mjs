import base, { browserTests } from '../../../jest.config.mjs';

/** Two at a time: these tests wait more than they compute, and judge what happened, not how fast. */
export default {
  ...base,
  testMatch: undefined,
  testRegex: browserTests,
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 180_000,
  maxWorkers: 2,
};

import base, { measuredTests } from '../../../jest.config.mjs';

/** One at a time, and nothing beside them: browsers that play, record and are measured starve each other on two cores. */
export default {
  ...base,
  testMatch: undefined,
  testRegex: measuredTests,
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 180_000,
  maxWorkers: 1,
};

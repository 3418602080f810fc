import base, { measuredTests } from '../../../jest.config.mjs';

/** One at a time: two measured recordings starve each other on two cores. Other tests may run beside them. */
export default {
  ...base,
  testMatch: undefined,
  testRegex: measuredTests,
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 180_000,
  maxWorkers: 1,
};

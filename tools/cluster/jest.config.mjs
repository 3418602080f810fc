import base from '../../jest.config.mjs';

/** One at a time: the tests share one control plane, and their waits are for what it does. */
export default {
  ...base,
  testMatch: ['**/src/**/*.cluster.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};

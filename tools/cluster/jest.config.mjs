import base from '../../jest.config.mjs';

/** Two at a time: the tests share one control plane, and most of their time is waiting for what it does. */
export default {
  ...base,
  testMatch: ['**/src/**/*.cluster.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 2,
};

// Suites that are too long for `npm test`, one at a time; campaigns run them by path.
import base from '../../jest.config.mjs';

export default {
  ...base,
  testMatch: ['**/src/**/*.soak.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 240_000,
  maxWorkers: 1,
};

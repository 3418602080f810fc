import base, { measuredTests } from './jest.config.mjs';

export default {
  ...base,
  testMatch: undefined,
  testRegex: [measuredTests],
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: undefined,
  globalTeardown: undefined,
  maxWorkers: 1,
};

import base, { mediaTests } from '../../../jest.config.mjs';

/**
 * One at a time: two browsers that play, record and measure starve each other on two cores. Tried two at a time: a third less
 * time, and four tests in two hundred wanted a second look.
 */
export default {
  ...base,
  testMatch: mediaTests.map((path) => (path.endsWith('/') ? `**/${path}**/*.test.ts` : `**/${path}`)),
  testPathIgnorePatterns: ['/node_modules/', '\\.soak\\.test\\.ts$'],
  setupFilesAfterEnv: ['<rootDir>/tools/testbed/jest/second-look.mjs'],
  testTimeout: 120_000,
  maxWorkers: 1,
};

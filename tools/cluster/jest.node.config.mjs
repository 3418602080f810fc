import base from './jest.config.mjs';

/** Tests on a node that runs containers: `npm run test:cluster -- --node`. */
export default {
  ...base,
  testMatch: ['**/src/**/*.node.test.ts'],
  testTimeout: 900_000,
  // PostgreSQL and NATS run in pods.
  globalSetup: undefined,
  globalTeardown: undefined,
};

// One Jest run for the whole repository: `npm test` adds the checks around it.
// *.test.ts does no I/O; *.integration.test.ts talks to the real PostgreSQL and NATS that globalSetup starts.
export default {
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/tools', '<rootDir>/deploy'],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: ['**/src/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  transform: { '\\.ts$': '<rootDir>/tools/testbed/jest/strip-types.mjs' },
  globalSetup: '<rootDir>/tools/testbed/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/tools/testbed/jest/global-teardown.mjs',
  testTimeout: 60_000,
  maxWorkers: 2,
};

// One Jest run for the whole repository: `npm test` adds the checks around it.
// *.test.ts does no I/O; *.integration.test.ts talks to the real PostgreSQL and NATS that globalSetup starts.

/** Tests that judge picture, sound and time in a real browser: they run alone (tools/testbed/jest/media.config.mjs). */
export const mediaTests = [
  'libs/recorder/src/encoded.integration.test.ts',
  'libs/recorder/src/recorder.integration.test.ts',
  'libs/recorder/src/gallery.integration.test.ts',
  'libs/recorder/src/persons.integration.test.ts',
  'libs/recorder/src/ways.integration.test.ts',
  'libs/meeting-platforms/src/conformance/',
  'apps/bot-runner/src/appearance.integration.test.ts',
  'apps/bot-runner/src/bot-runner.integration.test.ts',
  'apps/bot-runner/src/browser/',
  'apps/bot-runner/src/commands.integration.test.ts',
  'apps/bot-runner/src/fuzz.integration.test.ts',
  'apps/bot-runner/src/gallery.integration.test.ts',
  'apps/bot-runner/src/packed-runner.integration.test.ts',
  'apps/bot-runner/src/participant-audio.integration.test.ts',
  'apps/bot-runner/src/rejoin.integration.test.ts',
  'apps/bot-runner/src/sound-only.integration.test.ts',
  'apps/bot-runner/src/streaming.integration.test.ts',
  'apps/bot-runner/src/zoom.integration.test.ts',
  'apps/bot-runner/src/zoom-sdk.integration.test.ts',
  'tools/bench/src/kills/kills.integration.test.ts',
  'tools/simulator/src/simulator.integration.test.ts',
];

export default {
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/tools', '<rootDir>/deploy'],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: ['**/src/**/*.test.ts'],
  // Tests on a real control plane: `npm run test:cluster`.
  testPathIgnorePatterns: ['/node_modules/', '\\.cluster\\.test\\.ts$', ...mediaTests],
  transform: { '\\.ts$': '<rootDir>/tools/testbed/jest/strip-types.mjs' },
  globalSetup: '<rootDir>/tools/testbed/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/tools/testbed/jest/global-teardown.mjs',
  testTimeout: 60_000,
  maxWorkers: 2,
};

// One Jest run for the whole repository: `npm test` adds the checks around it.
// *.test.ts does no I/O; *.integration.test.ts talks to the real PostgreSQL and NATS that globalSetup starts.

/** Paths of tests that measure recordings with video: they run one at a time (tools/testbed/jest/measured.config.mjs). */
export const measuredTests = [
  'libs/recorder/src/(recorder|strategies)\\.integration\\.test\\.ts$',
  'apps/bot-runner/src/(bot-runner|commands|gallery|stalls)\\.integration\\.test\\.ts$',
];

/** Paths of tests that measure recordings without video: two at a time (tools/testbed/jest/measured-audio.config.mjs). */
export const measuredAudioTests = [
  'apps/bot-runner/src/(participant-audio|audio-only|streaming)\\.integration\\.test\\.ts$',
];

/** Paths of the conformance suite, which measures several browsers at once (tools/testbed/jest/conformance.config.mjs). */
export const conformanceTests = ['libs/meeting-platforms/src/conformance/(meet|teams|zoom)\\.integration\\.test\\.ts$'];

/** Paths of other tests with a real browser: they run two at a time (tools/testbed/jest/browser.config.mjs). */
export const browserTests = [
  'libs/meeting-platforms/src/conformance/(?!meet\\.|teams\\.|zoom\\.)[^/]+\\.integration\\.test\\.ts$',
  'apps/bot-runner/src/browser/[^/]+\\.integration\\.test\\.ts$',
  'apps/bot-runner/src/(appearance|ends|fuzz|packed-runner|rejoin|zoom|zoom-sdk)\\.integration\\.test\\.ts$',
  'tools/bench/src/kills/kills\\.integration\\.test\\.ts$',
  'tools/simulator/src/simulator\\.integration\\.test\\.ts$',
];

/**
 * Paths of the other tests that judge how soon something happens. They run with the unit and integration tests, which
 * keep both cores busy: one that fails then is judged again afterwards, without them, because a stall of the machine is
 * no defect of the product.
 */
export const timedTests = [
  'apps/api-gateway/src/(forwarding/forwarding|idempotency/idempotency|keys/access|limits/(idle-timeout|rate-limit))\\.integration\\.test\\.ts$',
  'apps/bot-scheduler/src/scheduled/(run-due|scheduled-life)\\.integration\\.test\\.ts$',
  'apps/storage-config/src/grants/grants\\.integration\\.test\\.ts$',
  'deploy/local/src/interrupted-start\\.integration\\.test\\.ts$',
  'libs/database/src/idle-timeout\\.integration\\.test\\.ts$',
  'libs/event-bus/src/(bus|consumer|store-loss)\\.integration\\.test\\.ts$',
  'libs/service-runtime/src/(connections|readiness)\\.integration\\.test\\.ts$',
  'tools/chaos/src/chaos\\.integration\\.test\\.ts$',
];

/**
 * Paths of files that take far longer than their size suggests. They begin first: without times of an earlier run Jest
 * begins with the largest files, and one of these would run alone at the end.
 */
export const longestTests = [
  'tools/e2e/src/(page-changes|console)\\.e2e\\.ts$',
  'tools/e2e/src/(signed-in-bots|access-table)\\.e2e\\.ts$',
  'tools/api-fuzz/src/api-fuzz\\.e2e\\.ts$',
  'apps/bot-scheduler/src/(clusters|launch/cluster-kills|scheduled/burst|launch/kubernetes/conformance)\\.cluster\\.test\\.ts$',
  '/independent\\.cluster\\.test\\.ts$',
  'tools/chaos/src/chaos\\.integration\\.test\\.ts$',
  'deploy/local/src/(embedded/embedded|interrupted-start|npm-start)\\.integration\\.test\\.ts$',
  'apps/delivery/src/sending/worker\\.integration\\.test\\.ts$',
  'tools/packer/src/(build-packages|docs-site/verify-webhooks)\\.integration\\.test\\.ts$',
  'tools/bench/src/kills/kills\\.integration\\.test\\.ts$',
  'apps/bot-runner/src/(fuzz|packed-runner|zoom)\\.integration\\.test\\.ts$',
];

/** Too long for `npm test`: campaigns of tools/soak run them. */
export const soakTests = '\\.soak\\.test\\.ts$';

export default {
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/tools', '<rootDir>/deploy'],
  testEnvironment: '<rootDir>/tools/testbed/jest/environment.mjs',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  testMatch: ['**/src/**/*.test.ts'],
  // Tests on a real control plane and on a full node: `npm run test:cluster`.
  testPathIgnorePatterns: [
    '/node_modules/',
    '\\.(cluster|node)\\.test\\.ts$',
    soakTests,
    ...conformanceTests,
    ...measuredTests,
    ...measuredAudioTests,
    ...browserTests,
  ],
  runner: '<rootDir>/tools/testbed/jest/unstalled-runner.mjs',
  // The runner judges the samples of `timedTests`; without the list those of every test.
  globals: { timedTests, longestTests },
  runtime: '<rootDir>/tools/testbed/jest/native-runtime.mjs',
  transform: {},
  globalSetup: '<rootDir>/tools/testbed/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/tools/testbed/jest/global-teardown.mjs',
  // For hangs only, and longer than the waits of the test kit, which name what they waited for.
  testTimeout: 300_000,
  // Twice the cores of CI: about a third of the time of a worker is waiting.
  maxWorkers: 4,
};

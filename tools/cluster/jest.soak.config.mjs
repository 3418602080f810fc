import base from './jest.config.mjs';

/** Campaigns of tools/soak on a real control plane. */
export default { ...base, testMatch: ['**/src/**/*.cluster.soak.test.ts'], testTimeout: 1_800_000 };

// Suites that are too long for `npm test`, one at a time; campaigns run them by path.
import base from '../../jest.config.mjs';

export default {
  ...base,
  testMatch: ['**/src/**/*.soak.test.ts'],
  // Those on a control plane: `node tools/checks/src/run-cluster.ts --soak`.
  testPathIgnorePatterns: ['/node_modules/', '\\.cluster\\.soak\\.test\\.ts$'],
  maxWorkers: 1,
};

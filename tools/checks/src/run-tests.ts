import { runChecks } from './checks.ts';
import { runClusterTests } from './cluster-tests.ts';
import { runJest } from './jest-run.ts';
import { printTotals } from './totals.ts';

/** `npm test`: the checks on the tree, then the tests of every package, the ones that
 * judge picture and sound on their own, and the end-to-end tests on the whole stack. `--with-cluster`, as CI calls it, adds
 * `npm run test:cluster`. */
const withCluster = process.argv.includes('--with-cluster');
const filters = process.argv.slice(2).filter((argument) => argument !== '--with-cluster');
const totals = [];
if (filters.length === 0) totals.push(await runChecks());
totals.push(await runJest({ what: 'unit and integration tests', configFile: 'jest.config.mjs', filters }));
totals.push(
  await runJest({ what: 'tests of picture and sound', configFile: 'tools/testbed/jest/media.config.mjs', filters }),
);
if (filters.length === 0 || filters.some((filter) => filter.includes('e2e'))) {
  totals.push(await runJest({ what: 'end-to-end tests', configFile: 'tools/e2e/jest.config.mjs', filters }));
}
if (withCluster) totals.push(await runClusterTests(filters));
process.exit(printTotals(totals) ? 0 : 1);

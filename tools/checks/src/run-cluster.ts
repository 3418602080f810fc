import { runClusterTests } from './cluster-tests.ts';
import { printTotals } from './totals.ts';

/** `npm run test:cluster`. */
process.exit(printTotals([await runClusterTests(process.argv.slice(2))]) ? 0 : 1);

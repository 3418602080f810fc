import { runClusterTests } from './cluster-tests.ts';
import { printTotals } from './totals.ts';

const soakFlag = '--soak';
const parameters = process.argv.slice(2);

/** `npm run test:cluster`; with `--soak` the suites that are too long for it. */
const totals = await runClusterTests(
  parameters.filter((parameter) => parameter !== soakFlag),
  { soak: parameters.includes(soakFlag) },
);
process.exit(printTotals([totals]) ? 0 : 1);

import { runChecks } from './checks.ts';
import { printTotals } from './totals.ts';

/** `npm run check`: the checks alone, in seconds. */
process.exit(printTotals([await runChecks()]) ? 0 : 1);

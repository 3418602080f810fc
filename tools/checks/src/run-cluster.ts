import { runClusterTests } from './cluster-tests.ts';
import { runNodeTests } from './node-tests.ts';
import { printTotals } from './totals.ts';

/**
 * `npm run test:cluster`; with `--soak` the suites that are too long for it, with `--node` those on nodes that run
 * containers. `--images=TAG`: such nodes take images that buildah has, and none is built. `--keep`: they stay for work by
 * hand.
 */
const [soakFlag, nodeFlag, keepFlag, imagesFlag] = ['--soak', '--node', '--keep', '--images='];
const parameters = process.argv.slice(2);
const filters = parameters.filter(
  (one) => ![soakFlag, nodeFlag, keepFlag].includes(one) && !one.startsWith(imagesFlag),
);
const imagesTag = parameters.find((one) => one.startsWith(imagesFlag))?.slice(imagesFlag.length);
if (parameters.includes(nodeFlag))
  process.exit(await runNodeTests(filters, { imagesTag, keep: parameters.includes(keepFlag) }));
process.exit(printTotals([await runClusterTests(filters, { soak: parameters.includes(soakFlag) })]) ? 0 : 1);

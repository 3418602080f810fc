import { runClusterTests } from './cluster-tests.ts';
import { runNodeTests } from './node-tests.ts';
import { printTotals } from './totals.ts';

/**
 * `npm run test:cluster`; with `--soak` the suites that are too long for it, with `--node` those on a node that runs
 * containers. `--images=TAG`: such a node takes images that buildah has, and builds none.
 */
const [soakFlag, nodeFlag, imagesFlag] = ['--soak', '--node', '--images='];
const parameters = process.argv.slice(2);
const filters = parameters.filter((one) => ![soakFlag, nodeFlag].includes(one) && !one.startsWith(imagesFlag));
const imagesTag = parameters.find((one) => one.startsWith(imagesFlag))?.slice(imagesFlag.length);
if (parameters.includes(nodeFlag)) process.exit(await runNodeTests(filters, imagesTag));
process.exit(printTotals([await runClusterTests(filters, { soak: parameters.includes(soakFlag) })]) ? 0 : 1);

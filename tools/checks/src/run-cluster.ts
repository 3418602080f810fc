import { globSync } from 'node:fs';
import { join } from 'node:path';
import { MissingPrerequisite, nodeFolder, runInNodeNamespaces } from '@rapporteur/cluster';
import { runClusterTests } from './cluster-tests.ts';
import { printTotals } from './totals.ts';
import { runJest } from './jest-run.ts';

const root = join(import.meta.dirname, '../../..');

/**
 * The tests on full nodes: for each file a second process of the same command, in namespaces of its own. Returns the exit
 * code. A missing prerequisite is a failure that states what to install. `keep`: no tests, but the nodes with the trial
 * release until Ctrl-C.
 */
async function runNodeTests(
  filters: readonly string[],
  { imagesTag, keep }: { readonly imagesTag: string | undefined; readonly keep: boolean },
): Promise<number> {
  if (nodeFolder() !== null) {
    const configFile = 'tools/cluster/jest.node.config.mjs';
    return printTotals([await runJest({ what: 'tests on full nodes', configFile, filters })]) ? 0 : 1;
  }
  const programs = keep ? [[join(root, 'tools/chart/src/keep-node.ts')]] : testPrograms(filters);
  if (programs.length === 0) {
    process.stderr.write(`No *.node.test.ts matches ${filters.join(' ')}.\n`);
    return 1;
  }
  process.stdout.write('\n== preparing full nodes\n');
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  try {
    const runtime = [process.execPath, '--disable-warning=ExperimentalWarning'];
    return await runInNodeNamespaces(
      programs.map((program) => [...runtime, ...program]),
      { imagesTag, say },
    );
  } catch (error) {
    process.stderr.write(`${error instanceof MissingPrerequisite ? error.message : String((error as Error).stack)}\n`);
    return 1;
  }
}

/** This program with each of the test files whose path has one of the filters. */
function testPrograms(filters: readonly string[]): string[][] {
  const files = globSync('{apps,libs,tools}/*/src/**/*.node.test.ts', { cwd: root }).toSorted();
  const wanted = files.filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)));
  return wanted.map((file) => [process.argv[1] ?? '', '--node', file]);
}

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

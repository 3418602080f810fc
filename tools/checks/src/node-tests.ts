import { MissingPrerequisite, nodeFolder, runInNodeNamespaces } from '@rapporteur/cluster';
import { runJest } from './jest-run.ts';
import { printTotals } from './totals.ts';

/**
 * The tests on a full node, in its namespaces: a second process of the same command. Returns the exit code. A missing
 * prerequisite is a failure that states what to install.
 */
export async function runNodeTests(filters: readonly string[], imagesTag: string | undefined): Promise<number> {
  if (nodeFolder() !== null) {
    const configFile = 'tools/cluster/jest.node.config.mjs';
    return printTotals([await runJest({ what: 'tests on a full node', configFile, filters })]) ? 0 : 1;
  }
  process.stdout.write('\n== preparing a full node\n');
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', ...process.argv.slice(1)];
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  try {
    return await runInNodeNamespaces(command, { imagesTag, say });
  } catch (error) {
    process.stderr.write(`${error instanceof MissingPrerequisite ? error.message : String((error as Error).stack)}\n`);
    return 1;
  }
}

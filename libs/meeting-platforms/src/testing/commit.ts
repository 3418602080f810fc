import { execFileSync } from 'node:child_process';
import { layersOnTurn, sampledSelection } from '../conformance/selection.ts';
import type { ConformanceSelection } from '../conformance/selection.ts';
import type { CoveredPlatform } from './coverage.ts';

/** Prints the platform whose signal layers this run covers, so that the selection can be repeated. */
export function sampledOfThisCommit(platform: CoveredPlatform): ConformanceSelection {
  const commit = commitOfTheseSources();
  const onTurn = layersOnTurn(commit);
  if (platform === onTurn)
    process.stderr.write(`Commit ${commit.slice(0, 8)}: this run listens to the layers of signals of ${onTurn}.\n`);
  return sampledSelection(platform, onTurn);
}

/** Sources without a repository count as the first commit. */
function commitOfTheseSources(): string {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return '0'.repeat(40);
  }
}

import { faultKinds, scenarios as meetings } from '@rapporteur/simulator';
import type { CoveredPlatform, CoveredRun } from './coverage.ts';
import { coveredPlatforms, coveredRuns, elementTests, uncovered } from './coverage.ts';
import { notCovered } from './coverage-reasons.ts';

const intro = `# What the conformance suite goes through

Written by \`npm run conformance -- --write-coverage\`; a test keeps it complete. Each platform's bot is sent through these
meetings of \`tools/simulator\`. States are those of the page as the bot reads it, faults those of the simulator.
What \`POST /rooms {"scenario": name}\` starts is listed at the end.
`;

/** The coverage table as a Markdown document. */
export function coverageTable(): string {
  const parts = [intro, elements(), faults(), ...coveredPlatforms.map(platformPart), startable()];
  return `${parts.join('\n')}\n`;
}

function elements(): string {
  const rows = Object.entries(elementTests).map(([element, test]) => `| ${element} | ${test} |`);
  return ['## Elements that are pressed or filled', '', '| element | test |', '|---|---|', ...rows, ''].join('\n');
}

function faults(): string {
  const runs = coveredPlatforms.flatMap((platform) => coveredRuns(platform).map((run) => ({ platform, run })));
  const rows = faultKinds.map((kind) => {
    const names = new Set(runs.filter(({ run }) => run.faults.includes(kind)).map(({ run }) => run.name));
    return `| ${kind} | ${[...names].join('; ')} |`;
  });
  const crash =
    '| page crash (over the browser, no page can do it to itself) | the page crashes; … while the bot waits |';
  return ['## Faults', '', '| fault | scenarios |', '|---|---|', ...rows, crash, ''].join('\n');
}

function platformPart(platform: CoveredPlatform): string {
  const runs = coveredRuns(platform);
  const usual = new Set(mostlyChosen(runs));
  const rows = runs.map(({ name, states, variants }) => {
    const special = variants.filter((variant) => !usual.has(variant)).join(', ');
    return `| ${name} | ${[...new Set(states)].join(', ')} | ${special} |`;
  });
  const reasons = uncovered(platform).map((what) => `- ${what}: ${notCovered[platform][what] ?? 'not yet'}`);
  return [
    `## ${platform}`,
    '',
    '| scenario | states | variants, where not the usual ones |',
    '|---|---|---|',
    ...rows,
    '',
    ...(reasons.length === 0 ? [] : ['Not gone through:', '', ...reasons, '']),
  ].join('\n');
}

/** The value that most runs have, per option. */
function mostlyChosen(runs: readonly CoveredRun[]): string[] {
  const counts = new Map<string, number>();
  for (const variant of runs.flatMap(({ variants }) => variants)) counts.set(variant, (counts.get(variant) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > runs.length / 2).map(([variant]) => variant);
}

function startable(): string {
  const rows = meetings.map(({ name, what, platforms }) => `| ${name} | ${platforms?.join(', ') ?? 'all'} | ${what} |`);
  return [
    '## Scenarios that the simulator starts by name',
    '',
    '| name | platforms | what |',
    '|---|---|---|',
    ...rows,
  ].join('\n');
}

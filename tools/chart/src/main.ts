// Writes the generated tables: the values in the chart's README, what each pod may do in docs/pod-rights.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowedConnections, connectionsTable, jobOfBot } from './connectivity.ts';
import { chartFolder, filesOf, openHelm } from './helm.ts';
import { podRights, rightsTable } from './pod-rights.ts';
import { parseObjects } from './rendered.ts';
import { readValues, valuesTable, withGenerated } from './values-table.ts';

const root = join(chartFolder, '../..');
const rewrite = (file: string, ...generated: readonly string[]): void =>
  writeFileSync(file, withGenerated(readFileSync(file, 'utf8'), ...generated));

rewrite(
  join(chartFolder, 'README.md'),
  valuesTable(readValues(readFileSync(join(chartFolder, 'values.yaml'), 'utf8'))),
);
const helm = await openHelm();
const { code, output, errors } = await helm.run([
  'template',
  'rapporteur',
  chartFolder,
  '--namespace',
  'rapporteur',
  ...filesOf('production'),
]);
if (code !== 0) throw new Error(errors);
const rendered = parseObjects(output);
const objects = [...rendered, jobOfBot(root, rendered)];
rewrite(
  join(root, 'docs/pod-rights.md'),
  rightsTable(podRights(objects)),
  connectionsTable(await allowedConnections(objects)),
);

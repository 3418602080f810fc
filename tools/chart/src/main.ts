// Writes the generated parts: the values in the chart's README, the descriptions in its schema (format it with oxfmt),
// the permissions of each pod in docs/pod-rights.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowedConnections, connectionsTable, jobOfBot } from './connectivity.ts';
import { differenceOf, linesOf } from './golden.ts';
import { chartFolder, examples, openHelm, renderChart } from './helm.ts';
import { podRights, rightsTable } from './pod-rights.ts';
import { describeSchema } from './schema-descriptions.ts';
import type { Schema } from './schema-descriptions.ts';
import { readValues, valuesTable, withGenerated } from './values-table.ts';

const root = join(chartFolder, '../..');
const rewrite = (file: string, ...generated: readonly string[]): void =>
  writeFileSync(file, withGenerated(readFileSync(file, 'utf8'), ...generated));

const rows = readValues(readFileSync(join(chartFolder, 'values.yaml'), 'utf8'));
rewrite(join(chartFolder, 'README.md'), valuesTable(rows));
const schemaFile = join(chartFolder, 'values.schema.json');
const schema = JSON.parse(readFileSync(schemaFile, 'utf8')) as Schema;
writeFileSync(schemaFile, `${JSON.stringify(describeSchema(schema, rows), null, 2)}\n`);
const helm = await openHelm();
const rendered = await renderChart(helm, 'production');
const objects = [...rendered, jobOfBot(root, rendered)];
rewrite(
  join(root, 'docs/pod-rights.md'),
  rightsTable(podRights(objects)),
  connectionsTable(await allowedConnections(objects)),
);

const golden = join(import.meta.dirname, '../generated');
const base = linesOf(rendered);
writeFileSync(join(golden, 'production.txt'), `${base.join('\n')}\n`);
for (const name of examples) {
  const lines = differenceOf(base, linesOf(await renderChart(helm, name)));
  writeFileSync(join(golden, `${name}.txt`), `${lines.join('\n')}\n`);
}

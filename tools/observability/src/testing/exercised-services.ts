import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMetrics } from '@rapporteur/service-runtime';
import type { MetricDefinition, Metrics } from '@rapporteur/service-runtime';
import { metricCatalogue } from '../metric-catalogue.ts';

/** Services that expose every metric of the catalogue, and have activity to count before each scrape. */
export interface ExercisedServices {
  /** `host:port`, with one path of metrics per service. */
  readonly address: string;
  readonly paths: readonly string[];
  close(): Promise<void>;
}

/** Values of labels that the code limits. */
const samples: Readonly<Record<string, readonly string[]>> = {
  route: ['/v2/bots', '/v2/bots/:bot_id'],
  status: ['200', '500'],
  code: ['VALIDATION', 'INTERNAL'],
  event: ['bots.v1.ended', 'runners.v1.report.*'],
  what: ['bots'],
  provider: ['gladia'],
};
const shared = 3;
/** Above the limit of every alert on an age. */
const gaugeValue = 1_000;

export async function startExercisedServices(): Promise<ExercisedServices> {
  const everywhere = metricCatalogue.slice(0, shared);
  const services = metricCatalogue.slice(shared).map(({ title, definitions }) => {
    const metrics = createMetrics(title);
    const all = [...everywhere.map((group) => group.definitions), definitions].flatMap((group) => Object.values(group));
    return { path: `/${title}/metrics`, metrics, definitions: all };
  });
  const server = createServer((request, response) => {
    const service = services.find(({ path }) => path === request.url);
    if (service === undefined) return void response.writeHead(404).end();
    for (const definition of service.definitions) exercise(service.metrics, definition);
    void service.metrics.render(request.headers.accept).then(({ contentType, text }) => {
      response.writeHead(200, { 'content-type': contentType }).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { address: `127.0.0.1:${port}`, paths: services.map(({ path }) => path), close: () => closed(server) };
}

function exercise(metrics: Metrics, definition: MetricDefinition): void {
  const { metric } = metrics.declare({ metric: definition as MetricDefinition & { readonly type: 'histogram' } });
  const handle = metric as unknown as Record<'inc' | 'set' | 'observe', (labels: object, value: number) => void>;
  for (const labels of labelSets(Object.entries(definition.labels ?? {}))) {
    if (definition.type === 'counter') handle.inc(labels, 2);
    else if (definition.type === 'gauge') handle.set(labels, gaugeValue);
    else handle.observe(labels, 0.2);
  }
}

type LabelEntries = readonly (readonly [string, NonNullable<MetricDefinition['labels']>[string]])[];

function labelSets(labels: LabelEntries): Record<string, string>[] {
  const [first, ...rest] = labels;
  if (first === undefined) return [{}];
  const [name, values] = first;
  const some = 'boundedBy' in values ? (samples[name] ?? ['sample']) : values;
  return labelSets(rest).flatMap((set) => some.map((value) => ({ [name]: value, ...set })));
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

import { trace, TraceFlags } from '@opentelemetry/api';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { RegistryContentType } from 'prom-client';
import { withDeadline } from '@rapporteur/async';
import type { Handles, LabelValues, MetricDefinition, MetricDefinitions } from './metric-definitions.ts';
import { runtimeMetrics } from './runtime-metrics.ts';

/** The metrics of one service: one registry, with label values only from the definitions. */
export interface Metrics {
  /** Registers metrics by their definitions; the same definition returns the same metric. */
  declare<D extends MetricDefinitions>(definitions: D): Handles<D>;
  /**
   * Runs `read` before an exposition, at most once in five seconds and for two: it sets these gauges from the database.
   * While it fails they have no value.
   */
  collect(what: string, gauges: readonly { reset(): void }[], read: () => Promise<void>): void;
  /** Exposition for a scraper with this Accept header: OpenMetrics, with exemplars, where it requests that. */
  render(accept?: string): Promise<{ readonly contentType: string; readonly text: string }>;
}

const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const collectAtMostEveryMs = 5_000;
const collectDeadlineMs = 2_000;

type Labels = Readonly<Record<string, string>>;
type Handle = {
  inc(labels: Labels, value?: number): void;
  set(labels: Labels, value: number): void;
  observe(labels: Labels, value: number): void;
  reset(): void;
};

export function createMetrics(service: string): Metrics {
  const registry = new Registry() as Registry<RegistryContentType>;
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  // Not `service`: scrapers give targets that label, and then rename this one.
  registry.setDefaultLabels({ component: service });
  collectDefaultMetrics({ register: registry });
  const made = new Map<string, Handle>();
  const collectors: (() => Promise<void>)[] = [];
  const declare = <D extends MetricDefinitions>(definitions: D): Handles<D> => {
    const handles = Object.entries(definitions).map(([key, definition]): [string, Handle] => {
      // Two apps of one service (public and admin) declare the same HTTP metrics and share them.
      const handle = made.get(definition.name) ?? create(definition, [registry]);
      made.set(definition.name, handle);
      return [key, handle];
    });
    return Object.fromEntries(handles) as unknown as Handles<D>;
  };
  const { collectFailures } = declare(runtimeMetrics);
  return {
    declare,
    collect: (what, gauges, read) => {
      const onFailure = (): void => {
        collectFailures.inc({ what });
        for (const gauge of gauges) gauge.reset();
      };
      collectors.push(onceInAWhile(read, onFailure));
    },
    render: async (accept = '') => {
      await Promise.all(collectors.map((collect) => collect()));
      const text = await registry.metrics();
      if (accept.includes('application/openmetrics-text')) return { contentType: registry.contentType, text };
      return { contentType: Registry.PROMETHEUS_CONTENT_TYPE, text: asPlainText(text) };
    },
  };
}

/** The older text format: counters carry `_total` in their description too, and there are no exemplars. */
function asPlainText(text: string): string {
  const counters = new Set(Array.from(text.matchAll(/^# TYPE (\S+) counter$/gm), ([, name]) => name));
  return text
    .replaceAll(/^(# (?:HELP|TYPE) )(\S+)/gm, (line, start: string, name: string) =>
      counters.has(name) ? `${start}${name}_total` : line,
    )
    .split('\n')
    .filter((line) => line !== '# EOF')
    .map(withoutExemplar)
    .join('\n');
}

function withoutExemplar(line: string): string {
  const exemplar = line.startsWith('#') ? -1 : line.lastIndexOf(' # {');
  return exemplar === -1 ? line : line.slice(0, exemplar);
}

/** An unreachable database must not keep a scrape from the other metrics. */
function onceInAWhile(read: () => Promise<void>, onFailure: () => void): () => Promise<void> {
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;
  return async () => {
    if (performance.now() - readAt < collectAtMostEveryMs) return;
    reading ??= read().finally(() => {
      readAt = performance.now();
      reading = undefined;
    });
    await withDeadline(reading, collectDeadlineMs, 'Reading gauges').catch(onFailure);
  };
}

function create(definition: MetricDefinition, registers: Registry<RegistryContentType>[]): Handle {
  const { type, name, help, labels = {}, buckets = secondsBuckets } = definition;
  const settings = { name, help, labelNames: Object.keys(labels), registers };
  const bound = boundLabels(labels);
  const unsupported = (): never => {
    throw new Error(`${name} is a ${type}.`);
  };
  const none: Handle = { inc: unsupported, set: unsupported, observe: unsupported, reset: unsupported };
  if (type === 'counter') {
    const counter = new Counter(settings);
    return { ...none, inc: (given, value = 1) => counter.inc(bound(given), value) };
  }
  if (type === 'gauge') {
    const gauge = new Gauge(settings);
    const reset = (): void => {
      gauge.reset();
      // A gauge without labels would be exposed as 0.
      if (settings.labelNames.length === 0) gauge.remove();
    };
    reset();
    return { ...none, set: (given, value) => gauge.set(bound(given), value), reset };
  }
  const histogram = new Histogram({ ...settings, buckets: [...buckets], enableExemplars: true });
  return {
    ...none,
    observe: (given, value) => histogram.observe({ labels: bound(given), value, ...exemplar() }),
  };
}

function exemplar(): { exemplarLabels?: Record<string, string> } {
  const span = trace.getActiveSpan()?.spanContext();
  if (span === undefined || (span.traceFlags & TraceFlags.SAMPLED) === 0) return {};
  return { exemplarLabels: { trace_id: span.traceId } };
}

const elsewhere = 'other';

function boundLabels(definitions: Readonly<Record<string, LabelValues>>): (given: Labels) => Record<string, string> {
  const checks = Object.entries(definitions).map(([name, values]) => [name, boundOf(values)] as const);
  return (given) => Object.fromEntries(checks.map(([name, bound]) => [name, bound(given[name] ?? '')]));
}

function boundOf(values: LabelValues): (value: string) => string {
  if ('boundedBy' in values) {
    const seen = new Set<string>();
    return (value) => {
      if (seen.has(value)) return value;
      if (seen.size >= values.most) return elsewhere;
      seen.add(value);
      return value;
    };
  }
  const known = new Set(values);
  return (value) => (known.has(value) ? value : elsewhere);
}

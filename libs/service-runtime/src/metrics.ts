import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Declares metrics by name, meaning and labels; one registry per service. Names carry the unit last. */
export interface Metrics {
  counter(name: string, help: string, labelNames?: readonly string[]): Counter;
  gauge(name: string, help: string, labelNames?: readonly string[]): Gauge;
  histogram(name: string, help: string, labelNames?: readonly string[], buckets?: readonly number[]): Histogram;
  /** Prometheus text. */
  render(): Promise<string>;
  readonly contentType: string;
}

const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  // Two apps of one service (public and admin) declare the same HTTP metrics: the first one made serves both.
  const once = <T>(name: string, make: () => T): T => (registry.getSingleMetric(name) as T | undefined) ?? make();
  return {
    counter: (name, help, labelNames = []) =>
      once(name, () => new Counter({ name, help, labelNames: [...labelNames], registers })),
    gauge: (name, help, labelNames = []) =>
      once(name, () => new Gauge({ name, help, labelNames: [...labelNames], registers })),
    histogram: (name, help, labelNames = [], buckets = secondsBuckets) =>
      once(name, () => new Histogram({ name, help, labelNames: [...labelNames], buckets: [...buckets], registers })),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

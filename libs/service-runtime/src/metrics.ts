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
  return {
    counter: (name, help, labelNames = []) => new Counter({ name, help, labelNames: [...labelNames], registers }),
    gauge: (name, help, labelNames = []) => new Gauge({ name, help, labelNames: [...labelNames], registers }),
    histogram: (name, help, labelNames = [], buckets = secondsBuckets) =>
      new Histogram({ name, help, labelNames: [...labelNames], buckets: [...buckets], registers }),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

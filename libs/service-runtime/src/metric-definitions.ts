/** Values that code, not a caller, determines; beyond `most` of them a value is recorded as `other`. */
export interface BoundedValues {
  readonly boundedBy: string;
  readonly most: number;
}

/**
 * Every value of a label. A value that is not listed is recorded as `other`: a label never contains an id or an
 * address.
 */
export type LabelValues = readonly string[] | BoundedValues;

export interface MetricDefinition {
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** `rapporteur_<what>_<unit>`, counters with `_total` last. */
  readonly name: string;
  /** The unit: `seconds`, `bytes`, or the noun that is counted. */
  readonly unit: string;
  /** Its meaning, in one sentence. */
  readonly help: string;
  readonly labels?: Readonly<Record<string, LabelValues>>;
  /** Upper bounds of a histogram's buckets, in its unit; default: 5 ms to 30 s. */
  readonly buckets?: readonly number[];
}

export type MetricDefinitions = Readonly<Record<string, MetricDefinition>>;

type LabelsOf<D extends MetricDefinition> =
  D['labels'] extends Readonly<Record<string, LabelValues>>
    ? { readonly [Name in keyof D['labels']]: string }
    : Readonly<Record<never, string>>;

export interface CounterHandle<Labels> {
  inc(labels: Labels, value?: number): void;
}
export interface GaugeHandle<Labels> {
  set(labels: Labels, value: number): void;
  /** Drops every value: until the next `set` nothing is exposed. */
  reset(): void;
}
export interface HistogramHandle<Labels> {
  /** Carries the current trace as an exemplar where that trace is sampled. */
  observe(labels: Labels, value: number): void;
}

export type HandleOf<D extends MetricDefinition> = D['type'] extends 'counter'
  ? CounterHandle<LabelsOf<D>>
  : D['type'] extends 'gauge'
    ? GaugeHandle<LabelsOf<D>>
    : HistogramHandle<LabelsOf<D>>;

export type Handles<D extends MetricDefinitions> = { readonly [Key in keyof D]: HandleOf<D[Key]> };

/** Keeps the literal types of a service's definitions and checks their shape. */
export function defineMetrics<const D extends MetricDefinitions>(definitions: D): D {
  return definitions;
}

import type { busMetrics } from './metrics.ts';

/** The part of a logger that the bus uses; service-runtime's Logger fits. */
export interface BusLogger {
  readonly info: (fields: object, message: string) => void;
  readonly warn: (fields: object, message: string) => void;
  readonly error: (fields: object, message: string) => void;
}

/** The part of metrics that the bus uses; service-runtime's Metrics fits. */
export interface BusMetrics {
  declare(definitions: typeof busMetrics): BusMeasurements;
}

export interface BusMeasurements {
  readonly handled: { observe(labels: { readonly event: string; readonly outcome: string }, value: number): void };
  readonly published: { inc(labels: { readonly event: string; readonly outcome: string }): void };
  readonly unsettled: { set(labels: object, value: number): void };
  readonly oldestUnsettled: { set(labels: object, value: number): void };
}

/** Content of a message on a stream: an event envelope, or a runner's numbered report. */
export type EventMessage = object;

export interface Stoppable {
  /** Idempotent. */
  stop(): Promise<void>;
}

/** Stops all of them concurrently. */
export function stopTogether(parts: readonly Stoppable[]): Stoppable {
  return { stop: async () => void (await Promise.all(parts.map((part) => part.stop()))) };
}

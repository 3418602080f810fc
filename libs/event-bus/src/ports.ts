/** What the bus needs of a logger; service-runtime's Logger fits. */
export interface BusLogger {
  readonly info: (fields: object, message: string) => void;
  readonly warn: (fields: object, message: string) => void;
  readonly error: (fields: object, message: string) => void;
}

/** What the outbox needs to show its state; service-runtime's Metrics fits. */
export interface BusMetrics {
  gauge(name: string, help: string): { set(value: number): void };
}

/** What a message on a stream holds: an event envelope, or a runner's numbered report. */
export type EventMessage = object;

export interface Stoppable {
  /** Safe twice. */
  stop(): Promise<void>;
}

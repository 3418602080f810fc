/** What the bus needs of a logger. */
export interface BusLogger {
  readonly info: (fields: object, message: string) => void;
  readonly warn: (fields: object, message: string) => void;
  readonly error: (fields: object, message: string) => void;
}

/** What a message on a stream holds: an event envelope, or a runner's numbered report. */
export type EventMessage = object;

import type { Express } from 'express';
import type { Clock, PeriodicTask, Repetition } from '@rapporteur/async';
import type { InternalAuth } from './internal-auth.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';

/** The runtime of a service, common to all services. */
export interface Service {
  readonly name: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly auth: InternalAuth;
  readonly stopping: boolean;
  readonly readinessChecks: ReadonlyMap<string, () => Promise<void>>;
  listen(app: Express, options: ListenOptions): Promise<Listening>;
  /** Stops run in reverse order of these calls; default deadline 10 s each. */
  onStop(what: string, stop: () => Promise<void> | void, deadlineMs?: number): void;
  /** Repeats the work until the service stops; the first of several failures in a row is logged. */
  repeat(task: PeriodicTask): Repetition;
  /** /health/ready responds 200 only while every check resolves within 2 s; it checks once a second at most. */
  readiness(what: string, check: () => Promise<void>): void;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** After a stop began: how long requests in progress may take; default 16 000. */
  readonly drainMs?: number;
  /** After a response that did not wait for the whole body: how long its rest may take; default 30 000. */
  readonly restOfBodyMs?: number;
}

export interface Listening {
  readonly url: string;
  readonly port: number;
}

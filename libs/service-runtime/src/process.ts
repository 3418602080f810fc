// The second door: for programs that serve nothing over HTTP and whose first milliseconds count.
export { systemClock, withDeadline } from '@rapporteur/async';
export type { Clock } from '@rapporteur/async';
export {
  ConfigurationError,
  durationMs,
  environmentWith,
  flag,
  httpUrl,
  loadConfig,
  runtimeConfig,
  secret,
  withDefault,
} from './config.ts';
export type { ConfigOf } from './config.ts';
export { createLogger } from './logger.ts';
export type { Logger } from './logger.ts';

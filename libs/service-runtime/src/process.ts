// The second entry point: for programs without HTTP whose start time matters.
export { SteadyClock, systemClock, withDeadline } from '@rapporteur/async';
export type { Clock } from '@rapporteur/async';
export {
  busTlsConfig,
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

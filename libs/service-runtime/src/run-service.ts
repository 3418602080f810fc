import { startPeriodicTask, systemClock, withDeadline } from '@rapporteur/async';
import type { Clock } from '@rapporteur/async';
import { ConfigurationError, databaseConfig, loadConfig, runtimeConfig } from './config.ts';
import type { ConfigOf, ConfigShape, LogLevel } from './config.ts';
import { listen } from './http.ts';
import { createInternalAuth } from './internal-auth.ts';
import { createLogger } from './logger.ts';
import type { Logger } from './logger.ts';
import { createMetrics } from './metrics.ts';
import { Secret } from './secret.ts';
import { startTracing } from './tracing.ts';
import type { Service } from './service.ts';

export interface ServiceDependencies {
  readonly name: string;
  readonly logLevel?: LogLevel;
  readonly logger?: Logger;
  readonly internalSecret?: Secret;
  readonly tracesUrl?: string | undefined;
  readonly clock?: Clock;
}

/** A service without a process: used by `runService`, and by tests in their own process. */
export function createService(dependencies: ServiceDependencies): Service & { stop(): Promise<boolean> } {
  const logger = dependencies.logger ?? createLogger(dependencies.name, dependencies.logLevel ?? 'info');
  const stops = new StopList(logger);
  const checks = new Map<string, () => Promise<void>>();
  let stopping = false;
  stops.add('tracing', startTracing(dependencies.name, dependencies.tracesUrl), 3_000);
  const service: Service & { stop(): Promise<boolean> } = {
    name: dependencies.name,
    logger,
    metrics: createMetrics(dependencies.name),
    clock: dependencies.clock ?? systemClock,
    auth: createInternalAuth(
      dependencies.name,
      dependencies.internalSecret ?? new Secret(crypto.randomUUID() + crypto.randomUUID()),
    ),
    get stopping() {
      return stopping;
    },
    readinessChecks: checks,
    listen: (app, options) => listen(service, app, options),
    onStop: (what, stop, deadlineMs) => stops.add(what, stop, deadlineMs),
    repeat: (task) => {
      const repetition = startPeriodicTask(task, service);
      stops.add(task.what, () => repetition.stop());
      return repetition;
    },
    readiness: (what, check) => void checks.set(what, check),
    stop: () => {
      stopping = true;
      return stops.stopAll();
    },
  };
  return service;
}

export interface ServiceDefinition<S extends ConfigShape> {
  readonly name: string;
  readonly config: S;
  /** Opens the service's dependencies in order; each registers its stop. Default deadline 60 s. */
  readonly start: (service: Service & { readonly config: ConfigOf<S & typeof runtimeConfig> }) => Promise<void>;
  readonly startDeadlineMs?: number;
  /** Migrates the service's schema to the version of this build: `main.js migrate` does that and ends. */
  readonly migrate?: (databaseUrl: string) => Promise<void>;
}

const migrationDeadlineMs = 540_000;
const exitCodes = { clean: 0, failed: 1, configuration: 78 } as const;

/**
 * Runs one service as this process: strict configuration, start in order, stop in reverse order on SIGTERM, SIGINT or
 * when the parent process is gone. Exit codes: 0 clean, 1 failed, 78 invalid configuration. With the argument
 * `check-configuration` it reads the configuration and ends, with `migrate` it migrates the schema and ends.
 */
export async function runService<S extends ConfigShape>(definition: ServiceDefinition<S>): Promise<void> {
  if (process.argv[2] === 'migrate') return migrateAndExit(definition);
  if (process.argv[2] === 'check-configuration') {
    configOrExit(definition);
    process.exit(exitCodes.clean);
  }
  const config = configOrExit(definition);
  const { logLevel, tracesUrl, internalSecret } = config as unknown as {
    logLevel: LogLevel;
    tracesUrl?: string;
    internalSecret?: Secret;
  };
  const service = createService({
    name: definition.name,
    logLevel,
    tracesUrl,
    ...(internalSecret === undefined ? {} : { internalSecret }),
  });
  const stopAndExit = async (why: string, code: number): Promise<void> => {
    service.logger.info({ why }, `${definition.name} is stopping: ${why}.`);
    const clean = await service.stop();
    service.logger.info({ clean }, `${definition.name} has stopped.`);
    process.exit(clean ? code : exitCodes.failed);
  };
  process.once('SIGTERM', () => void stopAndExit('SIGTERM', exitCodes.clean));
  process.once('SIGINT', () => void stopAndExit('SIGINT', exitCodes.clean));
  process.once('disconnect', () => void stopAndExit('the process that started it is gone', exitCodes.clean));
  process.once('uncaughtException', (error) => crash(service, error, stopAndExit));
  process.once('unhandledRejection', (error) => crash(service, error, stopAndExit));
  try {
    const started = definition.start(Object.assign(service, { config }));
    await withDeadline(started, definition.startDeadlineMs ?? 60_000, `Starting ${definition.name}`);
  } catch (error) {
    const { message } = error as Error;
    service.logger.error({ err: error }, `${definition.name} could not start: ${message}`);
    process.send?.({ failed: message });
    await stopAndExit('it could not start', exitCodes.failed);
    return;
  }
  service.logger.info({}, `${definition.name} is ready.`);
  process.send?.({ ready: definition.name });
}

/** The migration needs only `databaseUrl` of all settings. */
async function migrateAndExit({
  name,
  migrate,
}: Pick<ServiceDefinition<ConfigShape>, 'name' | 'migrate'>): Promise<void> {
  const { databaseUrl, logLevel } = configOrExit({ name, config: { databaseUrl: databaseConfig.databaseUrl } });
  const logger = createLogger(name, logLevel);
  try {
    if (migrate === undefined) throw new Error('it has no schema');
    await withDeadline(migrate(databaseUrl.reveal()), migrationDeadlineMs, 'The migration');
    logger.info({}, `The schema of ${name} is what this build needs.`);
    process.exit(exitCodes.clean);
  } catch (error) {
    logger.error({ err: error }, `${name} could not migrate its schema: ${(error as Error).message}`);
    process.exit(exitCodes.failed);
  }
}

function crash(service: Service, error: unknown, stopAndExit: (why: string, code: number) => Promise<void>): void {
  service.logger.error({ err: error }, 'Uncaught exception. Stopping, so that a new process takes over.');
  void stopAndExit('an uncaught exception', exitCodes.failed);
}

function configOrExit<S extends ConfigShape>(
  definition: Pick<ServiceDefinition<S>, 'name' | 'config'>,
): ConfigOf<S & typeof runtimeConfig> {
  try {
    return loadConfig({ ...runtimeConfig, ...definition.config }) as ConfigOf<S & typeof runtimeConfig>;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    process.stderr.write(`${definition.name} does not start. ${error.message}\n`);
    process.exit(exitCodes.configuration);
  }
}

interface Stoppable {
  readonly what: string;
  readonly stop: () => Promise<void> | void;
  readonly deadlineMs: number;
}

/** Stops what was registered in reverse order, each within its deadline. Idempotent. */
export class StopList {
  readonly #entries: Stoppable[] = [];
  readonly #logger: Logger;
  #stopping: Promise<boolean> | undefined;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  add(what: string, stop: () => Promise<void> | void, deadlineMs = 10_000): void {
    this.#entries.push({ what, stop, deadlineMs });
  }

  /** Resolves to true when everything stopped cleanly. Never rejects. */
  stopAll(): Promise<boolean> {
    this.#stopping ??= this.#run();
    return this.#stopping;
  }

  async #run(): Promise<boolean> {
    let clean = true;
    for (const { what, stop, deadlineMs } of this.#entries.toReversed()) {
      try {
        await withDeadline(Promise.resolve(stop()), deadlineMs, `Stopping ${what}`);
      } catch (error) {
        clean = false;
        this.#logger.error({ err: error, what }, `${what} did not stop cleanly; going on with the rest.`);
      }
    }
    return clean;
  }
}

import { ConfigurationError, createLogger, loadConfig, systemClock } from '@rapporteur/service-runtime/process';
import type { Logger } from '@rapporteur/service-runtime/process';
import { isPlaywrightError } from './browser/is-playwright-error.ts';
import { runWithBrowsers } from './browser/run-with-browsers.ts';
import { runnerConfig } from './config.ts';
import type { RunnerConfig } from './config.ts';
import { exitCodes } from './exit-codes.ts';
import { drainLimitMs, Termination } from './termination.ts';
import { redeemTicket, TicketRefused } from './invocation/redeem-ticket.ts';

// Only what starts the browser is loaded here; the rest is loaded (`run.ts`) while that starts, on another core.

function configOrExit(): RunnerConfig {
  try {
    return loadConfig(runnerConfig);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    process.stderr.write(`bot-runner does not start. ${error.message}\n`);
    process.exit(exitCodes.configuration);
  }
}

async function run(config: RunnerConfig, logger: Logger, termination: Termination): Promise<number> {
  const { schedulerUrl, busUrl, storageUrl } = config;
  const invocation = await redeemTicket({
    schedulerUrl,
    busUrl,
    storageUrl,
    ticket: config.launchTicket.reveal(),
    clock: systemClock,
    signal: termination.drain,
  });
  return await runWithBrowsers({ config, invocation, logger, termination });
}

const config = configOrExit();
const logger = createLogger('bot-runner', config.logLevel);
const termination = new Termination(config.terminationGraceMs, systemClock);
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    logger.info({ signal }, `${signal}: this process is to end.`);
    termination.request();
  });
}
termination.drain.addEventListener('abort', () => {
  logger.info({}, 'Leaving the meeting and saving what was recorded.');
  setTimeout(() => {
    logger.error({}, 'Saving took too long; what is uploaded can be finished by another run.');
    process.exit(exitCodes.unfinished);
  }, drainLimitMs).unref();
});
process.on('unhandledRejection', (error) =>
  logger.error({ err: error }, 'Unhandled promise rejection. The meeting continues.'),
);
process.on('uncaughtException', (error) => {
  if (isPlaywrightError(error)) {
    logger.error({ err: error }, 'Playwright could not use a message of the browser. The meeting continues.');
    return;
  }
  logger.error({ err: error }, 'Uncaught exception. The run ends.');
  process.exit(exitCodes.unfinished);
});

let exitCode: number = exitCodes.unfinished;
try {
  exitCode = await run(config, logger, termination);
} catch (error) {
  logger.error({ err: error }, `The run failed: ${(error as Error).message}`);
  if (error instanceof TicketRefused) exitCode = exitCodes.fenced;
}
if (termination.requested.aborted && exitCode === exitCodes.done) exitCode = exitCodes.interrupted;
logger.info({ exitCode, ranMs: Math.round(performance.now()) }, 'The run is over.');
process.exit(exitCode);

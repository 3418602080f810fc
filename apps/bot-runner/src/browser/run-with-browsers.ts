import { join } from 'node:path';
import type { BotInvocation } from '@rapporteur/contracts';
import type { Logger } from '@rapporteur/service-runtime/process';
import type { RunnerConfig } from '../config.ts';
import type { Termination } from '../termination.ts';
import { Browsers } from './browsers.ts';
import { launchBrowser } from './launch-browser.ts';

export interface InvokedRun {
  readonly config: RunnerConfig;
  readonly invocation: BotInvocation;
  readonly logger: Logger;
  /** Aborted when this process is about to stop. */
  readonly termination: Termination;
}

/**
 * Executes an invocation, including its browser. Only the code that starts the browser is loaded at once. @returns the
 * exit code
 */
export async function runWithBrowsers({ config, invocation, logger, termination }: InvokedRun): Promise<number> {
  const { botId, teamId, attempt, mode, meeting, simulator, outbound } = invocation;
  const runLogger = logger.child({ botId, teamId, attempt });
  runLogger.info({ mode, platform: meeting.platform, simulated: simulator !== null }, 'The run begins.');
  const browsers = new Browsers((number) =>
    launchBrowser({
      executablePath: config.chromiumPath,
      sandbox: config.chromiumSandbox,
      // A browser that hangs may still hold its own profile.
      profileFolder: join(config.workFolder, `profile-${number}`),
      simulator,
      caFile: outbound.caFile,
      proxy: outbound.proxy,
    }),
  );
  if (mode === 'attend') void browsers.launch().catch(() => undefined);
  try {
    const { runInvocation } = await import('../run.ts');
    return await runInvocation({ config, invocation, logger: runLogger, termination, browsers });
  } finally {
    await browsers.close();
  }
}

import type { Logger } from '@rapporteur/service-runtime';
import type { BotLauncher } from './launcher.ts';

/**
 * Requests every run to leave its meeting and save, and waits; after `drainMs` the rest is killed. A killed run's
 * recording so far is in storage, and the next start of the scheduler finalizes it.
 */
export async function drainRuns(launcher: BotLauncher, drainMs: number, logger: Logger): Promise<void> {
  const running = (await launcher.observe()).filter((run) => run.state === 'running');
  if (running.length === 0) return;
  logger.info({ runs: running.length, drainMs }, 'Asking every running bot to leave and save.');
  const results = await Promise.allSettled(running.map((run) => launcher.stop(run.name, { graceMs: drainMs })));
  for (const [index, result] of results.entries()) {
    if (result.status === 'rejected')
      logger.error({ err: result.reason, run: running[index]?.name }, 'A bot could not be ended.');
  }
}

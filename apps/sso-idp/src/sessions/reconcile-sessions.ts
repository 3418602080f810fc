import type { internalCalls } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import type { InternalClient, Logger } from '@rapporteur/service-runtime';
import { deleteOldTickets } from './sign-in-tickets.store.ts';
import { endSessions, sessionsAfter } from './sessions.store.ts';

export interface ReconcileDependencies {
  readonly database: Database;
  readonly bots: Pick<InternalClient<typeof internalCalls.bots>, 'states'>;
  /** Epoch ms. */
  readonly now: () => number;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

const pageRows = 1_000;
/** Longest time between the reservation of a slot and the write of its bot. */
const admissionMs = 45_000;

/**
 * Releases the slots of bots that have ended or were never created, as listed by bot-scheduler. So no slot leaks after
 * a lost event, or after a process was killed between reservation and admission.
 */
export async function reconcileSessions({ database, bots, now, logger }: ReconcileDependencies): Promise<void> {
  for (let after: string | null = null; ;) {
    // Read before the request: a bot written after it counts as missing, but its reservation is too new to be released.
    const reservedBefore = new Date(now() - admissionMs);
    const botIds: string[] = await sessionsAfter(database, after, pageRows);
    if (botIds.length === 0) return;
    const states = await bots.states({ botIds });
    const known = new Set([...states.active, ...states.ended]);
    const missing = botIds.filter((id) => !known.has(id));
    const released = await endSessions(database, { ended: states.ended, missing, reservedBefore });
    if (released > 0) logger.info({ released }, 'Slots of logins were released.');
    after = botIds.at(-1) ?? null;
    if (botIds.length < pageRows) return;
  }
}

/** Runs one reconciliation at a time; calls during a run share the next one. Never rejects. */
export function createReconciler(dependencies: ReconcileDependencies): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const run = async (): Promise<void> => {
    try {
      await reconcileSessions(dependencies);
    } catch (error) {
      dependencies.logger.warn({ err: error }, 'Sessions of logins could not be compared with the bots there are.');
    }
  };
  const start = (): Promise<void> => {
    running = run().finally(() => {
      running = null;
    });
    return running;
  };
  return () => {
    if (running === null) return start();
    next ??= running.then(() => {
      next = null;
      return start();
    });
    return next;
  };
}

/** Cleanup of expired tickets. */
export async function cleanUpTickets({
  database,
  now,
}: Pick<ReconcileDependencies, 'database' | 'now'>): Promise<void> {
  await deleteOldTickets(database, new Date(now()));
}

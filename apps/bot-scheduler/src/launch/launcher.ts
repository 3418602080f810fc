import type { RunExit } from '@rapporteur/bot-lifecycle';

/** What a launcher needs to start one run. Everything else the runner learns for its ticket. */
export interface LaunchSpec {
  /** Unique per bot and attempt; a second launch of the same name is refused. */
  readonly name: string;
  readonly botId: string;
  readonly attempt: number;
  readonly ticket: string;
}

/** One run as the machine or cluster sees it. */
export interface ObservedRun {
  readonly name: string;
  readonly botId: string;
  readonly attempt: number;
  readonly state: 'running' | 'exited';
  /** How it ended; null while it runs. */
  readonly exit: RunExit | null;
  /** Epoch ms; null while it runs. */
  readonly exitedAtMs: number | null;
}

/** Starts and ends runs, and sees the ones it started even after the scheduler itself was restarted. */
export interface BotLauncher {
  /** Resolves when the run exists. Rejects when it does not: then there is nothing to observe under its name. */
  launch(spec: LaunchSpec): Promise<void>;
  /** Every run that was launched and not yet forgotten, also from before a restart. */
  observe(): Promise<ObservedRun[]>;
  /**
   * Ends a run: a polite signal, `graceMs` of patience, then force (0: force at once). Resolves when nothing of it runs
   * any more; rejects when it cannot be ended. Safe for a run that ended already or is not known.
   */
  stop(name: string, options: { readonly graceMs: number }): Promise<void>;
  /** Drops the memory of a run that has ended: it is observed no more. A run that lives is kept. */
  forget(name: string): Promise<void>;
  /** Called soon after any run ended. Returns the way to stop listening. */
  onExit(listener: () => void): () => void;
  /** Lets go of timers and listeners; runs live on. */
  close(): Promise<void>;
}

/** The identity of this run for the scheduler. Every report and lease request carries it. */
export interface RunIdentity {
  readonly botId: string;
  readonly attempt: number;
  /** Grows with each run of the bot; only the newest one may write. */
  readonly fencing: number;
}

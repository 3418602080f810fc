/** Who this run is towards the scheduler. Every report and lease question carries it. */
export interface RunIdentity {
  readonly botId: string;
  readonly attempt: number;
  /** Grows with each run of the bot; the newest one alone may write. */
  readonly fencing: number;
}

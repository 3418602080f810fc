/** One alerting rule, with the series that its unit test feeds it. */
export interface AlertDescription {
  /** Also the name of its runbook. */
  readonly name: string;
  readonly expr: string;
  /** How long the condition lasts before it fires. */
  readonly for: string;
  /** page: requires immediate action. ticket: requires action on a working day. */
  readonly severity: 'page' | 'ticket';
  /** The problem, for the person on call; may have `{{ $labels.x }}` of `labels`. */
  readonly summary: string;
  /** Labels of the alert that its test expects, beside severity. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Series by minute (promtool's notation) under which it fires within `firesAt`. */
  readonly fires: Readonly<Record<string, string>>;
  readonly firesAt: string;
  /** Series under which it stays silent. */
  readonly silent: Readonly<Record<string, string>>;
}

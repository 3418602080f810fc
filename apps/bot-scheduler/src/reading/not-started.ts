/**
 * Source of each column of `bots` for a scheduled bot that has not started: the columns that the legacy list reads and
 * filters by.
 */
const columns = {
  id: 'id',
  team_id: 'team_id',
  number: 'number',
  bot_name: 'bot_name',
  meeting_url: 'meeting_url',
  created_at: 'created_at',
  ended_at: 'cancelled_at',
  duration_ms: 'null::bigint',
  extra: 'extra',
  speakers: `'[]'::jsonb`,
  artifacts_deleted: 'false',
} as const;

/** Table expressions of lists that include scheduled bots. */
export const notStarted = {
  /** Scheduled bots that have not started. */
  source: `(select ${Object.entries(columns)
    .map(([name, sql]) => `${sql} as ${name}`)
    .join(', ')} from scheduled_bots where spawned_at is null) scheduled`,
  /** The columns that they share with `bots`. */
  columns: Object.keys(columns).join(', '),
} as const;

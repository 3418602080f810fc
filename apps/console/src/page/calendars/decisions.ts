/** What the dry run of one enabled rule says about the events of the next two weeks. */
export interface RuleMatches {
  readonly rule: string;
  readonly matches: readonly {
    readonly event_id: string;
    readonly would_get_bot: boolean;
    readonly reasons: readonly string[];
  }[];
}

interface CalendarEvent {
  readonly event_id: string;
  readonly bot_scheduled: boolean;
  readonly meeting_url: string | null;
  readonly status: string;
}

/** Why an event gets a bot, or none: a sentence for each rule that says something, or what decides without rules. */
export function decisionsOf(event: CalendarEvent, rules: readonly RuleMatches[]): string[] {
  if (event.status === 'cancelled') return ['The meeting is cancelled.'];
  if (event.meeting_url === null) return ['There is no meeting link in it.'];
  const said = rules.flatMap(({ rule, matches }) =>
    matches
      .filter(({ event_id: id, would_get_bot: takes }) => id === event.event_id && takes === event.bot_scheduled)
      .map(({ reasons }) => `Rule “${rule}”: ${reasons.join(' ')}`),
  );
  if (said.length > 0) return said;
  if (event.bot_scheduled) return ['A bot was scheduled for it by request.'];
  return [rules.length === 0 ? 'There is no calendar rule, and no bot was scheduled for it.' : 'No rule matches it.'];
}

/** The matches of one enabled rule's dry run among the events of the next two weeks. */
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
  readonly notices: readonly { readonly message: string }[];
  readonly status: string;
}

/** Why an event gets a bot, or none: a sentence for each matching rule, or the reason when no rule decides. */
export function decisionsOf(event: CalendarEvent, rules: readonly RuleMatches[]): string[] {
  if (event.status === 'cancelled') return ['The meeting is cancelled.'];
  const notices = event.notices.map(({ message }) => message);
  if (event.meeting_url === null) return notices.length > 0 ? notices : ['There is no meeting link in it.'];
  const said = rules.flatMap(({ rule, matches }) =>
    matches
      .filter(({ event_id: id, would_get_bot: takes }) => id === event.event_id && takes === event.bot_scheduled)
      .map(({ reasons }) => `Rule “${rule}”: ${reasons.join(' ')}`),
  );
  if (said.length > 0) return [...notices, ...said];
  if (event.bot_scheduled) return [...notices, 'A bot was scheduled for it by request.'];
  return [
    ...notices,
    rules.length === 0 ? 'There is no calendar rule, and no bot was scheduled for it.' : 'No rule matches it.',
  ];
}

interface UnreadableEvents {
  readonly unreadable_event_count: number;
  readonly unreadable_events: readonly { readonly provider_event_id: string; readonly reason: string }[];
}

/** Events that have no bot because they could not be read, one sentence for each; empty when all could be. */
export function unreadableNotices({
  unreadable_event_count: count,
  unreadable_events: events,
}: UnreadableEvents): string[] {
  const shown = events.map(
    ({ provider_event_id: id, reason }) => `Event ${id} could not be read and gets no bot: ${reason}.`,
  );
  const more = count - events.length;
  return more > 0 ? [...shown, `${more} more events could not be read.`] : shown;
}

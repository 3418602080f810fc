/** Events an endpoint may subscribe to, with what each one says. */
export const eventTypes = {
  'bot.status_change': 'A bot moved one step: joining, waiting, in the call, recording, ended.',
  'bot.completed': 'A bot is done and its recording is ready: participants, times and links that work for 4 hours.',
  'bot.failed': 'A bot ended without a result: error code and message.',
  'bot.chat_message': 'Somebody wrote a message in the chat of the meeting. Not sent in the legacy format.',
  'bot.chat_status':
    'Once, after joining: whether the bot can read and write the chat of this meeting, and why not. Not sent in the legacy format.',
  'bot.captions_status':
    "Of bots that transcribe by the meeting's own captions: whether they can be read, and why not. Not sent in the legacy format.",
  'bot.data_deletion_failed':
    "An object store did not confirm the deletion of a bot's data for a day; attempts continue. Not sent in the legacy format.",
  'calendar.connection_created': 'A calendar was connected. Not sent in the legacy format.',
  'calendar.connection_updated': 'A calendar got other credentials. Not sent in the legacy format.',
  'calendar.connection_deleted': 'A calendar was disconnected. Not sent in the legacy format.',
  'calendar.connection_error':
    'A calendar cannot be synced any more: its consent was revoked or narrowed, or it is gone. Not sent in the legacy format.',
  'calendar.events_synced':
    'A full sync changed these events. In the legacy format, `calendar.sync_events`: the events that any sync changed.',
  'calendar.event_created': 'A sync found new events. Not sent in the legacy format.',
  'calendar.event_updated': 'A sync found changed events. Not sent in the legacy format.',
  'calendar.event_cancelled': 'A sync found that events are gone. Not sent in the legacy format.',
  'meet_workspace.verification_changed':
    'The verification of a Meet workspace has another result than the previous one. Not sent in the legacy format.',
} as const;

export type EventType = keyof typeof eventTypes;
export const eventNames = Object.keys(eventTypes) as [EventType, ...EventType[]];

/** Sent on request, to one endpoint, once. */
export const testEvent = 'webhook.test';
export type MessageEvent = EventType | typeof testEvent;

/** Final events are kept even when nobody is subscribed yet: they can be sent again later. */
export function isFinal(event: MessageEvent): boolean {
  return event === 'bot.completed' || event === 'bot.failed';
}

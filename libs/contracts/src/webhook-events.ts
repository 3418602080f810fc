/** One event that a webhook endpoint may subscribe to. */
export interface WebhookEventDescriptor {
  /** Description, as in the API document. */
  readonly description: string;
  /** Whether endpoints of the first API generation get it as well. */
  readonly legacy: boolean;
  /** The last event of a bot: its message is stored without a subscriber, because it can be requested again. */
  readonly final?: true;
}

/** In the order in which the documents list them. */
export const webhookEvents = {
  'bot.status_change': {
    description: 'A bot moved one step: joining, waiting, in the call, recording, ended.',
    legacy: true,
  },
  'bot.completed': {
    description: 'A bot is done and its recording is ready: participants, times and links that work for 4 hours.',
    legacy: true,
    final: true,
  },
  'bot.failed': { description: 'A bot ended without a result: error code and message.', legacy: true, final: true },
  'bot.chat_message': { description: 'A participant wrote a message in the chat of the meeting.', legacy: false },
  'bot.chat_status': {
    description: 'Once, after joining: whether the bot can read and write the chat of this meeting, and why not.',
    legacy: false,
  },
  'bot.captions_status': {
    description: "Of bots that transcribe by the meeting's own captions: whether they can be read, and why not.",
    legacy: false,
  },
  'bot.data_deletion_failed': {
    description: "An object store did not confirm the deletion of a bot's data for a day; attempts continue.",
    legacy: false,
  },
  'calendar.connection_created': { description: 'A calendar was connected.', legacy: false },
  'calendar.connection_updated': { description: 'A calendar got other credentials.', legacy: false },
  'calendar.connection_deleted': { description: 'A calendar was disconnected.', legacy: false },
  'calendar.connection_error': {
    description: 'A calendar cannot be synced any more: its consent was revoked or narrowed, or it is gone.',
    legacy: false,
  },
  'calendar.events_synced': {
    description:
      'A full sync changed these events. In the legacy format, `calendar.sync_events`: the events that any sync changed.',
    legacy: true,
  },
  'calendar.event_created': { description: 'A sync found new events.', legacy: false },
  'calendar.event_updated': { description: 'A sync found changed events.', legacy: false },
  'calendar.event_cancelled': { description: 'A sync found that events are gone.', legacy: false },
  'meet_workspace.verification_changed': {
    description: 'The verification of a Meet workspace has another result than the previous one.',
    legacy: false,
  },
} as const satisfies Readonly<Record<string, WebhookEventDescriptor>>;

export type WebhookEventName = keyof typeof webhookEvents;
export const webhookEventNames = Object.keys(webhookEvents) as [WebhookEventName, ...WebhookEventName[]];

/** Looks up a name that may not be an event: the test message has none. */
export function webhookEventOf(name: string): WebhookEventDescriptor | undefined {
  return Object.hasOwn(webhookEvents, name) ? webhookEvents[name as WebhookEventName] : undefined;
}

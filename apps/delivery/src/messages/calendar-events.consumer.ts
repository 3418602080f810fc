import type { z } from 'zod';
import { calendarChanged, calendarEventsAffected } from '@rapporteur/contracts';
import type { EventEnvelope } from '@rapporteur/contracts';
import { stopTogether } from '@rapporteur/event-bus';
import type { BotEventsDependencies } from './final-events.ts';
import type { Audience } from './audience.ts';
import { messageIdOf } from './message-id.ts';
import type { Message } from './message-body.ts';
import { storeMessages } from './messages.store.ts';
import { insertCallback } from './callbacks.store.ts';
import type { NewCallback } from './new-callback.ts';

type Changed = z.output<typeof calendarChanged.data>;
type Affected = z.output<typeof calendarEventsAffected.data>;

/** Turns calendar-sync's events into messages. Resolves once every event is consumed. */
export async function consumeCalendarEvents(
  dependencies: Omit<BotEventsDependencies, 'signArtifacts'> & { readonly audience: Audience },
): Promise<{ stop(): Promise<void> }> {
  const { bus, inbox, clock, onStored, audience } = dependencies;
  const now = (): Date => new Date(clock.now());
  const consumers = await Promise.all([
    bus.consume({
      consumer: 'delivery',
      subject: calendarChanged.type,
      handle: inbox.handle(
        calendarChanged,
        (transaction, event) => storeMessages(transaction, [changedMessage(event)], now()),
        { after: onStored, concerns: ({ data }) => audience.isSubscribed(data.teamId, data.notice.event) },
      ),
    }),
    bus.consume({
      consumer: 'delivery',
      subject: calendarEventsAffected.type,
      handle: inbox.handle(
        calendarEventsAffected,
        async (transaction, event) => {
          const message = affectedMessage(event);
          const { webhookUrl: url } = event.data;
          if (url === null) await storeMessages(transaction, [message], now());
          else await insertCallback(transaction, callbackOf(event, message, url), now());
        },
        {
          after: onStored,
          concerns: async ({ data }) =>
            data.webhookUrl !== null || (await audience.isSubscribed(data.teamId, 'calendar.events_synced')),
        },
      ),
    }),
  ]);
  return stopTogether(consumers);
}

function changedMessage({ id, occurredAt, data: { teamId, calendarId, notice } }: EventEnvelope<Changed>): Message {
  const messageId = messageIdOf(calendarId, notice.event, id);
  const body = { id: messageId, event: notice.event, created_at: occurredAt, data: notice.data };
  return messageOf({ messageId, teamId, event: notice.event, format: 'v2' }, body);
}

/** The only calendar webhook of the legacy API. */
function affectedMessage({ id, data }: EventEnvelope<Affected>): Message {
  const messageId = messageIdOf(data.calendarId, 'legacy/calendar.events_synced', id);
  const body = {
    event: 'calendar.sync_events',
    data: { calendar_id: data.calendarId, last_updated_ts: data.at, affected_event_uuids: data.eventIds },
  };
  return messageOf({ messageId, teamId: data.teamId, event: 'calendar.events_synced', format: 'legacy' }, body);
}

/** A delivery to the calendar's own address, without an API key. */
function callbackOf({ id, data }: EventEnvelope<Affected>, message: Message, url: string): NewCallback {
  return {
    message,
    ownerId: data.calendarId,
    kind: 'legacy',
    trigger: `affected/${id}`,
    url,
    method: 'POST',
    secretField: null,
    previous: null,
  };
}

function messageOf(head: Pick<Message, 'messageId' | 'teamId' | 'event' | 'format'>, body: object): Message {
  return { ...head, botId: null, keyField: null, order: null, body: Buffer.from(JSON.stringify(body)) };
}

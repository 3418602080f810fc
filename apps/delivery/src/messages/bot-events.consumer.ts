import {
  botCaptionsStatus,
  botChatMessage,
  botChatStatus,
  botDataDeleted,
  botDataDeletionConfirmed,
  botDataDeletionFailed,
  botEnded,
  botRedeliveryRequested,
  botStatusChanged,
} from '@rapporteur/contracts';
import type { EventDefinition } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import { stopTogether } from '@rapporteur/event-bus';
import type { Handler, TracedEvent } from '@rapporteur/event-bus';
import { legacyStatusMessage } from './legacy-body.ts';
import { createAudience } from './audience.ts';
import type { Audience } from './audience.ts';
import { insertCallback } from './callbacks.store.ts';
import { onEnded, onRedeliveryRequested } from './final-events.ts';
import type { BotEventsDependencies } from './final-events.ts';
import { forgetBot, forgottenState } from './forgotten-bots.store.ts';
import { availabilityMessage, chatMessageMessage, dataDeletionFailedMessage, statusMessage } from './message-body.ts';
import type { AvailabilityEvent, CaptionsStatusReported, ChatStatusReported, StatusChanged } from './message-body.ts';
import { storeMessages } from './messages.store.ts';
import { legacyCallbackOf } from './new-callback.ts';

/** Most events are of this type; those that are handled at the same time share a transaction. */
const statusesAtOnce = 50;

/** Turns bot-scheduler's events about bots into messages and callbacks. Resolves once every event is consumed. */
export async function consumeBotEvents(dependencies: BotEventsDependencies): Promise<{ stop(): Promise<void> }> {
  const { bus, inbox, clock, onStored } = dependencies;
  const now = (): Date => new Date(clock.now());
  const audience = createAudience(dependencies.database);
  const handlers: readonly (readonly [string, Handler])[] = [
    [botStatusChanged.type, onStatusChanged(dependencies, audience)],
    [botEnded.type, (message, facts) => onEnded(dependencies, message, facts)],
    [botRedeliveryRequested.type, (message, facts) => onRedeliveryRequested(dependencies, message, facts)],
    [
      botChatMessage.type,
      inbox.handle(
        botChatMessage,
        async (transaction, event) => {
          if ((await forgottenState(transaction, event.data.botId)) !== null) return;
          const message = chatMessageMessage(event, now().toISOString());
          await storeMessages(transaction, [message], now());
        },
        { after: onStored, concerns: (event) => audience.isSubscribed(event.data.teamId, 'bot.chat_message') },
      ),
    ],
    [
      botChatStatus.type,
      onAvailability(dependencies, audience, { definition: botChatStatus, event: 'bot.chat_status' }),
    ],
    [
      botCaptionsStatus.type,
      onAvailability(dependencies, audience, { definition: botCaptionsStatus, event: 'bot.captions_status' }),
    ],
    [
      botDataDeleted.type,
      inbox.handle(botDataDeleted, (transaction, { data }) =>
        forgetBot(transaction, data.botId, { now: now(), confirmed: false }),
      ),
    ],
    [
      botDataDeletionConfirmed.type,
      inbox.handle(botDataDeletionConfirmed, (transaction, { data }) =>
        forgetBot(transaction, data.botId, { now: now(), confirmed: true }),
      ),
    ],
    [
      botDataDeletionFailed.type,
      inbox.handle(
        botDataDeletionFailed,
        (transaction, event) =>
          storeMessages(transaction, [dataDeletionFailedMessage(event, now().toISOString())], now()),
        { after: onStored, concerns: (event) => audience.isSubscribed(event.data.teamId, 'bot.data_deletion_failed') },
      ),
    ],
  ];
  const consumers = await Promise.all(
    handlers.map(([subject, handle]) => {
      const concurrency = subject === botStatusChanged.type ? { concurrency: statusesAtOnce } : {};
      return bus.consume({ consumer: 'delivery', subject, handle, ...concurrency });
    }),
  );
  return stopTogether(consumers);
}

function onAvailability<Reported extends ChatStatusReported | CaptionsStatusReported>(
  { inbox, clock, onStored }: BotEventsDependencies,
  audience: Audience,
  { definition, event }: { readonly definition: EventDefinition<Reported>; readonly event: AvailabilityEvent },
): Handler {
  return inbox.handle(
    definition,
    (transaction, reported) => {
      const now = new Date(clock.now());
      const v2 = availabilityMessage(event, reported, now.toISOString());
      return storeMessages(transaction, [v2], now);
    },
    { after: onStored, concerns: ({ data }) => audience.isSubscribed(data.teamId, event) },
  );
}

function onStatusChanged({ inbox, clock, onStored }: BotEventsDependencies, audience: Audience): Handler {
  return inbox.handleMany(
    botStatusChanged,
    (transaction, events) => reportStatuses(transaction, events, new Date(clock.now())),
    {
      after: onStored,
      concerns: async ({ data }) =>
        (data.legacy?.webhookUrl ?? null) !== null || (await audience.isSubscribed(data.teamId, 'bot.status_change')),
    },
  );
}

/** Stores the messages of steps. A bot's own legacy address replaces the legacy endpoints. */
async function reportStatuses(
  transaction: Executor,
  events: readonly TracedEvent<StatusChanged>[],
  now: Date,
): Promise<void> {
  const reported = events.map(({ data, occurredAt, trace }) => {
    const legacy = { ...legacyStatusMessage(data), trace };
    const callback = legacyCallbackOf(legacy, data.legacy, `status/${data.sequence}`);
    const v2 = { ...statusMessage(data, occurredAt), trace };
    return { messages: callback === null ? [v2, legacy] : [v2], callback };
  });
  const messages = reported.flatMap((one) => one.messages);
  await storeMessages(transaction, messages, now);
  for (const { callback } of reported) if (callback !== null) await insertCallback(transaction, callback, now);
}

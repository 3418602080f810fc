import {
  botCaptionsStatus,
  botChatMessage,
  botChatStatus,
  botDataDeleted,
  botDataDeletionConfirmed,
} from '@rapporteur/contracts';
import { botDataDeletionFailed, botEnded, botRedeliveryRequested, botStatusChanged } from '@rapporteur/contracts';
import type { EventDefinition, EventEnvelope } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import { stopTogether } from '@rapporteur/event-bus';
import type { MessageFacts } from '@rapporteur/event-bus';
import { legacyStatusMessage } from './legacy-body.ts';
import { createAudience } from './audience.ts';
import type { Audience } from './audience.ts';
import { insertCallback } from './callbacks.store.ts';
import { onEnded, onRedeliveryRequested } from './final-events.ts';
import { forgetBot, forgottenState } from './forgotten-bots.store.ts';
import { availabilityMessage, chatMessageMessage, dataDeletionFailedMessage, statusMessage } from './message-body.ts';
import type { AvailabilityEvent, CaptionsStatusReported, ChatStatusReported, StatusChanged } from './message-body.ts';
import { storeNotification } from './messages.store.ts';
import { legacyCallbackOf } from './new-callback.ts';
import type { BotEventsDependencies } from './bot-events-dependencies.ts';

type Handler = (message: unknown, facts: MessageFacts) => Promise<void>;

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
          await storeNotification(transaction, { v2: message, legacy: null }, now());
        },
        { after: onStored, concerns: (event) => audience.hears(event.data.teamId, 'bot.chat_message') },
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
          storeNotification(
            transaction,
            { v2: dataDeletionFailedMessage(event, now().toISOString()), legacy: null },
            now(),
          ),
        { after: onStored, concerns: (event) => audience.hears(event.data.teamId, 'bot.data_deletion_failed') },
      ),
    ],
  ];
  const consumers = await Promise.all(
    handlers.map(([subject, handle]) => bus.consume({ consumer: 'delivery', subject, handle })),
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
      return storeNotification(transaction, { v2, legacy: null }, now);
    },
    { after: onStored, concerns: ({ data }) => audience.hears(data.teamId, event) },
  );
}

function onStatusChanged({ inbox, clock, onStored }: BotEventsDependencies, audience: Audience): Handler {
  return inbox.handle(
    botStatusChanged,
    (transaction, event) => reportStatus(transaction, event, new Date(clock.now())),
    {
      after: onStored,
      concerns: async ({ data }) =>
        (data.legacy?.webhookUrl ?? null) !== null || (await audience.hears(data.teamId, 'bot.status_change')),
    },
  );
}

/** Stores the messages of one step. A bot's own legacy address replaces the legacy endpoints. */
async function reportStatus(transaction: Executor, event: EventEnvelope<StatusChanged>, now: Date): Promise<void> {
  const { data, occurredAt } = event;
  const legacy = legacyStatusMessage(data);
  const callback = legacyCallbackOf(legacy, data.legacy, `status/${data.sequence}`);
  await storeNotification(
    transaction,
    { v2: statusMessage(data, occurredAt), legacy: callback === null ? legacy : null },
    now,
  );
  if (callback !== null) await insertCallback(transaction, callback, now);
}

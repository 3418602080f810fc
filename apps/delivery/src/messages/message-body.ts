import { describeIntegrity, linkedParticipantAudio, linksOf } from '@rapporteur/contracts';
import type {
  BotTranscript,
  EventEnvelope,
  EventOrder,
  botCaptionsStatus,
  botChatMessage,
  botChatStatus,
  botDataDeletionFailed,
  botEnded,
  botStatusChanged,
} from '@rapporteur/contracts';
import type { z } from 'zod';
import type { PayloadFormat } from '../schema/entities.ts';
import { messageIdOf, randomMessageId } from './message-id.ts';
import { testEvent } from '../event-types.ts';
import type { EventType, MessageEvent } from '../event-types.ts';

export type StatusChanged = z.output<typeof botStatusChanged.data>;
export type BotEnded = z.output<typeof botEnded.data>;
export type ChatMessageReported = z.output<typeof botChatMessage.data>;
export type DataDeletionFailed = z.output<typeof botDataDeletionFailed.data>;
export type ChatStatusReported = z.output<typeof botChatStatus.data>;
export type AvailabilityEvent = 'bot.chat_status' | 'bot.captions_status';
export type CaptionsStatusReported = z.output<typeof botCaptionsStatus.data>;

/** A message ready to be stored: every attempt sends exactly the bytes of `body`. */
export interface Message {
  readonly messageId: string;
  readonly teamId: string;
  readonly botId: string | null;
  /** The event type of subscriptions. */
  readonly event: MessageEvent;
  readonly format: PayloadFormat;
  /** Field in which bot-scheduler stores the API key for a header of each attempt; null: no such header. */
  readonly keyField: string | null;
  /** Its sequence among the bot's events; null: none. */
  readonly order: EventOrder | null;
  readonly body: Buffer;
}

/** Signed links by kind of artifact, and their expiry. */
export interface SignedArtifacts {
  readonly urls: Readonly<Record<string, string>>;
  readonly expiresAt: string;
  /** For the legacy format; null: none. */
  readonly transcript: BotTranscript | null;
}

/** ISO 8601: time of the event, and of the first delivery. */
export interface FinalTimes {
  readonly createdAt: string;
  readonly sentAt: string;
}

interface Content {
  readonly teamId: string;
  readonly botId: string | null;
  readonly event: MessageEvent;
  readonly createdAt: string;
  readonly order: EventOrder | null;
  readonly data: object;
  readonly extra: unknown;
}

export function statusMessage(change: StatusChanged, createdAt: string): Message {
  const { botId, calendarEventId, status } = change;
  return toMessage(messageIdOf(botId, 'bot.status_change', change.sequence), {
    ...contentOf(change, 'bot.status_change', createdAt),
    data: { bot_id: botId, event_id: calendarEventId, status },
  });
}

export function finalMessageId(ended: BotEnded): string {
  return messageIdOf(ended.botId, finalEvent(ended), 0);
}

/** @param artifacts null: no links */
export function finalMessage(ended: BotEnded, times: FinalTimes, artifacts: SignedArtifacts | null): Message {
  const event = finalEvent(ended);
  const head = { bot_id: ended.botId, event_id: ended.calendarEventId };
  const data =
    event === 'bot.failed'
      ? { ...head, error_code: ended.errorCode, error_message: ended.errorMessage, sent_at: times.sentAt }
      : { ...head, ...completedData(ended, artifacts), sent_at: times.sentAt };
  return toMessage(finalMessageId(ended), { ...contentOf(ended, event, times.createdAt), data });
}

export function chatMessageMessage({ data }: EventEnvelope<ChatMessageReported>, sentAt: string): Message {
  const { botId, calendarEventId, message } = data;
  return toMessage(messageIdOf(botId, 'bot.chat_message', message.messageId), {
    ...contentOf(data, 'bot.chat_message', message.at),
    data: {
      bot_id: botId,
      event_id: calendarEventId,
      message_id: message.messageId,
      sender_id: message.senderId,
      sender_name: message.senderName,
      sent_at: sentAt,
      text: message.text,
    },
  });
}

/** The availability of the chat or captions in this meeting. */
export function availabilityMessage(
  event: AvailabilityEvent,
  { id, occurredAt, data }: EventEnvelope<ChatStatusReported | CaptionsStatusReported>,
  sentAt: string,
): Message {
  const { botId, calendarEventId, available, reason } = data;
  return toMessage(messageIdOf(botId, event, id), {
    ...contentOf(data, event, occurredAt),
    data: { available, bot_id: botId, event_id: calendarEventId, reason, sent_at: sentAt },
  });
}

export function dataDeletionFailedMessage(
  { id, occurredAt, data }: EventEnvelope<DataDeletionFailed>,
  sentAt: string,
): Message {
  const { botId, calendarEventId, reason, requestedAt, attempts, nextAttemptAt } = data;
  return toMessage(messageIdOf(botId, 'bot.data_deletion_failed', id), {
    ...contentOf({ ...data, order: null }, 'bot.data_deletion_failed', occurredAt),
    data: {
      bot_id: botId,
      event_id: calendarEventId,
      reason,
      requested_at: requestedAt,
      attempts,
      next_attempt_at: nextAttemptAt,
      sent_at: sentAt,
    },
  });
}

export function testMessage(endpoint: { endpointId: string; teamId: string }, now: string): Message {
  return toMessage(randomMessageId(), {
    teamId: endpoint.teamId,
    botId: null,
    event: testEvent,
    createdAt: now,
    order: null,
    data: {
      endpoint_id: endpoint.endpointId,
      message: 'This is a test. Your endpoint is reached and can check the signature of this message.',
      sent_at: now,
    },
    extra: null,
  });
}

export function finalEvent(ended: Pick<BotEnded, 'outcome'>): EventType {
  return ended.outcome === 'completed' ? 'bot.completed' : 'bot.failed';
}

/**
 * The rest of a bot's end after its data was deleted: outcome, time and reason. `confirmed`: the stores have confirmed
 * the deletion.
 */
export function endedWithoutContent(ended: BotEnded, confirmed: boolean): BotEnded {
  return {
    ...ended,
    participants: [],
    speakers: [],
    artifacts: {},
    participantAudio: [],
    artifactsDeleted: confirmed,
    transcriptionIds: null,
    integrity: null,
  };
}

function completedData(ended: BotEnded, artifacts: SignedArtifacts | null): object {
  return {
    participants: ended.participants,
    speakers: ended.speakers,
    duration_seconds: ended.durationSeconds,
    joined_at: ended.joinedAt,
    exited_at: ended.exitedAt,
    data_deleted: ended.artifactsDeleted,
    artifacts_deleted: ended.artifactsDeleted,
    ...linksOf(artifacts?.urls ?? {}),
    participant_audio: linkedParticipantAudio(ended.participantAudio, artifacts?.urls ?? {}),
    artifact_urls_expire_at: artifacts?.expiresAt ?? null,
    integrity_summary: describeIntegrity(ended.integrity),
    transcription_provider: ended.transcriptionProvider,
    transcription_ids: ended.transcriptionIds,
  };
}

type FromBot = Pick<BotEnded, 'teamId' | 'botId' | 'extra' | 'order'>;

function contentOf(from: FromBot, event: EventType, createdAt: string): Omit<Content, 'data'> {
  const { teamId, botId, order, extra } = from;
  return { teamId, botId, event, createdAt: order?.at ?? createdAt, order, extra };
}

function toMessage(messageId: string, content: Content): Message {
  const { teamId, botId, event, createdAt, order, data, extra } = content;
  const head = { id: messageId, event, created_at: createdAt, sequence: order?.sequence ?? null };
  const body = Buffer.from(JSON.stringify({ ...head, data, extra }));
  return { messageId, teamId, botId, event, format: 'v2', keyField: null, order, body };
}

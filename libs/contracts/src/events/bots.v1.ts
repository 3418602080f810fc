import { z } from 'zod';
import { captionsUnavailableReason, chatMessage, chatUnavailableReason } from '../runner-report.v1.ts';
import { integritySummary } from '../integrity-report.v1.ts';
import { participantFile } from '../participant-audio.ts';
import { artifactKind, botId, instant, participant, teamId } from '../shapes.ts';
import { defineEvent } from './envelope.ts';

const extra = z.record(z.string(), z.unknown()).nullable();

/** Present when the bot was created through the legacy API: its events also, or only, are sent in the legacy shapes. */
const legacy = z
  .object({
    /** Replaces the account's own legacy endpoints for this bot; null: those are used. */
    webhookUrl: z.string().nullable(),
  })
  .nullable()
  .default(null);

/** Position of one public event among all public events of its bot. */
const eventOrder = z.object({
  /** Public name of the event, as `bot.status_change`. */
  event: z.string(),
  /** From 1, without gaps. */
  sequence: z.int().positive(),
  /** Strictly increases with `sequence`. */
  at: instant,
  /** The newest event of each type before this one, by sequence: a receiver of some types finds its predecessor. */
  previous: z.record(z.string(), z.int().positive()),
});
export type EventOrder = z.infer<typeof eventOrder>;

/** Null: written by a build without event counts. */
const order = eventOrder.nullable().default(null);

/** One step of a bot's life, with the fields of the public `bot.status_change` event. */
export const botStatusChanged = defineEvent(
  'bots.v1.status-changed',
  ['delivery'],
  z.object({
    botId,
    teamId,
    /** Position of this change in the bot's history, from 1, without gaps. */
    sequence: z.int().positive(),
    calendarEventId: z.uuid().nullable(),
    status: z.object({
      code: z.string(),
      created_at: instant,
      /** Unix seconds; only with code in_call_recording. */
      start_time: z.int().optional(),
      error_message: z.string().optional(),
      attempt: z.int().optional(),
      max: z.int().optional(),
      /** The time at which the bot is expected to start; only with code pickup_delayed. */
      expected_pickup_at: instant.optional(),
      /** Why the bot waits, a `DelayReason` of the public API, and the same as a sentence. */
      delay_reason: z.string().optional(),
      delay_message: z.string().optional(),
    }),
    extra,
    legacy,
    order,
  }),
);

const callbackTarget = z.object({
  url: z.string(),
  method: z.enum(['POST', 'PUT']),
  /** Field under which the bot's owner stores the secret; null: there is none. */
  secretField: z.string().nullable(),
});

const finalData = z.object({
  botId,
  teamId,
  calendarEventId: z.uuid().nullable(),
  outcome: z.enum(['completed', 'failed']),
  errorCode: z.string().nullable(),
  errorMessage: z.string().nullable(),
  joinedAt: instant.nullable(),
  exitedAt: instant.nullable(),
  durationSeconds: z.int().nonnegative().nullable(),
  participants: z.array(participant),
  speakers: z.array(participant),
  /** kind -> object key relative to `bots/<bot_id>/`. */
  artifacts: z.partialRecord(artifactKind, z.string()),
  /** `artifacts` has none of these. */
  participantAudio: z.array(participantFile).default([]),
  artifactsDeleted: z.boolean(),
  /** Null: nothing is recorded. */
  integrity: integritySummary.nullable().default(null),
  transcriptionProvider: z.string().nullable(),
  transcriptionIds: z.array(z.string()).nullable(),
  extra,
  legacy,
  /**
   * The bot's own callback; its secret is requested when it is sent (`internalCalls.bots.secret`, field
   * `callback_secret`).
   */
  callback: callbackTarget.nullable().default(null),
  order,
});

const isKnownKind = (kind: string): boolean => artifactKind.safeParse(kind).success;

/** A bot's end is published once: an artifact kind of a later build must not cost its consumer the rest. */
const finalReceived = finalData.extend({
  artifacts: z
    .record(z.string(), z.unknown())
    .transform((artifacts) => Object.fromEntries(Object.entries(artifacts).filter(([kind]) => isKnownKind(kind))))
    .pipe(finalData.shape.artifacts),
});

/** The one final event of a bot: the data of bot.completed or bot.failed, artifact keys instead of URLs. */
export const botEnded = defineEvent('bots.v1.ended', ['delivery'], finalData, finalReceived);

const redeliveryData = z.object({
  requestId: z.uuid(),
  to: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('webhook-endpoints') }),
    z.object({ kind: z.literal('callback'), callback: callbackTarget }),
  ]),
  /** The bot's present end. */
  ended: finalData,
});

/** A client requested the final event again: to the team's endpoints, or to one callback address. */
export const botRedeliveryRequested = defineEvent(
  'bots.v1.redelivery-requested',
  ['delivery'],
  redeliveryData,
  redeliveryData.extend({ ended: finalReceived }),
);

export const botChatMessage = defineEvent(
  'bots.v1.chat-message',
  ['delivery'],
  z.object({ botId, teamId, calendarEventId: z.uuid().nullable(), message: chatMessage, extra, order }),
);

const chatStatusData = z.object({
  botId,
  teamId,
  calendarEventId: z.uuid().nullable(),
  available: z.boolean(),
  reason: chatUnavailableReason.nullable(),
  extra,
  order,
});

export const botChatStatus = defineEvent(
  'bots.v1.chat-status',
  ['delivery'],
  chatStatusData,
  // Whether the chat can be used is reported even when the reason is unknown here.
  chatStatusData.extend({
    reason: z
      .string()
      .nullable()
      .transform((reason) => chatUnavailableReason.safeParse(reason).data ?? null),
  }),
);

const captionsStatusData = chatStatusData.extend({ reason: captionsUnavailableReason.nullable() });

/** Whether the meeting's own captions can be read, for a bot that reads them. */
export const botCaptionsStatus = defineEvent(
  'bots.v1.captions-status',
  ['delivery'],
  captionsStatusData,
  captionsStatusData.extend({
    reason: z
      .string()
      .nullable()
      .transform((reason) => captionsUnavailableReason.safeParse(reason).data ?? null),
  }),
);

/** A bot's recording and all its speech must be deleted: stored payloads lose their content. */
export const botDataDeleted = defineEvent(
  'bots.v1.data-deleted',
  ['delivery', 'transcriber'],
  z.object({ botId, teamId }),
);

/** Every store has confirmed the deletion of the objects of a bot. */
export const botDataDeletionConfirmed = defineEvent(
  'bots.v1.data-deletion-confirmed',
  ['delivery'],
  z.object({ botId, teamId }),
);

/** A store has not confirmed a deletion for longer than the deployment allows. It is still attempted. Once per bot. */
export const botDataDeletionFailed = defineEvent(
  'bots.v1.data-deletion-failed',
  ['delivery'],
  z.object({
    botId,
    teamId,
    calendarEventId: z.uuid().nullable(),
    reason: z.string(),
    requestedAt: instant,
    attempts: z.int().positive(),
    nextAttemptAt: instant,
    extra,
  }),
);

/** A customer requests that nothing of a bot stays at its speech-to-text provider: failed deletions are retried. */
export const botProviderDeletionRequested = defineEvent(
  'bots.v1.provider-deletion-requested',
  ['transcriber'],
  z.object({ botId, teamId }),
);

export const botEvents = [
  botStatusChanged,
  botEnded,
  botRedeliveryRequested,
  botChatMessage,
  botChatStatus,
  botCaptionsStatus,
  botDataDeleted,
  botDataDeletionConfirmed,
  botDataDeletionFailed,
  botProviderDeletionRequested,
] as const;

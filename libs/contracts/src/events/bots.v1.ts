import { z } from 'zod';
import { artifactKind, botId, instant, person, teamId } from '../shapes.ts';
import { defineEvent } from './envelope.ts';

const extra = z.record(z.string(), z.unknown()).nullable();

/** A bot waits for a runner. Rung by bot-scheduler's admission, heard by its launcher. */
export const botQueued = defineEvent('bots.v1.queued', ['bot-scheduler'], z.object({ botId, teamId }));

/** One step of a bot's life, in the words of the public `bot.status_change` event. */
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
    }),
    extra,
  }),
);

/** The one final event of a bot: everything delivery needs for bot.completed or bot.failed, artifact keys instead of URLs. */
export const botEnded = defineEvent(
  'bots.v1.ended',
  ['delivery'],
  z.object({
    botId,
    teamId,
    calendarEventId: z.uuid().nullable(),
    outcome: z.enum(['completed', 'failed']),
    errorCode: z.string().nullable(),
    errorMessage: z.string().nullable(),
    joinedAt: instant.nullable(),
    exitedAt: instant.nullable(),
    durationSeconds: z.int().nonnegative().nullable(),
    participants: z.array(person),
    speakers: z.array(person),
    /** kind -> object key relative to `bots/<bot_id>/`. */
    artifacts: z.partialRecord(artifactKind, z.string()),
    artifactsDeleted: z.boolean(),
    transcriptionProvider: z.string().nullable(),
    transcriptionIds: z.array(z.string()).nullable(),
    extra,
  }),
);

export const botEvents = [botQueued, botStatusChanged, botEnded] as const;

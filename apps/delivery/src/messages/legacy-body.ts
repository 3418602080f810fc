import { shownLegacyExtra } from '@rapporteur/contracts';
import type { BotTranscript } from '@rapporteur/contracts';
import { finalEvent } from './message-body.ts';
import type { BotEnded, Message, SignedArtifacts, StatusChanged } from './message-body.ts';
import type { EventType } from '../event-types.ts';
import { messageIdOf } from './message-id.ts';
import { legacyKeyField } from '../sending/bot-secrets.ts';
import { legacyErrorOf } from './legacy-errors.ts';

/** Bodies in the shapes of the first API generation: `complete`, `failed` and its own `bot.status_change`. */
export function legacyStatusMessage(change: StatusChanged): Message {
  const { code, created_at, start_time, error_message } = change.status;
  const data = {
    bot_id: change.botId,
    status: {
      code,
      created_at,
      ...(start_time === undefined ? {} : { start_time }),
      ...(error_message === undefined ? {} : { error_message }),
    },
  };
  return toMessage(change, { subscribed: 'bot.status_change', occurrence: change.sequence }, 'bot.status_change', data);
}

export function legacyFinalMessage(ended: BotEnded, artifacts: SignedArtifacts | null): Message {
  const head = { bot_id: ended.botId, event_uuid: ended.calendarEventId };
  // Only a legacy bot's extra can be something other than an object.
  const extra = ended.legacy === null ? (ended.extra ?? {}) : shownLegacyExtra(ended.extra);
  const subscribed = finalEvent(ended);
  if (subscribed === 'bot.failed') {
    const error = legacyErrorOf(ended.errorCode);
    const data = { ...head, error, message: ended.errorMessage ?? '', extra };
    return toMessage(ended, { subscribed, occurrence: 0 }, 'failed', data);
  }
  return toMessage(ended, { subscribed, occurrence: 0 }, 'complete', {
    ...head,
    transcript: (artifacts?.transcript?.utterances ?? []).map(transcriptTurn),
    speakers: ended.speakers.map(({ name }) => name),
    mp4: artifacts?.urls['video'] ?? null,
    audio: artifacts?.urls['audio'] ?? null,
    event: 'complete',
    extra,
  });
}

type Utterance = BotTranscript['utterances'][number];

function transcriptTurn({ speaker, start, end, words }: Utterance) {
  return {
    speaker,
    offset: start,
    start_time: start,
    end_time: end,
    words: words.map((word) => ({ start: word.start, end: word.end, word: word.word })),
  };
}

function toMessage(
  from: StatusChanged | BotEnded,
  identity: { readonly subscribed: EventType; readonly occurrence: number },
  event: string,
  data: object,
): Message {
  const { botId, teamId, legacy, order } = from;
  return {
    messageId: messageIdOf(botId, `legacy/${identity.subscribed}`, identity.occurrence),
    teamId,
    botId,
    event: identity.subscribed,
    format: 'legacy',
    keyField: legacy === null ? null : legacyKeyField,
    order,
    body: Buffer.from(JSON.stringify({ event, sequence: order?.sequence ?? null, data })),
  };
}

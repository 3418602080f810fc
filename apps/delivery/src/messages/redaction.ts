import { linksOf } from '@rapporteur/contracts';
import type { Message } from './message-body.ts';

/** Shown in the history in place of a payload whose bot's data was deleted. */
export interface RedactedPayload {
  readonly redacted: true;
  readonly reason: 'data_deleted';
  readonly bot_id: string | null;
}

export function redactedPayload(botId: string | null): RedactedPayload {
  return { redacted: true, reason: 'data_deleted', bot_id: botId };
}

type Kept = Pick<Message, 'event' | 'format' | 'body' | 'botId'>;

/**
 * The remaining bytes of a message after its bot's data was deleted. A final message can still be sent and states the
 * deletion once the stores have confirmed it; a chat message keeps nothing. Messages without content are unchanged.
 */
export function withoutContent({ event, format, body, botId }: Kept, confirmed: boolean): Buffer {
  if (event === 'bot.chat_message') return Buffer.from(JSON.stringify(redactedPayload(botId)));
  if (event !== 'bot.completed') return body;
  const payload = JSON.parse(body.toString('utf8')) as { data: object };
  const emptied =
    format === 'legacy' ? emptiedLegacy : { ...emptiedFinal, data_deleted: confirmed, artifacts_deleted: confirmed };
  return Buffer.from(JSON.stringify({ ...payload, data: { ...payload.data, ...emptied } }));
}

const emptiedFinal = {
  participants: [],
  speakers: [],
  ...linksOf({}),
  participant_audio: null,
  artifact_urls_expire_at: null,
  transcription_ids: null,
};

const emptiedLegacy = { transcript: [], speakers: [], mp4: null, audio: null };

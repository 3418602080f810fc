import type { Failure } from '@rapporteur/failures';
import { invalid } from '@rapporteur/service-runtime';
import { findUnstorable } from '../schema/read-request.ts';
import { findUntypableMessage, findUntypableName } from './page-text.ts';
import type { CreateBotBody } from '../schema/create-bot-body.ts';

/** Rules across fields of a body. The first violation, as VALIDATION that names the field, or null. */
export function findBrokenRule(body: CreateBotBody): Failure | null {
  return findUnstorable(body) ?? findUntypable(body) ?? largeExtra(body) ?? findMissingPart(body);
}

const findUntypable = ({ bot_name, entry_message }: CreateBotBody): Failure | null =>
  findUntypableName(bot_name, 'bot_name') ?? findUntypableMessage(entry_message, 'entry_message');

export const largestExtraBytes = 16_384;

function largeExtra({ extra }: CreateBotBody): Failure | null {
  if (extra === null || Buffer.byteLength(JSON.stringify(extra)) <= largestExtraBytes) return null;
  return invalid('extra', 'It may have at most 16 KiB as JSON. Keep large data on your side and put its id here.');
}

function findMissingPart(body: CreateBotBody): Failure | null {
  const { callback_enabled, callback_config, streaming_enabled, streaming_config } = body;
  if (callback_enabled && callback_config === null) {
    return invalid('callback_config', 'callback_enabled is true, so it must say where the callback goes.');
  }
  if (streaming_config?.mode === 'transcription' && streaming_config.transcription === null) {
    return invalid('streaming_config.transcription', 'Mode transcription needs it: which provider transcribes?');
  }
  if (!streaming_enabled) return null;
  if (streaming_config === null) {
    return invalid('streaming_config', 'streaming_enabled is true, so it must say where the audio goes.');
  }
  if (streaming_config.input_url === null && streaming_config.output_url === null) {
    return invalid('streaming_config', 'Streaming needs an input_url, an output_url, or both.');
  }
  if (streaming_config.mode === 'transcription' && streaming_config.output_url === null) {
    return invalid('streaming_config.output_url', 'Mode transcription needs it: where does the transcript go?');
  }
  return null;
}

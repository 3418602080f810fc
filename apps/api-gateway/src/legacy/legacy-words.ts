import { z } from 'zod';

/** Replaces v2 field names in owners' messages by legacy ones; whole phrases before single names. */
const words: readonly (readonly [RegExp, string])[] = [
  [/Send transcription_enabled false/g, 'Leave speech_to_text out'],
  [/transcription_config\.custom_params/g, 'transcription_custom_parameters'],
  [/\btranscription_(?:enabled|config)\b/g, 'speech_to_text'],
  [/\bstreaming_(?:enabled|config)\b/g, 'streaming'],
  [/\binput_url\b/g, 'input'],
  [/\boutput_url\b/g, 'output'],
  [/\btimeout_config\b/g, 'automatic_leave'],
  [/\bno_one_joined_timeout\b/g, 'noone_joined_timeout'],
  [/\bjoin_at\b/g, 'start_time'],
  [/\balpha_config\./g, ''],
  [/\balpha_config\b/g, 'alpha_*'],
  [/\bcredential_user_id\b/g, 'alpha_obf_token_user_id'],
  [/\bzak_token_url\b/g, 'alpha_access_token_url'],
  [/\b(obf_token(?:_url)?)\b/g, 'alpha_$1'],
  [/ Send ISO 8601 with a time zone\./g, ''],
];

const refusal = z.looseObject({ message: z.string().nullish(), details: z.string().nullish() });

/** An owner's error envelope with legacy field names; any other body unchanged. */
export function inLegacyWords(body: unknown): unknown {
  const read = refusal.safeParse(body);
  if (!read.success) return body;
  const { message, details } = read.data;
  return {
    // A copy of the body: its members keep their sequence.
    ...(body as object),
    ...(typeof message === 'string' ? { message: renamed(message) } : {}),
    ...(typeof details === 'string' ? { details: renamed(details) } : {}),
  };
}

function renamed(text: string): string {
  return words.reduce((reported, [name, legacyName]) => reported.replaceAll(name, legacyName), text);
}

import type { Failure } from '@rapporteur/failures';
import { invalid } from '@rapporteur/service-runtime';
import { platformNames, platforms } from '@rapporteur/contracts';
import type { MeetingPlatformName } from '@rapporteur/contracts';
import type { MeetingLink } from '@rapporteur/meeting-links';
import { timeoutConfig } from '../schema/create-bot-body.ts';
import type { CreateBotBody } from '../schema/create-bot-body.ts';

/** Rules across fields of a body. The first violation, as VALIDATION that names the field, or null. */
export function findBrokenRule(body: CreateBotBody): Failure | null {
  return findUntypable(body) ?? findMissingPart(body);
}

const findUntypable = ({ bot_name, entry_message }: CreateBotBody): Failure | null =>
  findUntypableName(bot_name, 'bot_name') ?? findUntypableMessage(entry_message, 'entry_message');

function findMissingPart(body: CreateBotBody): Failure | null {
  const { callback_enabled, callback_config, streaming_enabled, streaming_config } = body;
  if (callback_enabled && callback_config === null) {
    return invalid('callback_config', 'callback_enabled is true, so it must say where the callback goes.');
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

/** Control characters, line and paragraph separators, lone surrogates, noncharacters. */
const untypable = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Noncharacter_Code_Point}]/u;
/** Embeddings, overrides and isolates: they change the direction of adjacent text. */
const directional = /[\u202A-\u202E\u2066-\u2069]/u;
const visible = /[^\p{Cc}\p{Cf}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;
const lineBreaks = /\r\n?/g;

/** Validates the bot's name: one line that an input field can hold. The failure that names the field, or null. */
export function findUntypableName(name: string, field: string): Failure | null {
  if (untypable.test(name)) return invalid(field, 'It holds a line break or another control character.');
  if (directional.test(name)) return invalid(field, 'It holds a character that changes the direction of text.');
  return visible.test(name) ? null : invalid(field, 'It needs a visible character.');
}

/** Validates a chat message for an input field. Line breaks and tabs are allowed; an empty text is no message. */
export function findUntypableMessage(message: string | null, field: string): Failure | null {
  if (message === null || message === '') return null;
  if (untypable.test(message.replaceAll(/[\n\r\t]/g, ' '))) {
    return invalid(field, 'It holds a control character other than line breaks and tabs.');
  }
  if (directional.test(message)) return invalid(field, 'It holds a character that changes the direction of text.');
  return visible.test(message) ? null : invalid(field, 'It needs a visible character.');
}

/** The message with every line break as a single line feed. */
export const withLineFeeds = (message: string): string => message.replaceAll(lineBreaks, '\n');

type OwnSettings = (typeof platforms)[keyof typeof platforms]['settings'] | null;

/** Settings for another platform than the link's, as VALIDATION that names the field, or null. */
export function findForeignSettings(body: CreateBotBody, { platform }: MeetingLink): Failure | null {
  const { legacy } = body;
  if (platform !== 'zoom' && (legacy?.alpha_sdk_id ?? legacy?.alpha_sdk_pwd ?? null) !== null) {
    return invalid(
      'alpha_sdk_id',
      `It is for Zoom only, and this link is on ${platforms[platform].title}. Leave it null.`,
    );
  }
  for (const owner of platformNames) {
    const { settings, title } = platforms[owner];
    const field: OwnSettings = settings;
    if (owner === platform || field === null || body[field] === null) continue;
    return invalid(field, `It is for ${title} only, and this link is on ${platforms[platform].title}. Leave it null.`);
  }
  return null;
}

/** Paths of timeouts that are no default and that have no effect on the platform. */
export function timeoutsWithoutEffect(
  given: Readonly<Record<string, unknown>> | undefined,
  platform: MeetingPlatformName,
): string[] {
  const defaults = timeoutConfig.parse({});
  const unused = platforms[platform].hasRoomTimeouts
    ? (['empty_meeting_timeout'] as const)
    : (['no_one_joined_timeout', 'silence_timeout'] as const);
  return unused
    .filter((name) => given !== undefined && Object.hasOwn(given, name) && given[name] !== defaults[name])
    .map((name) => `timeout_config.${name}`);
}

import type { Failure } from '@rapporteur/failures';
import { invalid } from '@rapporteur/service-runtime';

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

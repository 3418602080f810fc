import { endReasons, isEndCode } from '@rapporteur/bot-lifecycle';

const advice: Readonly<Record<string, string>> = {
  CANNOT_JOIN_MEETING: 'Open the link yourself: the meeting may be over, or closed to guests.',
  BOT_NOT_ACCEPTED: 'Ask the host to admit the bot, or use a stored login that the meeting admits by itself.',
  TIMEOUT_WAITING_TO_START:
    'The bot was not admitted in time. Ask the host to admit it, or set a longer waiting_room_timeout.',
  BOT_REMOVED_TOO_EARLY: 'A participant removed the bot, or the meeting ended right after it had joined.',
  INVALID_MEETING_URL: 'Copy the link of the meeting again, with everything behind its question mark.',
  LOGIN_REQUIRED: 'The meeting admits signed-in participants only. Add a stored login under Logins.',
  MEET_LOGIN_UNAVAILABLE: 'All stored logins are in use or invalid. See Logins.',
  TEAMS_LOGIN_UNAVAILABLE: 'All stored logins are in use or invalid. See Logins.',
  INSUFFICIENT_TOKENS: 'The team has no tokens left. Ask your operator for more.',
  DAILY_BOT_CAP_REACHED: 'The team has reached its daily cap of bots. Ask your operator, or wait until tomorrow.',
  TRANSCRIPTION_FAILED: 'The recording is complete. Transcribe it again, with another provider where this one failed.',
};

/** What to do after a bot ended with this code; null where the end message already contains it. */
export function adviceFor(code: string | null): string | null {
  return advice[code ?? ''] ?? null;
}

/** Why a bot ended, as a sentence. An unknown code is returned as it is. */
export function endSentence(code: string): string {
  return isEndCode(code) ? endReasons[code].message : code;
}

import { endReasons } from '@rapporteur/bot-lifecycle';
import type { EndCode, LeaveVerdict } from '@rapporteur/bot-lifecycle';
import type { VisitEnd, VisitEndReason } from '@rapporteur/meeting-platforms';

/** What made the bot stop attending. The first one wins. */
export type EndCause =
  | { readonly kind: 'visit'; readonly end: VisitEnd }
  | { readonly kind: 'rule'; readonly verdict: LeaveVerdict }
  | { readonly kind: 'leave-requested' }
  /** This process was told to stop. */
  | { readonly kind: 'draining' }
  /** Another run holds the bot; nothing more may be written. */
  | { readonly kind: 'fenced'; readonly why: string }
  | { readonly kind: 'broken'; readonly what: string }
  /** Whoever found the cause knows its code. */
  | { readonly kind: 'coded'; readonly end: CodedEnd };

export interface AttendanceFacts {
  readonly platform: 'meet' | 'teams' | 'zoom';
  /** The bot was let into the call. */
  readonly joined: boolean;
  readonly recordedMs: number;
}

export interface CodedEnd {
  readonly code: EndCode;
  /** Safe to show. */
  readonly message: string;
}

/** A video shorter than this is not worth the name. */
export const shortestVideoMs = 5_000;

const before: Readonly<Record<VisitEndReason, EndCode>> = {
  denied: 'BOT_NOT_ACCEPTED',
  // Google Meet gives up by itself after about ten minutes: the same to the customer as our own timeout.
  'no-answer': 'TIMEOUT_WAITING_TO_START',
  blocked: 'BOT_NOT_ACCEPTED',
  'not-found': 'CANNOT_JOIN_MEETING',
  'passcode-wrong': 'INVALID_MEETING_URL',
  'login-required': 'LOGIN_REQUIRED',
  captcha: 'BOT_NOT_ACCEPTED',
  removed: 'BOT_NOT_ACCEPTED',
  'ended-by-host': 'EXITING_MEETING_BEFORE_RECORD',
  left: 'EXITING_MEETING_BEFORE_RECORD',
  'page-unusable': 'CANNOT_JOIN_MEETING',
  'page-crashed': 'INTERNAL_ERROR',
};

const during: Readonly<Record<VisitEndReason, EndCode>> = {
  denied: 'BOT_REMOVED',
  'no-answer': 'BOT_REMOVED',
  blocked: 'BOT_REMOVED',
  'not-found': 'BOT_REMOVED',
  'passcode-wrong': 'BOT_REMOVED',
  'login-required': 'BOT_REMOVED',
  captcha: 'BOT_REMOVED',
  removed: 'BOT_REMOVED',
  // Ended for everyone is not NO_ATTENDEES, which says that nobody ever joined: the host took the bot out with the rest.
  'ended-by-host': 'BOT_REMOVED',
  // The page left although the bot did not press anything: somebody or something took it out.
  left: 'BOT_REMOVED',
  'page-unusable': 'INTERNAL_ERROR',
  'page-crashed': 'INTERNAL_ERROR',
};

const words: Readonly<Partial<Record<VisitEndReason, string>>> = {
  denied: "Someone in the meeting denied the bot's request to join.",
  'no-answer': "Nobody answered the bot's request to join until the platform gave up.",
  blocked: 'The platform itself did not let the bot into this meeting.',
  'not-found': 'The platform knows no meeting under this link. Check the link.',
  'passcode-wrong':
    'The passcode in the meeting link is missing or wrong. Copy the whole link from the invitation, with its passcode.',
  captcha: 'The platform asked for proof of being human, which the bot does not give.',
  'ended-by-host': 'The host ended the meeting for everyone.',
};

/** Where the truth is more than the code says. */
const ruleWords: Readonly<Partial<Record<EndCode, string>>> = {
  WAITING_FOR_HOST_TIMEOUT:
    'The host did not start the meeting in time, or the link is wrong: the platform shows the same page for both. Check the link, or give it longer with a higher timeout_config.waiting_room_timeout.',
};

/** The specification's code for why the attendance ended, and a sentence that says it. Pure. */
export function codeOf(cause: EndCause, facts: AttendanceFacts): CodedEnd {
  switch (cause.kind) {
    case 'visit':
      return codeOfVisit(cause.end, facts);
    case 'rule':
      return coded(cause.verdict.code, ruleWords[cause.verdict.code]);
    case 'leave-requested':
      return coded(facts.recordedMs > 0 ? 'API_REQUEST' : 'EXITING_MEETING_BEFORE_RECORD');
    case 'draining':
      return coded('SIGTERM');
    case 'fenced':
      return coded('GENERAL_ERROR');
    case 'broken':
      return coded('INTERNAL_ERROR', cause.what);
    case 'coded':
      return cause.end;
  }
}

function codeOfVisit({ reason }: VisitEnd, { joined, recordedMs, platform }: AttendanceFacts): CodedEnd {
  const code = (joined ? during : before)[reason];
  if (code === 'LOGIN_REQUIRED' && platform === 'meet') return coded('MEET_LOGIN_REQUIRED');
  if (reason === 'ended-by-host' && !joined && platform === 'zoom') return coded('MEETING_ENDED_PREMATURELY');
  if (code === 'INTERNAL_ERROR') return coded(code, brokenWords(reason));
  const early = code === 'BOT_REMOVED' && recordedMs < shortestVideoMs;
  return coded(early ? 'BOT_REMOVED_TOO_EARLY' : code, early ? undefined : words[reason]);
}

function brokenWords(reason: VisitEndReason): string {
  return reason === 'page-crashed'
    ? 'The browser page of the meeting crashed. What was recorded before is kept.'
    : 'The browser page of the meeting stopped working. What was recorded before is kept.';
}

function coded(code: EndCode, message: string = endReasons[code].message): CodedEnd {
  return { code, message };
}

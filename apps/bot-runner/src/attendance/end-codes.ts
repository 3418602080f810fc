import { endReasons } from '@rapporteur/bot-lifecycle';
import type { EndCode, LeaveRuleName, LeaveVerdict } from '@rapporteur/bot-lifecycle';
import { platforms, refusals, waitingUnrecognised } from '@rapporteur/contracts';
import type {
  MeetingPlatformName,
  PlatformEndCodes,
  Refusal,
  RefusalCause,
  RefusalHelper,
} from '@rapporteur/contracts';
import { lossWords } from '../recovery/recovery-supervisor.ts';
import type { RecoveryFailure } from '../recovery/recovery-supervisor.ts';
import type { SessionEnd, SessionEndReason } from '@rapporteur/meeting-platforms';

/** Why the bot stopped attending. The first cause counts. */
export type EndCause =
  | RecoveryFailure
  | { readonly kind: 'rule'; readonly verdict: LeaveVerdict }
  | { readonly kind: 'leave-requested' }
  /** This process is stopping. */
  | { readonly kind: 'draining' }
  /** Another run has replaced this one and records; this end is not reported. */
  | { readonly kind: 'replaced' }
  /** Another run holds the lease; nothing more may be written. */
  | { readonly kind: 'fenced'; readonly why: string }
  /** The component that detected the cause supplies the code. */
  | { readonly kind: 'coded'; readonly end: CodedEnd };

export interface AttendanceFacts {
  readonly platform: MeetingPlatformName;
  /** The bot joined with a login. */
  readonly withLogin: boolean;
  /** The bot was admitted to the call. */
  readonly joined: boolean;
  /** The bot was moved from the call to the waiting room, and was not admitted again. */
  readonly putToWait: boolean;
  /** Something of the recording is stored. */
  readonly stored: boolean;
  readonly recordedMs: number;
  /** The last reading of the page; absent: there was none. */
  readonly page?: { readonly rule: string | null; readonly said: string | null };
}

export interface CodedEnd {
  readonly code: EndCode;
  /** Safe to show. */
  readonly message: string;
}

/** A shorter recording is not stored as a video. */
export const shortestVideoMs = 5_000;

const before: Readonly<Record<SessionEndReason, EndCode>> = {
  denied: 'BOT_NOT_ACCEPTED',
  // Google Meet ends the request by itself after about ten minutes: reported like our own timeout.
  'no-response': 'TIMEOUT_WAITING_TO_START',
  blocked: 'BOT_NOT_ACCEPTED',
  refused: 'BOT_NOT_ACCEPTED',
  'not-found': 'CANNOT_JOIN_MEETING',
  'passcode-wrong': 'INVALID_MEETING_URL',
  'login-required': 'LOGIN_REQUIRED',
  captcha: 'BOT_NOT_ACCEPTED',
  'external-meeting-forbidden': 'UNABLE_JOIN_EXTERNAL_MEETING',
  'sdk-auth-failed': 'SDK_AUTH_FAILED',
  'obf-token-refused': 'ALPHA_OBF_TOKEN_ERROR',
  'access-token-refused': 'ALPHA_ACCESS_TOKEN_ERROR',
  'authorized-user-left': 'WAITING_FOR_AUTHORIZED_USER_TIMEOUT',
  'recording-right-refused': 'RECORDING_RIGHTS_NOT_GRANTED',
  'recording-right-unavailable': 'CANNOT_REQUEST_RECORDING_RIGHT',
  'recording-right-not-shown': 'HOST_CLIENT_CANNOT_GRANT_PERMISSION',
  'recording-not-started': 'RECORDING_START_TIMEOUT',
  removed: 'BOT_NOT_ACCEPTED',
  'ended-by-host': 'EXITING_MEETING_BEFORE_RECORD',
  left: 'EXITING_MEETING_BEFORE_RECORD',
  'page-unusable': 'CANNOT_JOIN_MEETING',
  'connection-lost': 'CANNOT_JOIN_MEETING',
  'page-crashed': 'INTERNAL_ERROR',
};

const during: Readonly<Record<SessionEndReason, EndCode>> = {
  denied: 'BOT_REMOVED',
  'no-response': 'BOT_REMOVED',
  blocked: 'BOT_REMOVED',
  refused: 'BOT_REMOVED',
  'not-found': 'BOT_REMOVED',
  'passcode-wrong': 'BOT_REMOVED',
  'login-required': 'BOT_REMOVED',
  captcha: 'BOT_REMOVED',
  'external-meeting-forbidden': 'BOT_REMOVED',
  'sdk-auth-failed': 'BOT_REMOVED',
  'obf-token-refused': 'BOT_REMOVED',
  'access-token-refused': 'BOT_REMOVED',
  'authorized-user-left': 'BOT_REMOVED',
  'recording-right-refused': 'RECORDING_RIGHTS_NOT_GRANTED',
  'recording-right-unavailable': 'CANNOT_REQUEST_RECORDING_RIGHT',
  'recording-right-not-shown': 'HOST_CLIENT_CANNOT_GRANT_PERMISSION',
  'recording-not-started': 'RECORDING_START_TIMEOUT',
  removed: 'BOT_REMOVED',
  // A meeting ended for everyone is not NO_ATTENDEES, which means that no participant joined: the host removed the bot
  // with the rest.
  'ended-by-host': 'BOT_REMOVED',
  // The page left although the bot did not press the control: it was removed.
  left: 'BOT_REMOVED',
  'page-unusable': 'INTERNAL_ERROR',
  'connection-lost': 'INTERNAL_ERROR',
  'page-crashed': 'INTERNAL_ERROR',
};

/** The cause of an end for which the page names none. */
const usualCauses: Readonly<Partial<Record<SessionEndReason, RefusalCause>>> = {
  denied: 'denied',
  removed: 'denied',
  'no-response': 'no-response',
  blocked: 'bot-suspected',
  refused: 'refused',
  'not-found': 'not-found',
  'passcode-wrong': 'passcode',
  'login-required': 'sign-in',
  captcha: 'captcha',
};

const helpers: Readonly<Record<RefusalHelper, string>> = {
  host: 'the host of the meeting',
  administrator: "the administrator of the organizer's organization",
  customer: 'you',
  operator: 'the operator of this deployment',
};

const another: Readonly<Record<Refusal['again'], string>> = {
  no: 'Another try does not help before that.',
  later: 'Another try may help later.',
  once: 'Another try may help; do not repeat it often.',
};

const words: Readonly<Partial<Record<SessionEndReason, string>>> = {
  // The code's own words are about the link, which is right as a rule.
  'page-unusable':
    'The page of the meeting did not load, or had no part that the bot can operate: the platform may have changed it. The evidence of the bot holds what it showed.',
  removed: 'Someone removed the bot from the meeting.',
  'ended-by-host': 'The host ended the meeting for everyone.',
  'external-meeting-forbidden':
    'The Meeting SDK app may not join meetings of another account. Use an app that is published, and a token of a user who may authorise it.',
  'sdk-auth-failed':
    "The platform refused the Meeting SDK app's key or signature. Check the key and the secret, and that the app is active.",
  'obf-token-refused':
    'The platform refused the OBF token: it is invalid, expired, used already or for another meeting. Make a new one right before the bot joins.',
  'access-token-refused': 'The platform refused the ZAK. Make sure that zak_token_url gives one that is still good.',
  'authorized-user-left': 'The user on whose behalf the bot was there left the meeting, and the bot with them.',
  'recording-right-refused': 'The host did not allow the bot to record, or did not respond in time.',
};

/** Messages that are more precise than the code. */
const ruleWords: Readonly<Partial<Record<LeaveRuleName, string>>> = {
  no_one_joined: 'No participant joined the meeting in time, so the bot left.',
  empty_meeting: 'No participant joined the meeting in time, so the bot left.',
  everyone_left: 'All participants had left the meeting, so the bot left too.',
  waiting_for_host:
    'The host did not start the meeting in time, or the link is wrong: the platform shows the same page for both. Check the link, or give it longer with a higher timeout_config.waiting_room_timeout.',
};

/** The specification's code for why the attendance ended, with a message. Pure. */
export function codeOf(cause: EndCause, facts: AttendanceFacts): CodedEnd {
  switch (cause.kind) {
    case 'session':
      return endCodeOfSession(cause.end, facts);
    case 'rule':
      if (facts.joined && isWaiting(cause.verdict))
        return facts.putToWait
          ? removed(facts, cause.verdict.rule === 'waiting_for_host' ? hostAway : leftWaiting)
          : coded('INTERNAL_ERROR', `${notLetInAgain}${kept(facts)}`);
      return coded(cause.verdict.code, waitedWords(cause.verdict, facts));
    case 'leave-requested':
      return coded(facts.recordedMs > 0 ? 'API_REQUEST' : 'EXITING_MEETING_BEFORE_RECORD');
    case 'replaced':
    case 'draining':
      return coded('SIGTERM');
    case 'fenced':
      return coded('GENERAL_ERROR');
    case 'broken':
      return coded('INTERNAL_ERROR', `${cause.what}${kept(facts)}`);
    case 'rejoin-failed':
      return codeOfFailedRejoin(cause, facts);
    case 'coded':
      return cause.end;
  }
}

/** The message of a bot that waited on an unrecognised page until its timeout contains the sentence of the page. */
function waitedWords(verdict: LeaveVerdict, { page }: AttendanceFacts): string {
  const usual = ruleWords[verdict.rule] ?? endReasons[verdict.code].message;
  if (!isWaiting(verdict) || page?.rule !== waitingUnrecognised) return usual;
  return `${usual} The bot waited on a page that it did not recognise.${quoted(page.said)}`;
}

function quoted(said: string | null | undefined): string {
  return said === null || said === undefined ? '' : ` The page said: "${said.replace(/[.]$/, '')}".`;
}

/** What happened, what the page said, who can help and whether another try helps. */
function refusalWords({ reason, cause: named, said }: SessionEnd): string | undefined {
  const cause = named ?? usualCauses[reason];
  if (cause === undefined) return words[reason] && `${words[reason]}${quoted(said)}`;
  const { what, help, again } = refusals[cause] satisfies Refusal;
  const who = help.map((helper) => helpers[helper]).join(' or ');
  return `${what}${quoted(said)} ${who.charAt(0).toUpperCase()}${who.slice(1)} can help. ${another[again]}`;
}

function endCodeOfSession(end: SessionEnd, facts: AttendanceFacts): CodedEnd {
  const { reason } = end;
  const { joined, recordedMs, platform, withLogin } = facts;
  if (facts.putToWait && reason !== 'ended-by-host') return removed(facts, leftWaiting);
  // Media recorded while the host allowed it is kept as a recording.
  if (reason === 'recording-right-refused' && recordedMs >= shortestVideoMs)
    return coded('BOT_REMOVED', 'The host took back the right to record, so the bot stopped and left.');
  const code = (joined ? during : before)[reason];
  const own: Readonly<Partial<Record<keyof PlatformEndCodes, EndCode>>> = platforms[platform].endCodes;
  const login = withLogin ? own.loginRefused : own.loginRequired;
  if (code === 'LOGIN_REQUIRED') return coded(login ?? code, refusalWords(end));
  if (reason === 'ended-by-host' && !joined && own.endedBeforeJoining !== undefined)
    return coded(own.endedBeforeJoining);
  if (code === 'INTERNAL_ERROR') return coded(code, `${lossWords(reason)}${kept(facts)}`);
  if (!joined) return coded(code, refusalWords(end));
  const early = code === 'BOT_REMOVED' && recordedMs < shortestVideoMs;
  return coded(early ? 'BOT_REMOVED_TOO_EARLY' : code, early ? tooEarly(words[reason]) : words[reason]);
}

/**
 * The rule by which a page outside of the call showed this end; null: it did not. A page that could not be operated
 * showed nothing, a site that does not respond is not the page.
 */
export function shownRuleOf(cause: EndCause, lastRule: string | null): string | null {
  if (cause.kind === 'rule') return lastRule;
  if (cause.kind !== 'session') return null;
  const { reason, rule } = cause.end;
  if (reason !== 'page-unusable' && reason !== 'page-crashed') return rule;
  return rule === 'site-does-not-respond' ? rule : null;
}

/** After joining, a bot waits only when it lost the call. */
function isWaiting({ rule }: LeaveVerdict): boolean {
  return rule.startsWith('waiting_');
}

const notLetInAgain = 'The browser page of the meeting was lost, and the bot was not admitted again in time.';
const hostAway = 'The meeting waited for its host again, who did not return in time.';
const leftWaiting = 'Someone put the bot into the waiting room, and it was not admitted again.';

/**
 * Participants or the host decided that the bot stays out, or the meeting ended: that is reported, not the lost page.
 */
const decided: Readonly<Partial<Record<SessionEndReason, string>>> = {
  denied: "Someone in the meeting denied the bot's request to rejoin.",
  removed: 'Someone took the bot out of the meeting when it rejoined.',
  'ended-by-host': 'The meeting was over when the bot rejoined.',
  'not-found': 'The meeting was no longer there when the bot rejoined.',
  'recording-right-refused': 'The host did not allow the bot to record when it rejoined.',
};
const signInLost = "The bot's sign-in was lost, and the meeting offered it a place as a guest only.";

function codeOfFailedRejoin(
  { what, end }: Extract<EndCause, { kind: 'rejoin-failed' }>,
  facts: AttendanceFacts,
): CodedEnd {
  const decision = decided[end.reason];
  if (decision === undefined && facts.putToWait) return removed(facts, leftWaiting);
  const why = end.reason === 'login-required' && facts.withLogin ? signInLost : 'The bot could not rejoin.';
  if (decision === undefined) return coded('INTERNAL_ERROR', `${what} ${why}${kept(facts)}`);
  const message = `${what} ${decision}`;
  const refused = end.reason === 'recording-right-refused' && facts.recordedMs < shortestVideoMs;
  return refused ? coded('RECORDING_RIGHTS_NOT_GRANTED', message) : removed(facts, message);
}

function tooEarly(what: string | undefined): string {
  const { message } = endReasons.BOT_REMOVED_TOO_EARLY;
  return what === undefined ? message : `${what} ${message}`;
}

function removed({ recordedMs }: AttendanceFacts, message: string): CodedEnd {
  return coded(recordedMs < shortestVideoMs ? 'BOT_REMOVED_TOO_EARLY' : 'BOT_REMOVED', message);
}

function kept({ stored }: AttendanceFacts): string {
  return stored ? ' What was recorded before is kept.' : '';
}

function coded(code: EndCode, message: string = endReasons[code].message): CodedEnd {
  return { code, message };
}

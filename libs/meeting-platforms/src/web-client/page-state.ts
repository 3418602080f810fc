import type { VisitEndReason } from '../platform.ts';

/** Where a bot stands on a meeting's page, in words that hold for every platform. */
export type PageState =
  | 'loading'
  /** A page before the meeting's own that wants a press, e.g. to go on in the browser. */
  | 'launcher'
  | 'pre-join'
  | 'lobby'
  /** The meeting has not begun: its host is not there. */
  | 'waiting-for-host'
  /** The user whom the bot comes for is not in the meeting yet. */
  | 'waiting-for-authorized-user'
  | 'in-call'
  | 'denied'
  | 'no-answer'
  | 'blocked'
  | 'not-found'
  | 'passcode-wrong'
  | 'login-required'
  | 'captcha'
  | 'external-meeting-forbidden'
  | 'sdk-auth-failed'
  | 'obf-token-refused'
  | 'access-token-refused'
  | 'authorized-user-left'
  | 'recording-right-refused'
  | 'recording-right-unavailable'
  | 'recording-right-not-shown'
  | 'recording-not-started'
  /** The client itself says that nothing will come of it. */
  | 'unusable'
  | 'removed'
  | 'ended-by-host'
  | 'left';

export interface PageReading {
  readonly state: PageState;
  /** Name of the rule that matched, for logs and evidence. */
  readonly rule: string;
}

/** One way to tell where the bot stands, from what a platform reads off its page. */
export interface PageRule<S> {
  readonly state: PageState;
  readonly rule: string;
  readonly matches: (page: S) => boolean;
}

/** The first rule that matches says where the bot stands. Pure. */
export function readByRules<S>(rules: readonly PageRule<S>[], page: S): PageReading {
  const match = rules.find((rule) => rule.matches(page));
  return match === undefined ? { state: 'loading', rule: 'nothing-known' } : { state: match.state, rule: match.rule };
}

const endReasons: Readonly<Partial<Record<PageState, VisitEndReason>>> = {
  denied: 'denied',
  'no-answer': 'no-answer',
  blocked: 'blocked',
  'not-found': 'not-found',
  'passcode-wrong': 'passcode-wrong',
  'login-required': 'login-required',
  'external-meeting-forbidden': 'external-meeting-forbidden',
  'sdk-auth-failed': 'sdk-auth-failed',
  'obf-token-refused': 'obf-token-refused',
  'access-token-refused': 'access-token-refused',
  'authorized-user-left': 'authorized-user-left',
  'recording-right-refused': 'recording-right-refused',
  'recording-right-unavailable': 'recording-right-unavailable',
  'recording-right-not-shown': 'recording-right-not-shown',
  'recording-not-started': 'recording-not-started',
  unusable: 'page-unusable',
  removed: 'removed',
  'ended-by-host': 'ended-by-host',
  left: 'left',
};

/** The end that a page state stands for, or null while the visit goes on. */
export function endReasonOf(state: PageState): VisitEndReason | null {
  return endReasons[state] ?? null;
}

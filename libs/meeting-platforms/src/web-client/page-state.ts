import type { SessionEndReason } from '../platform.ts';

const status = [
  'loading',
  /** A page before the meeting's own that wants a press, e.g. to go on in the browser. */
  'launcher',
  'pre-join',
  'lobby',
  /** The meeting has not begun: its host is not there. */
  'waiting-for-host',
  /** The user whom the bot comes for is not in the meeting yet. */
  'waiting-for-authorized-user',
  'in-call',
  /** It may go away by itself; only one that stays is an end. */
  'captcha',
] as const;

type StatusState = (typeof status)[number];

/** Ends that no page shows: the bot finds them out itself. */
type UnshownEnd = 'page-unusable' | 'page-crashed';

/** Where a bot stands on a meeting's page, in words that hold for every platform; an end is called as what it means. */
export type PageState =
  | StatusState
  | Exclude<SessionEndReason, UnshownEnd | StatusState>
  /** The client itself says that nothing will come of it. */
  | 'unusable';

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

function hasStatus(state: PageState): state is StatusState {
  return (status as readonly string[]).includes(state);
}

/** The end that a page state stands for, or null while the session goes on. */
export function endReasonOf(state: PageState): SessionEndReason | null {
  if (hasStatus(state)) return null;
  return state === 'unusable' ? 'page-unusable' : state;
}

import type { SessionEndReason } from '../platform.ts';

const status = [
  'loading',
  /** A page before the meeting's own that requires a press, e.g. to continue in the browser. */
  'launcher',
  'pre-join',
  'lobby',
  /** The meeting has not begun: its host is absent. */
  'waiting-for-host',
  /** The authorized user of the bot is not in the meeting yet. */
  'waiting-for-authorized-user',
  'in-call',
  /** May disappear by itself; only a persistent one is an end. */
  'captcha',
] as const;

type StatusState = (typeof status)[number];

/** Ends that no page shows: the bot itself detects them. */
type UnshownEnd = 'page-unusable' | 'page-crashed';

/** The state of a meeting's page, the same for every platform; an end has the name of its reason. */
export type PageState =
  | StatusState
  | Exclude<SessionEndReason, UnshownEnd | StatusState>
  /** The client reports that it cannot continue. */
  | 'unusable';

export interface PageReading {
  readonly state: PageState;
  /** Name of the rule that matched, for logs and evidence. */
  readonly rule: string;
}

/** One rule that maps a platform's snapshot to a state. */
export interface PageRule<S> {
  readonly state: PageState;
  readonly rule: string;
  readonly matches: (page: S) => boolean;
}

/** The state of the first rule that matches. Pure. */
export function readByRules<S>(rules: readonly PageRule<S>[], page: S): PageReading {
  const match = rules.find((rule) => rule.matches(page));
  return match === undefined ? { state: 'loading', rule: 'nothing-known' } : { state: match.state, rule: match.rule };
}

function hasStatus(state: PageState): state is StatusState {
  return (status as readonly string[]).includes(state);
}

/** The end reason of a page state, or null while the session continues. */
export function endReasonOf(state: PageState): SessionEndReason | null {
  if (hasStatus(state)) return null;
  return state === 'unusable' ? 'page-unusable' : state;
}

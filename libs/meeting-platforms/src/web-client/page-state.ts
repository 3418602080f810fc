import type { PagePack, PackState, RefusalCause } from '@rapporteur/contracts';
import { TextMatcher } from '../page-packs/index.ts';
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
type UnshownEnd = 'page-unusable' | 'page-crashed' | 'connection-lost';

/** The state of a meeting's page, the same for every platform; an end has the name of its reason. */
export type PageState =
  | StatusState
  | Exclude<SessionEndReason, UnshownEnd | StatusState>
  /** The client reports that it cannot continue. */
  | 'unusable';

/** The part of a snapshot that all platforms share. Texts have straight apostrophes and single spaces. */
export interface PageSnapshot {
  readonly host: string;
  /** Visible text without that of participants: tiles, lists, chat and captions are left out. */
  readonly text: string;
  /** The same, a part for each block of the page. Absent: `text` is one. */
  readonly lines?: readonly string[];
  /** Visible text of the page's own notices: headings, alerts, the screen that ends a call. */
  readonly notices: readonly string[];
  /** Visible dialogs, each with all its text. */
  readonly dialogs: readonly string[];
  readonly nameField: boolean;
  /** The page requires a passcode before a request for admission. */
  readonly passcodeField?: boolean;
}

export interface PageReading {
  readonly state: PageState;
  /** Name of the rule that matched, for logs and evidence. */
  readonly rule: string;
  readonly cause?: RefusalCause;
  /** The sentence of the page that decided, at most 300 UTF-16 units. */
  readonly sentence?: string;
  /** The state counts once the page has shown it for this long; of a lost connection, until it may come back. */
  readonly afterMs?: number;
}

/** What a platform's page shows otherwise than by text. */
export interface PageMarks<S> {
  readonly showsCall: (page: S) => boolean;
  /** The page has a form or a button that leads towards the meeting and can be used. */
  readonly offersEntry: (page: S) => boolean;
  /** Marks by the name of the rule that they decide, alone or beside a text of this name. */
  readonly marks: Readonly<Record<string, (page: S) => boolean>>;
}

/** The client reports a lost connection, with or without the call's controls. */
export function isDisconnected({ state, cause }: PageReading): boolean {
  return cause === 'technical' && (state === 'loading' || state === 'in-call');
}

export const unrecognised = { state: 'loading', rule: 'unrecognised' } as const satisfies PageReading;

const longestSentence = 300;
const mostSentences = 40;
/** A pack has no sentence of an end in such a text: hints, conditions, the state of devices. */
const inconclusive = 'inconclusive';
/** A notice of a call with such a text reports a lost connection. */
const connectionRules = ['reconnecting-kind', 'connection-kind'];

/** The texts of one page, by the places where they count. Each is computed once. */
class PageTexts {
  readonly #page: PageSnapshot;
  readonly call: boolean;
  readonly #form: boolean;
  readonly #inconclusive: TextMatcher;
  #conclusive: readonly string[] | null = null;
  #sentences: readonly string[] | null = null;

  constructor(page: PageSnapshot, { call, form }: { call: boolean; form: boolean }, hints: TextMatcher) {
    this.#page = page;
    this.call = call;
    this.#form = form;
    this.#inconclusive = hints;
  }

  at(where: PackState['where']): readonly string[] {
    const { notices, dialogs, text } = this.#page;
    const outside = this.call ? [] : [text];
    if (where === 'any') return [text];
    if (where === 'page') return outside;
    if (where === 'dialog') return [...notices, ...dialogs, ...outside];
    if (where === 'notice') return [...notices, ...outside];
    if (this.#form) return [];
    if (where === 'waiting') return this.call ? sentencesOf(notices) : this.sentences;
    this.#conclusive ??= this.call ? [] : this.sentences.filter((sentence) => !this.#inconclusive.test(sentence));
    return this.#conclusive;
  }

  /** In reading order: notices, dialogs, then the lines of the page. */
  get sentences(): readonly string[] {
    const { notices, dialogs, lines, text } = this.#page;
    return (this.#sentences ??= sentencesOf([...notices, ...dialogs, ...(lines ?? [text])]));
  }

  /** The sentence of this text in which the pattern matches. */
  matchingSentence(text: string, matcher: TextMatcher): string {
    const sentence = sentencesOf([text]).find((one) => matcher.test(one));
    return sentence ?? text.slice(0, longestSentence);
  }
}

export function sentencesOf(texts: readonly string[]): string[] {
  const sentences = texts.flatMap((text) => text.slice(0, 2_000).split(/(?<=[.!?。！？])\s+|\n/));
  return [...new Set(sentences.map((one) => one.trim().slice(0, longestSentence)))]
    .filter((one) => one !== '')
    .slice(0, mostSentences);
}

/** How a platform's pages are read: the first state of the pack that applies. Pure. */
export function pageReader<S extends PageSnapshot>(
  pack: PagePack,
  { showsCall, offersEntry, marks }: PageMarks<S>,
): (page: S, counts?: (rule: string) => boolean) => PageReading {
  const matchers = new Map(Object.entries(pack.texts).map(([rule, patterns]) => [rule, new TextMatcher(patterns)]));
  const hints = matchers.get(inconclusive) ?? new TextMatcher([]);
  const disconnected = connectionRules.flatMap((rule) => matchers.get(rule) ?? []);
  for (const { rule } of pack.states)
    if (!matchers.has(rule) && !Object.hasOwn(marks, rule))
      throw new Error(`The page pack of ${pack.platform} has neither a text nor a mark for ${rule}.`);
  return (page, counts = () => true) => {
    const texts = new PageTexts(page, { call: showsCall(page), form: page.nameField || offersEntry(page) }, hints);
    for (const { rule, state, where = 'notice', cause, afterMs } of pack.states) {
      if (!counts(rule)) continue;
      const matcher = where === 'mark' ? undefined : matchers.get(rule);
      const text = matcher && texts.at(where).find((one) => matcher.test(one));
      if (text === undefined && marks[rule]?.(page) !== true) continue;
      const lost =
        state === 'in-call' &&
        disconnected.some((one) => [...page.notices, ...page.dialogs].some((text) => one.test(text)));
      const named = lost ? 'technical' : cause;
      return {
        state: state as PageState,
        rule,
        ...(named === undefined ? {} : { cause: named }),
        ...(afterMs === undefined ? {} : { afterMs }),
        ...(matcher === undefined || text === undefined ? {} : { sentence: texts.matchingSentence(text, matcher) }),
      };
    }
    return unrecognised;
  };
}

function hasStatus(state: PageState): state is StatusState {
  return (status as readonly string[]).includes(state);
}

/** The end reason of a page state, or null while the session continues. */
export function endReasonOf(state: PageState): SessionEndReason | null {
  if (hasStatus(state)) return null;
  return state === 'unusable' ? 'page-unusable' : state;
}

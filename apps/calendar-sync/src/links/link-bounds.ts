import { platformLinks } from '@rapporteur/meeting-links';

export interface LinkStart {
  readonly at: number;
  /** Empty: the link begins with its host. */
  readonly scheme: string;
}

/** Maximum number of starts per run of characters; natural text has fewer. */
const mostStarts = 8;
const bareHosts = Object.values(platformLinks).flatMap(({ hosts }) => hosts.map((host) => `${host}/`));
/** In characters. */
const longestHost = 100;

/** Positions where links may begin in a run of characters. @param lowered the run in lower case */
export function startsIn(lowered: string): LinkStart[] {
  const starts: LinkStart[] = [];
  for (const match of lowered.matchAll(/https?:\/\//g)) {
    starts.push({ at: match.index, scheme: match[0] });
    if (starts.length === mostStarts) break;
  }
  if (starts.length > 0 || lowered.includes('://')) return starts;
  return bareHosts.flatMap((host) => {
    const at = lowered.indexOf(host);
    const start = at === -1 ? -1 : hostStart(lowered, at);
    return start === -1 ? [] : [{ at: start, scheme: '' }];
  });
}

/** The start of the host that contains the one at `at`; -1 in an e-mail address. */
function hostStart(lowered: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < longestHost && /[a-z\d.-]/.test(lowered.charAt(start - 1))) start -= 1;
  if (lowered.charAt(start - 1) === '@') return -1;
  while (start < at && !/[a-z\d]/.test(lowered.charAt(start))) start += 1;
  return start;
}

/**
 * Candidates for a link without the punctuation, brackets, markup or next word that follows it, longest first.
 * @param before the characters before the link
 */
export function endingsOf(text: string, before: string): string[] {
  const enclosed = withoutMarkup(withoutOpenBrackets(text), before);
  const sentence = trimEnd(enclosed, /[.,;:!?]/);
  const foreign = sentence.slice('https://'.length).search(/[^\w\-.~:/?#@&=%+]/);
  const second = sentence.slice('https://'.length).search(/https?:\/\//i);
  const cuts = [foreign, second].filter((at) => at > 0).map((at) => sentence.slice(0, at + 'https://'.length));
  const meeting = meetLink.exec(sentence)?.[0] ?? sentence;
  return [...new Set([sentence, ...[sentence, ...cuts].map((one) => trimEnd(one, /[^a-z\d]/i)), meeting])];
}

/** A meeting code is followed by a query, a fragment or other text. */
const meetLink = /^https:\/\/meet\.google\.com\/[a-z]{3}-[a-z]{4}-[a-z]{3}(?=[@:=&%+~])/i;

/** The text up to the first unmatched closing bracket. */
function withoutOpenBrackets(text: string): string {
  const open = { ')': 0, ']': 0 };
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '(') open[')'] += 1;
    if (character === '[') open[']'] += 1;
    if (character !== ')' && character !== ']') continue;
    if (open[character] === 0) return text.slice(0, at);
    open[character] -= 1;
  }
  return text;
}

/** Markdown and chats enclose text in `*`, `_` and `~`. */
function withoutMarkup(text: string, before: string): string {
  const mark = before.at(-1) ?? '';
  if (!'*_~'.includes(mark) || mark === '') return text;
  const kept = trimEnd(before, mark === '*' ? /\*/ : mark === '_' ? /_/ : /~/);
  const closing = mark.repeat(before.length - kept.length);
  // An underscore may also be a part of the link.
  if (mark === '_') return text.endsWith(closing) ? text.slice(0, -closing.length) : text;
  const end = text.indexOf(closing);
  return end === -1 ? text : text.slice(0, end);
}

/** Character by character: a regular expression anchored at the end takes quadratic time. */
function trimEnd(text: string, unwanted: RegExp): string {
  let end = text.length;
  while (end > 0 && unwanted.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

import { longestLink, parseMeetingLink, platformLinks } from '@rapporteur/meeting-links';
import type { MeetingLink, MeetingPlatform, ParseOptions, RefusedLink } from '@rapporteur/meeting-links';
import { linesOf, passcodeOf, statedNumberOf } from './passcodes.ts';

interface LinkStart {
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
function startsIn(lowered: string): LinkStart[] {
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
function endingsOf(text: string, before: string): string[] {
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

/** organizer: the text and location of the event. calendar: the conference that the calendar added. */
export type LinkSource = 'organizer' | 'calendar';

export interface LinkText {
  readonly text: string;
  readonly source: LinkSource;
}

/** The present texts of one source. */
export function linkTexts(source: LinkSource, texts: readonly (string | null | undefined)[]): LinkText[] {
  return texts.filter((text) => typeof text === 'string').map((text) => ({ text, source }));
}

export interface FoundLink {
  readonly url: string;
  readonly platform: MeetingPlatform;
  readonly source: LinkSource;
}

export interface LinkSearch {
  /** One link per meeting: those that only the organizer wrote come first. */
  readonly links: readonly FoundLink[];
  /** Without any link: why a link of a platform could not be used; null: none was found. */
  readonly problem: string | null;
  /** The canonical form of the first link: the same in every copy of the event. Null: there is no link. */
  readonly meetingKey: string | null;
  /** The first link is Zoom's, and neither it nor the texts have a passcode. */
  readonly lacksPasscode: boolean;
}

/** In characters, per event: further text is not read. */
export const longestText = 200_000;
/** Maximum number of candidates per event that are parsed as links. */
const mostReadings = 300;
const mostLinks = 8;

interface Search {
  readonly options: ParseOptions;
  readonly found: Map<string, FoundLink & { readonly link: MeetingLink }>;
  /** Meetings that the calendar added. */
  readonly added: Set<string>;
  problem: string | null;
  readings: number;
}

/** Finds meeting links in texts, which may be HTML. Linear in the texts, whose length is limited. */
export function findMeetingLinks(texts: readonly LinkText[], simulatorLinkHosts: readonly string[]): LinkSearch {
  const search: Search = {
    options: simulatorLinkHosts.length === 0 ? {} : { simulator: { linkHosts: simulatorLinkHosts } },
    found: new Map(),
    added: new Set(),
    problem: null,
    readings: 0,
  };
  const hints = [...platformHints, ...simulatorLinkHosts];
  const plains: string[] = [];
  let left = longestText;
  for (const { text, source } of texts) {
    const plain = unescaped(text.slice(0, left));
    plains.push(plain);
    for (const run of runsOf(plain)) {
      const lowered = run.toLowerCase();
      if (hints.some((hint) => lowered.includes(hint))) readRun(search, { run, lowered, source });
    }
    left -= text.length;
    if (left < 0) {
      search.problem ??= `The text of the event has more than ${longestText} characters; the rest is not read for links.`;
      left = 0;
    }
  }
  if (search.readings >= mostReadings) search.problem ??= 'The event holds more links than are read.';
  addPasscodes(search, plains);
  const all = [...search.found.values()];
  const own = all.filter(({ link }) => !search.added.has(link.canonicalUrl));
  const links = [...own, ...all.filter((one) => !own.includes(one))];
  return {
    links: links.map(({ url, platform, source, link }) => ({
      url,
      platform,
      source: search.added.has(link.canonicalUrl) ? 'calendar' : source,
    })),
    problem: links.length > 0 ? null : search.problem,
    meetingKey: links[0]?.link.canonicalUrl ?? null,
    lacksPasscode: links[0] !== undefined && lacksPasscode(links[0]),
  };
}

const lacksPasscode = ({ link: { platform, joinUrl } }: { readonly link: MeetingLink }): boolean =>
  platform === 'zoom' && !/[?&](?:pwd|tk)=/.test(joinUrl);

/** Organizations may keep the passcode out of the link, and invitations state it, or a number and a passcode alone. */
function addPasscodes(search: Search, plains: readonly string[]): void {
  const { found, options } = search;
  const incomplete = [...found.values()].filter(lacksPasscode);
  if (found.size > 0 && incomplete.length === 0) return;
  const lines = linesOf(plains.join('\n'));
  const numbers = [...found.values()].map(({ link }) => link.meetingId);
  for (const one of incomplete) {
    const { meetingId, canonicalUrl } = one.link;
    const others = numbers.filter((number) => number !== meetingId);
    const passcode = passcodeOf(lines, meetingId, others);
    if (passcode === null) continue;
    for (const base of [one.url, canonicalUrl]) {
      const url = `${base}${base.includes('?') ? '&' : '?'}pwd=${encodeURIComponent(passcode)}`;
      const result = parseMeetingLink(url, options);
      if (!result.accepted || lacksPasscode(result)) continue;
      found.set(canonicalUrl, { ...one, url, link: result.link });
      break;
    }
  }
  if (found.size > 0 || !/zoom|teams/i.test(lines)) return;
  const stated = statedNumberOf(lines);
  if (stated === null) return;
  const { platform, number, passcode } = stated;
  if (passcode === null) {
    search.problem ??= `The event states the number of a meeting on ${platform === 'zoom' ? 'Zoom' : 'Teams'}, but neither its link nor its passcode.`;
    return;
  }
  const query = `${platform === 'zoom' ? 'pwd' : 'p'}=${encodeURIComponent(passcode)}`;
  const home = platform === 'zoom' ? 'zoom.us/j' : 'teams.microsoft.com/meet';
  const url = `https://${home}/${number}?${query}`;
  const result = parseMeetingLink(url, options);
  if (result.accepted) keep(search, { url, platform, source: 'organizer', link: result.link });
}

/** `http` in Base64, lower case: a wrapper may encode the link. */
const encodedHttp = 'ahr0c';
/** Every link of a platform, in any wrapper, contains one of these. */
const platformHints = [...Object.values(platformLinks).flatMap(({ hints }) => hints), encodedHttp];

/** Entities of characters that are valid in a link; every other named entity ends one. */
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  colon: ':',
  commat: '@',
  equals: '=',
  lowbar: '_',
  num: '#',
  percnt: '%',
  period: '.',
  quest: '?',
  sol: '/',
};

/** HTML as text. Two passes: calendars escape a text that was escaped before. */
function unescaped(text: string): string {
  let plain = text;
  for (let pass = 0; pass < 2; pass += 1)
    plain = plain.replaceAll(
      /&(?:([a-z][a-z\d]{1,30})|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
      (_whole, name: string | undefined, decimal: string | undefined, hexadecimal: string | undefined) => {
        if (name !== undefined) return entities[name.toLowerCase()] ?? ' ';
        const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
        return code <= 0x10_ff_ff ? String.fromCodePoint(code) : ' ';
      },
    );
  return plain;
}

/** The maximal runs of characters that are valid in a link. Links to the platforms' programs become web links. */
function runsOf(text: string): string[] {
  const plain = text
    .replaceAll('\\/', '/')
    .replaceAll(/\bmsteams:(?:\/\/teams\.microsoft\.com)?(?=\/l\/)/gi, 'https://teams.microsoft.com')
    .replaceAll(/\bzoom(?:mtg|us):\/\//gi, 'https://');
  return plain.match(/[\w\-.~:/?#[\]@!$&()*+,;=%]{8,}/g) ?? [];
}

interface Run {
  readonly run: string;
  readonly lowered: string;
  readonly source: LinkSource;
}

function readRun(search: Search, { run, lowered, source }: Run): void {
  let from = 0;
  for (const { at, scheme } of startsIn(lowered)) {
    if (at < from || search.readings >= mostReadings || search.found.size >= mostLinks) continue;
    // The platform redirects plain http to https.
    const rest = `https://${run.slice(at + scheme.length, at + scheme.length + longestLink)}`;
    const read = readEndings(search, endingsOf(rest, run.slice(Math.max(0, at - 4), at)));
    if (read === null) continue;
    if ('refusal' in read) {
      // A nested link belongs to the enclosing link of the platform.
      if (read.refusal.platform === null) continue;
      search.problem ??= read.refusal.reason;
      from = at + rest.length;
      continue;
    }
    from = at + read.url.length;
    keep(search, { ...read, platform: read.link.platform, source });
  }
}

type ReadEnding = { readonly url: string; readonly link: MeetingLink } | { readonly refusal: RefusedLink };

/** The first candidate that is a valid link; else the refusal of the last one that belongs to a platform. */
function readEndings(search: Search, endings: readonly string[]): ReadEnding | null {
  let refusal: RefusedLink | null = null;
  for (const url of endings) {
    search.readings += 1;
    const result = parseMeetingLink(url, search.options);
    if (result.accepted) return { url, link: result.link };
    if (refusal === null || result.platform !== null) refusal = result;
  }
  return refusal === null ? null : { refusal };
}

function keep({ found, added }: Search, one: FoundLink & { readonly link: MeetingLink }): void {
  const { canonicalUrl, joinUrl } = one.link;
  if (one.source === 'calendar') added.add(canonicalUrl);
  const known = found.get(canonicalUrl);
  // The same meeting may occur with and without its passcode.
  if (known === undefined || known.link.joinUrl.length < joinUrl.length) found.set(canonicalUrl, one);
}

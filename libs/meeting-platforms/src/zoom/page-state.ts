import type { PagePack } from '@rapporteur/contracts';
import { textsOf } from '../web-client/pack-client.ts';
import type { PageSnapshot } from '../web-client/page-client.ts';
import { readByRules } from '../web-client/page-state.ts';
import type { PageReading, PageRule } from '../web-client/page-state.ts';

/** The result of `page-snapshot.page.ts`. */
export interface ZoomPageSnapshot extends PageSnapshot {
  readonly passcodeField: boolean;
  /** Empty while there is no page. */
  readonly path: string;
  readonly title: string;
  /** The link of an invitation page that continues in the browser. */
  readonly browserLink: boolean;
  readonly joinButton: boolean;
  readonly waitingRoom: boolean;
  /** A label that only the modal at a meeting's end has. */
  readonly endedLabel: boolean;
  /** A call's Leave button is visible. */
  readonly leaveControl: boolean;
  /** A call's control bar is on the page, be it hidden. */
  readonly footer: boolean;
  readonly visibleChallenge: boolean;
  readonly tiles: readonly ZoomTile[];
  /** The list of participants, where it is open. */
  readonly participants: readonly ZoomListedParticipant[];
  readonly chatOpen: boolean;
  readonly chatRows: readonly ZoomChatRow[];
}

export interface ZoomTile {
  readonly name: string;
  readonly speaking: boolean;
}

export interface ZoomListedParticipant {
  readonly name: string;
  readonly isSelf: boolean;
  readonly isHost: boolean;
}

export interface ZoomChatRow {
  /** Null where the build's rows have no ids. */
  readonly id: string | null;
  /** `<name> to Everyone, <time>, <text>` */
  readonly label: string;
}

/** A wrong link and a meeting without its host: the same page for both. */
export const notStartedRule = 'link-invalid-or-not-started';

const ofTheAddress: ReadonlySet<string> = new Set([
  'no-page-yet',
  'left-the-host',
  'sign-in-page',
  notStartedRule,
  'name-field',
  'passcode-field',
  'join-button',
  'invitation-page',
  'left-the-meeting',
]);

export interface ZoomPageReader {
  /** The state of the session according to one snapshot, and the rule that matched. */
  readPage(page: ZoomPageSnapshot): PageReading;
  /** The state that the client alone shows, independent of its page; null: none known. */
  readCall(page: ZoomPageSnapshot): PageReading | null;
}

/** With the texts of this pack. Pure. */
export function zoomPageReader(pack: PagePack): ZoomPageReader {
  const rules = rulesOf(pack);
  const ofTheClient = rules.filter(({ rule }) => !ofTheAddress.has(rule));
  return {
    readPage: (page) => readByRules(rules, page),
    readCall: (page) => {
      const match = ofTheClient.find((rule) => rule.matches(page));
      return match === undefined ? null : { state: match.state, rule: match.rule };
    },
  };
}

/**
 * In order; the first match wins. Texts that end a session count outside notices only while no part of a call is shown,
 * and never where participants write. The waiting room looks like the client in a call, so it precedes the call.
 */
function rulesOf(pack: PagePack): readonly PageRule<ZoomPageSnapshot>[] {
  const texts = textsOf(pack);
  const saysIn = (rule: string): PageRule<ZoomPageSnapshot>['matches'] => {
    const text = texts(rule);
    return (page) =>
      [...page.notices, ...page.dialogs].some((notice) => text.test(notice)) ||
      (!showsCall(page) && text.test(page.text));
  };
  /** The rule that the text of the same name decides, in notices, dialogs or outside of a call. */
  const said = (state: PageReading['state'], rule: string): PageRule<ZoomPageSnapshot> => ({
    state,
    rule,
    matches: saysIn(rule),
  });
  /** Outside of a call only. */
  const shown = (state: PageReading['state'], rule: string): PageRule<ZoomPageSnapshot> => {
    const text = texts(rule);
    return { state, rule, matches: (page) => !showsCall(page) && text.test(page.text) };
  };
  const [saysEnded, saysNotStarted, notStartedTitle] = [
    saysIn('ended-text'),
    saysIn(notStartedRule),
    texts('link-invalid-title'),
  ];
  return [
    { state: 'loading', rule: 'no-page-yet', matches: (page) => page.host === '' },
    { state: 'blocked', rule: 'left-the-host', matches: (page) => !isZoom(page.host) },
    { state: 'login-required', rule: 'sign-in-page', matches: (page) => /^\/(signin|oauth\/signin)\b/.test(page.path) },
    said('blocked', 'bot-wall'),
    said('login-required', 'sign-in-wall'),
    said('removed', 'removed-text'),
    { state: 'ended-by-host', rule: 'ended-text', matches: (page) => page.endedLabel || saysEnded(page) },
    said('passcode-wrong', 'passcode-text'),
    {
      state: 'waiting-for-host',
      rule: notStartedRule,
      matches: (page) => notStartedTitle.test(page.title) || saysNotStarted(page),
    },
    shown('lobby', 'lobby-text'),
    shown('waiting-for-host', 'waiting-for-host-text'),
    { state: 'lobby', rule: 'waiting-room', matches: (page) => page.waitingRoom },
    { state: 'captcha', rule: 'visible-challenge', matches: (page) => page.visibleChallenge },
    said('loading', 'connection-lost-text'),
    { state: 'in-call', rule: 'leave-control', matches: (page) => page.leaveControl },
    { state: 'in-call', rule: 'participant-video', matches: (page) => page.tiles.length > 0 },
    // It hides itself while the mouse rests.
    { state: 'in-call', rule: 'hidden-controls', matches: (page) => page.footer },
    { state: 'pre-join', rule: 'name-field', matches: (page) => page.nameField },
    { state: 'pre-join', rule: 'passcode-field', matches: (page) => page.passcodeField },
    { state: 'pre-join', rule: 'join-button', matches: (page) => page.joinButton },
    { state: 'launcher', rule: 'invitation-page', matches: (page) => page.browserLink },
    { state: 'left', rule: 'left-the-meeting', matches: (page) => /^\/wc\/(?!\d+\/|join\/|client\/)/.test(page.path) },
  ];
}

function isZoom(host: string): boolean {
  return /(^|\.)(zoom\.us|zoom\.com|zoomgov\.com)(:\d+)?$/.test(host);
}

function showsCall(page: ZoomPageSnapshot): boolean {
  return page.leaveControl || page.tiles.length > 0 || page.footer;
}

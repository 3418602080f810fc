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

const botWallTexts: readonly RegExp[] = [
  /automated bots aren't allowed/i,
  /we detected you may be a bot/i,
  /must use zoom rtms/i,
  /review the security of your connection/i,
];
const signInTexts: readonly RegExp[] = [
  /sign in to join/i,
  /only authenticated users can join/i,
  /this meeting requires authentication/i,
  /meeting is for authorized attendees/i,
  /verify your email/i,
  /enter the code sent to/i,
];
const passcodeTexts: readonly RegExp[] = [/passcode wrong/i, /(incorrect|invalid|wrong) (passcode|password)/i];
const waitingForHostTexts: readonly RegExp[] = [/waiting for the host to start (this|the) meeting/i];
const lobbyTexts: readonly RegExp[] = [
  /the meeting host will let you in soon/i,
  /host has joined\. we've let them know you're here/i,
  /you('re| are) in the waiting room/i,
  /admitted shortly/i,
];
const removedTexts: readonly RegExp[] = [/you have been removed/i, /removed you from (this|the) meeting/i];
const endedTexts: readonly RegExp[] = [
  /this meeting has been ended by (the )?host/i,
  /(this|the|your)? ?meeting has (been )?ended/i,
];
const lostTexts: readonly RegExp[] = [/your network connection has timed out/i];

const anyOf = (patterns: readonly RegExp[], text: string): boolean => patterns.some((pattern) => pattern.test(text));
const said =
  (patterns: readonly RegExp[]) =>
  (page: ZoomPageSnapshot): boolean =>
    [...page.notices, ...page.dialogs].some((notice) => anyOf(patterns, notice)) ||
    (!showsCall(page) && anyOf(patterns, page.text));

/**
 * In order; the first match wins. Texts that end a session count outside notices only while no part of a call is shown,
 * and never where participants write. The waiting room looks like the client in a call, so it precedes the call.
 */
const rules: readonly PageRule<ZoomPageSnapshot>[] = [
  { state: 'loading', rule: 'no-page-yet', matches: (page) => page.host === '' },
  { state: 'blocked', rule: 'left-the-host', matches: (page) => !isZoom(page.host) },
  { state: 'login-required', rule: 'sign-in-page', matches: (page) => /^\/(signin|oauth\/signin)\b/.test(page.path) },
  { state: 'blocked', rule: 'bot-wall', matches: said(botWallTexts) },
  { state: 'login-required', rule: 'sign-in-wall', matches: said(signInTexts) },
  { state: 'removed', rule: 'removed-text', matches: said(removedTexts) },
  { state: 'ended-by-host', rule: 'ended-text', matches: (page) => page.endedLabel || said(endedTexts)(page) },
  { state: 'passcode-wrong', rule: 'passcode-text', matches: said(passcodeTexts) },
  {
    state: 'waiting-for-host',
    rule: notStartedRule,
    matches: (page) => /^error - zoom$/i.test(page.title) || said([/\(3,001\)/])(page),
  },
  { state: 'lobby', rule: 'lobby-text', matches: (page) => !showsCall(page) && anyOf(lobbyTexts, page.text) },
  {
    state: 'waiting-for-host',
    rule: 'waiting-for-host-text',
    matches: (page) => !showsCall(page) && anyOf(waitingForHostTexts, page.text),
  },
  { state: 'lobby', rule: 'waiting-room', matches: (page) => page.waitingRoom },
  { state: 'captcha', rule: 'visible-challenge', matches: (page) => page.visibleChallenge },
  { state: 'loading', rule: 'connection-lost-text', matches: said(lostTexts) },
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

/** The state of the session according to one snapshot, and the rule that matched. Pure. */
export function readZoomPage(page: ZoomPageSnapshot): PageReading {
  return readByRules(rules, page);
}

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
const rulesOfTheClient = rules.filter(({ rule }) => !ofTheAddress.has(rule));

/** The state that the client alone shows, independent of its page; null: none known. Pure. */
export function readZoomCall(page: ZoomPageSnapshot): PageReading | null {
  const match = rulesOfTheClient.find((rule) => rule.matches(page));
  return match === undefined ? null : { state: match.state, rule: match.rule };
}

function isZoom(host: string): boolean {
  return /(^|\.)(zoom\.us|zoom\.com|zoomgov\.com)(:\d+)?$/.test(host);
}

function showsCall(page: ZoomPageSnapshot): boolean {
  return page.leaveControl || page.tiles.length > 0 || page.footer;
}

import type { PageSnapshot } from '../web-client/page-client.ts';
import { readByRules } from '../web-client/page-state.ts';
import type { PageReading, PageRule } from '../web-client/page-state.ts';

/** The result of `page-snapshot.page.ts`. Alerts are not notices here: toasts and hints are alerts too. */
export interface TeamsPageSnapshot extends PageSnapshot {
  /** Names of visible buttons: the label, else the text. */
  readonly buttons: readonly string[];
  /** By its stable attributes. It stays there behind dialogs, and in the lobby. */
  readonly joinButton: boolean;
  readonly webJoin: boolean;
  readonly lobbyScreen: boolean;
  /** In the page, though the toolbar may have hidden itself. */
  readonly hangup: boolean;
  /** Number of kinds of controls that only a call has. */
  readonly callControls: number;
  readonly stage: boolean;
  readonly callEndedScreen: boolean;
  readonly signInForm: boolean;
  readonly tiles: readonly TeamsTile[];
  readonly chatRows: readonly TeamsChatRow[];
  /** The call according to the client's debugging objects; null where there are none. */
  readonly globals: TeamsGlobals | null;
}

export interface TeamsTile {
  /** As shown, with `(Unverified)` or `(Guest)`. */
  readonly name: string;
  readonly isScreen: boolean;
}

export interface TeamsChatRow {
  readonly messageId: string;
  /** Null on the bot's own messages and where a row follows another of the same sender. */
  readonly sender: string | null;
  readonly own: boolean;
  readonly text: string;
  readonly sentAtMs: number | null;
}

export interface TeamsGlobals {
  readonly selfId: string | null;
  readonly participants: readonly { readonly id: string; readonly displayName: string }[];
}

const lobbyTexts: readonly RegExp[] = [
  /someone (in the meeting )?(will|should) let you in (shortly|soon)/i,
  /you're in the lobby/i,
  /waiting to be admitted/i,
  /we've let people in the meeting know you're waiting/i,
];
const waitingForHostTexts: readonly RegExp[] = [/when the meeting starts, we'll let people know/i];

const deniedTexts: readonly RegExp[] = [/you were denied access to the meeting/i, /your request to join was declined/i];
const noResponseTexts: readonly RegExp[] = [
  /nobody let you in/i,
  /no one (has )?(let you in|responded|answered)/i,
  /your request to join (has )?timed out/i,
];
const signInTexts: readonly RegExp[] = [
  /we need to verify your info before you can join/i,
  /to join, sign in or use teams on the web/i,
  /you need to be signed in to (teams to access this meeting|an account)/i,
  /sign in to teams to join/i,
  /due to org policy, you need to sign in/i,
  /external participants are not permitted to join/i,
  /only people with a work or school account/i,
  /anonymous users can't join/i,
];
const captchaTexts: readonly RegExp[] = [/verify you're a real person/i];
const notFoundTexts: readonly RegExp[] = [
  /looks like the meeting url is incorrect/i,
  /this meeting (link )?(doesn't exist|has expired)/i,
];
const removedTexts: readonly RegExp[] = [
  /you('ve| have| were) (been )?removed from (this|the) meeting/i,
  /^removed from the meeting/i,
];
const endedTexts: readonly RegExp[] = [/the (meeting|call) (has )?ended/i, /^(meeting|call) ended/i];
const leftTexts: readonly RegExp[] = [/you('ve)? left the (meeting|call)/i];
const lostTexts: readonly RegExp[] = [/we couldn't connect you/i];

const joinButtonNames = /^(ask to join|join now|join meeting$)/i;
const webJoinNames =
  /^(continue on this browser|join meeting from this browser|join on this browser|(join|use|watch) (on the web|the web app) instead|continue without the app|join from browser)/i;

const loginHosts = /^(login\.(microsoftonline\.(com|us|de)|microsoft\.com|live\.com|windows\.net))(:|$)/i;
const teamsHosts = /(^|\.)teams\.(microsoft\.com|live\.com|cloud\.microsoft|microsoft\.us)(:|$)/i;

const anyOf = (patterns: readonly RegExp[], text: string): boolean => patterns.some((pattern) => pattern.test(text));
const showsCall = (page: TeamsPageSnapshot): boolean => page.hangup || page.callControls >= 3;
const said =
  (patterns: readonly RegExp[]) =>
  (page: TeamsPageSnapshot): boolean =>
    page.notices.some((notice) => anyOf(patterns, notice)) || (!showsCall(page) && anyOf(patterns, page.text));

/**
 * In order; the first match wins. Texts that end a session count outside notices only while no part of a call is shown,
 * so that text by a participant never ends a session. The join button proves nothing: it is also behind dialogs and in
 * the lobby.
 */
const rules: readonly PageRule<TeamsPageSnapshot>[] = [
  { state: 'loading', rule: 'no-page-yet', matches: (page) => page.host === '' },
  { state: 'login-required', rule: 'host-login', matches: (page) => loginHosts.test(page.host) },
  { state: 'blocked', rule: 'left-the-host', matches: (page) => !teamsHosts.test(page.host) },
  { state: 'denied', rule: 'denied-text', matches: said(deniedTexts) },
  { state: 'login-required', rule: 'sign-in-text', matches: said(signInTexts) },
  { state: 'login-required', rule: 'sign-in-form', matches: (page) => page.signInForm },
  { state: 'no-response', rule: 'no-response-text', matches: said(noResponseTexts) },
  { state: 'removed', rule: 'removed-text', matches: said(removedTexts) },
  { state: 'ended-by-host', rule: 'ended-text', matches: said(endedTexts) },
  { state: 'left', rule: 'left-text', matches: said(leftTexts) },
  { state: 'ended-by-host', rule: 'ended-screen', matches: (page) => page.callEndedScreen },
  { state: 'captcha', rule: 'real-person-text', matches: said(captchaTexts) },
  { state: 'not-found', rule: 'wrong-address-text', matches: said(notFoundTexts) },
  { state: 'loading', rule: 'connection-lost-text', matches: said(lostTexts) },
  { state: 'waiting-for-host', rule: 'not-started-text', matches: said(waitingForHostTexts) },
  { state: 'lobby', rule: 'lobby-screen', matches: (page) => page.lobbyScreen },
  { state: 'lobby', rule: 'lobby-text', matches: said(lobbyTexts) },
  { state: 'pre-join', rule: 'name-field', matches: (page) => page.nameField },
  { state: 'in-call', rule: 'hangup-control', matches: (page) => page.hangup && !page.joinButton },
  { state: 'in-call', rule: 'call-controls', matches: (page) => page.callControls >= 3 && !page.joinButton },
  { state: 'launcher', rule: 'web-join-button', matches: (page) => page.webJoin || hasButton(page, webJoinNames) },
  { state: 'pre-join', rule: 'join-button', matches: (page) => page.joinButton || hasButton(page, joinButtonNames) },
];

/** The state of the session according to one snapshot, and the rule that matched. Pure. */
export function readTeamsPage(page: TeamsPageSnapshot): PageReading {
  return readByRules(rules, page);
}

/** The meaning of the service's reason to end a conversation; null: the page shows it later. */
export function readConversationEnd(subCode: number | null): PageReading | null {
  const rule = `conversation-end-${subCode ?? 'unknown'}`;
  if (subCode === 5854) return { state: 'denied', rule };
  if (subCode === 5723) return { state: 'login-required', rule };
  if (subCode === 5000 || subCode === 5300) return { state: 'removed', rule };
  return null;
}

function hasButton(page: TeamsPageSnapshot, names: RegExp): boolean {
  return page.buttons.some((name) => names.test(name));
}

import type { PagePack } from '@rapporteur/contracts';
import { textsOf } from '../web-client/pack-client.ts';
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

const loginHosts = /^(login\.(microsoftonline\.(com|us|de)|microsoft\.com|live\.com|windows\.net))(:|$)/i;
const teamsHosts = /(^|\.)teams\.(microsoft\.com|live\.com|cloud\.microsoft|microsoft\.us)(:|$)/i;

const showsCall = (page: TeamsPageSnapshot): boolean => page.hangup || page.callControls >= 3;

/**
 * The state of the session according to one snapshot, and the rule that matched, with the texts of this pack. Rules are
 * in order; the first match wins. Texts that end a session count outside notices only while no part of a call is shown,
 * so that text by a participant never ends a session. The join button proves nothing: it is also behind dialogs and in
 * the lobby.
 */
export function teamsPageReader(pack: PagePack): (page: TeamsPageSnapshot) => PageReading {
  const texts = textsOf(pack);
  /** The rule that the text of the same name decides. */
  const said = (state: PageReading['state'], rule: string): PageRule<TeamsPageSnapshot> => {
    const text = texts(rule);
    const matches = (page: TeamsPageSnapshot): boolean =>
      page.notices.some((notice) => text.test(notice)) || (!showsCall(page) && text.test(page.text));
    return { state, rule, matches };
  };
  const named = (rule: string): ((page: TeamsPageSnapshot) => boolean) => {
    const names = texts(rule);
    return (page) => page.buttons.some((name) => names.test(name));
  };
  const [namesWebJoin, namesJoin] = [named('web-join-button'), named('join-button')];
  const rules: readonly PageRule<TeamsPageSnapshot>[] = [
    { state: 'loading', rule: 'no-page-yet', matches: (page) => page.host === '' },
    { state: 'login-required', rule: 'host-login', matches: (page) => loginHosts.test(page.host) },
    { state: 'blocked', rule: 'left-the-host', matches: (page) => !teamsHosts.test(page.host) },
    said('denied', 'denied-text'),
    said('login-required', 'sign-in-text'),
    { state: 'login-required', rule: 'sign-in-form', matches: (page) => page.signInForm },
    said('no-response', 'no-response-text'),
    said('removed', 'removed-text'),
    said('ended-by-host', 'ended-text'),
    said('left', 'left-text'),
    { state: 'ended-by-host', rule: 'ended-screen', matches: (page) => page.callEndedScreen },
    said('captcha', 'real-person-text'),
    said('not-found', 'wrong-address-text'),
    said('loading', 'connection-lost-text'),
    said('waiting-for-host', 'not-started-text'),
    { state: 'lobby', rule: 'lobby-screen', matches: (page) => page.lobbyScreen },
    said('lobby', 'lobby-text'),
    { state: 'pre-join', rule: 'name-field', matches: (page) => page.nameField },
    { state: 'in-call', rule: 'hangup-control', matches: (page) => page.hangup && !page.joinButton },
    { state: 'in-call', rule: 'call-controls', matches: (page) => page.callControls >= 3 && !page.joinButton },
    { state: 'launcher', rule: 'web-join-button', matches: (page) => page.webJoin || namesWebJoin(page) },
    { state: 'pre-join', rule: 'join-button', matches: (page) => page.joinButton || namesJoin(page) },
  ];
  return (page) => readByRules(rules, page);
}

/** The meaning of the service's reason to end a conversation; null: the page shows it later. */
export function readConversationEnd(subCode: number | null): PageReading | null {
  const rule = `conversation-end-${subCode ?? 'unknown'}`;
  if (subCode === 5854) return { state: 'denied', rule };
  if (subCode === 5723) return { state: 'login-required', rule };
  if (subCode === 5000 || subCode === 5300) return { state: 'removed', rule };
  return null;
}

import type { PagePack } from '@rapporteur/contracts';
import { textsOf } from '../web-client/page-client.ts';
import { pageReader } from '../web-client/page-state.ts';
import type { PageReading, PageSnapshot } from '../web-client/page-state.ts';

/** The result of `page-snapshot.page.ts`. Alerts are not notices here: toasts and hints are alerts too. */
export interface TeamsPageSnapshot extends PageSnapshot {
  /** Names of visible buttons: the label, else the text. */
  readonly buttons: readonly string[];
  /** Found by its stable attributes. It stays there behind dialogs, and in the lobby. */
  readonly joinButton: boolean;
  /** The join button can be pressed. */
  readonly canJoin: boolean;
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
 * The state of the session according to one snapshot, with the states and texts of this pack. The join button proves
 * nothing: it is also behind dialogs and, disabled, in the lobby.
 */
export function teamsPageReader(pack: PagePack): (page: TeamsPageSnapshot) => PageReading {
  const texts = textsOf(pack);
  const [webJoinNames, joinNames] = [texts('web-join-button'), texts('join-button')];
  const offersBrowser = (page: TeamsPageSnapshot): boolean =>
    page.webJoin || page.buttons.some((name) => webJoinNames.test(name));
  const offersJoin = (page: TeamsPageSnapshot): boolean =>
    page.joinButton ? page.canJoin : page.buttons.some((name) => joinNames.test(name));
  const isOnLogin = (page: TeamsPageSnapshot): boolean => loginHosts.test(page.host);
  const read = pageReader(pack, {
    showsCall,
    offersEntry: (page) => offersBrowser(page) || offersJoin(page),
    marks: {
      'no-page-yet': (page) => page.host === '',
      'sign-in-form': (page) => page.signInForm || (isOnLogin(page) && page.notices.length > 0),
      'host-login': isOnLogin,
      'left-the-host': (page) => !teamsHosts.test(page.host),
      'ended-screen': (page) => page.callEndedScreen,
      'lobby-screen': (page) => page.lobbyScreen,
      'name-field': (page) => page.nameField,
      'hangup-control': (page) => page.hangup && !page.joinButton,
      'call-controls': (page) => page.callControls >= 3 && !page.joinButton,
      'web-join-button': offersBrowser,
      'join-button': offersJoin,
    },
  });
  return (page) => read(page);
}

/** The meaning of the service's reason to end a conversation; null: the page shows it later. */
export function readConversationEnd(subCode: number | null): PageReading | null {
  const rule = `conversation-end-${subCode ?? 'unknown'}`;
  if (subCode === 5854) return { state: 'denied', rule };
  if (subCode === 5723) return { state: 'login-required', rule };
  if (subCode === 5000 || subCode === 5300) return { state: 'removed', rule };
  // The network was lost: the meeting continues, and the client may get its connection back.
  if (subCode === 7 || subCode === 4521 || subCode === 301_005) return { state: 'loading', rule, cause: 'technical' };
  return null;
}

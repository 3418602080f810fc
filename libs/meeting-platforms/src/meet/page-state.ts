import type { PagePack } from '@rapporteur/contracts';
import { textsOf } from '../web-client/pack-client.ts';
import type { PageSnapshot } from '../web-client/page-client.ts';
import { readByRules } from '../web-client/page-state.ts';
import type { PageReading, PageRule } from '../web-client/page-state.ts';

/** The result of `page-snapshot.page.ts`. */
export interface MeetPageSnapshot extends PageSnapshot {
  readonly title: string;
  /** Names of visible buttons: the label, else the text. */
  readonly buttons: readonly string[];
  /** A label of the page shows that it waits for admission. */
  readonly waitingLabel: boolean;
  readonly tiles: readonly MeetTile[];
  /** A call's control bar, by its stable attributes or its icon. */
  readonly leaveControl: boolean;
  /** A challenge large enough to be visible; the permanent invisible frame does not count. */
  readonly visibleChallenge: boolean;
  readonly chatRows: readonly MeetChatRow[];
}

export interface MeetTile {
  readonly participantId: string;
  readonly name: string | null;
  readonly isSelf: boolean;
  /** The lobby shows the guest's own video with an effects control: not a sign of being in the call. */
  readonly hasEffectsControl: boolean;
  readonly speaking: boolean;
  /** A shared screen, by its label. */
  readonly isScreen?: boolean;
}

export interface MeetChatRow {
  readonly messageId: string;
  /** Null on the bot's own messages and where a row follows another of the same sender. */
  readonly sender: string | null;
  readonly own: boolean;
  readonly text: string;
}

/**
 * The state of the session according to one snapshot, and the rule that matched, with the texts of this pack. Rules are
 * in order; the first match wins. The lobby precedes the call, because the current lobby looks like one. Texts that end
 * a session count outside notices only while no part of a call is shown, so that text by a participant never ends a
 * session.
 */
export function meetPageReader(pack: PagePack): (page: MeetPageSnapshot) => PageReading {
  const texts = textsOf(pack);
  const callOnly = texts('call-only-buttons');
  const joinButton = texts('join-button');
  const callOnlyCount = (page: MeetPageSnapshot): number => page.buttons.filter((name) => callOnly.test(name)).length;
  const showsCall = (page: MeetPageSnapshot): boolean => page.leaveControl || callOnlyCount(page) >= 2;
  /** The rule that the text of the same name decides. */
  const said = (state: PageReading['state'], rule: string): PageRule<MeetPageSnapshot> => {
    const text = texts(rule);
    const matches = (page: MeetPageSnapshot): boolean =>
      page.notices.some((notice) => text.test(notice)) || (!showsCall(page) && text.test(page.text));
    return { state, rule, matches };
  };
  const lobby = texts('lobby-text');
  const requiresSignIn = signInRule(texts, showsCall);
  const rules: readonly PageRule<MeetPageSnapshot>[] = [
    { state: 'login-required', rule: 'host-accounts', matches: (page) => page.host === 'accounts.google.com' },
    { state: 'loading', rule: 'no-page-yet', matches: (page) => page.host === '' },
    { state: 'blocked', rule: 'left-the-host', matches: (page) => page.host !== 'meet.google.com' },
    said('denied', 'denied-text'),
    said('no-response', 'no-response-text'),
    { state: 'lobby', rule: 'lobby-text', matches: (page) => lobby.test(page.text) },
    { state: 'lobby', rule: 'lobby-label', matches: (page) => page.waitingLabel },
    said('removed', 'removed-text'),
    said('ended-by-host', 'ended-text'),
    said('blocked', 'blocked-text'),
    said('not-found', 'not-found-text'),
    { state: 'login-required', rule: 'sign-in-text', matches: requiresSignIn },
    { state: 'captcha', rule: 'visible-challenge', matches: (page) => page.visibleChallenge },
    said('left', 'left-text'),
    {
      state: 'in-call',
      rule: 'participant-tile',
      matches: (page) => page.leaveControl && page.tiles.some((tile) => !tile.hasEffectsControl),
    },
    { state: 'in-call', rule: 'call-only-buttons', matches: (page) => callOnlyCount(page) >= 2 },
    { state: 'pre-join', rule: 'name-field', matches: (page) => page.nameField },
    { state: 'pre-join', rule: 'join-button', matches: (page) => page.buttons.some((name) => joinButton.test(name)) },
  ];
  return (page) => readByRules(rules, page);
}

function signInRule(
  texts: ReturnType<typeof textsOf>,
  showsCall: (page: MeetPageSnapshot) => boolean,
): (page: MeetPageSnapshot) => boolean {
  const [text, heading, account] = [texts('sign-in-text'), texts('sign-in-heading'), texts('sign-in-account')];
  return (page) => {
    if (page.nameField || showsCall(page)) return false;
    const isHeaded = page.notices.some((notice) => heading.test(notice.trim()));
    return (isHeaded && account.test(page.text)) || text.test(page.text);
  };
}

import type { PagePack } from '@rapporteur/contracts';
import { textsOf } from '../web-client/page-client.ts';
import { pageReader } from '../web-client/page-state.ts';
import type { PageReading, PageSnapshot } from '../web-client/page-state.ts';

/** The result of `page-snapshot.page.ts`. */
export interface MeetPageSnapshot extends PageSnapshot {
  readonly title: string;
  /** Names of visible buttons: the label, else the text. */
  readonly buttons: readonly string[];
  /** Those of them that cannot be pressed now. */
  readonly disabledButtons: readonly string[];
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
 * The state of the session according to one snapshot, with the states and texts of this pack. The lobby precedes the
 * call, because the current lobby looks like one.
 */
export function meetPageReader(pack: PagePack): (page: MeetPageSnapshot) => PageReading {
  const texts = textsOf(pack);
  const [callOnly, joinButton] = [texts('call-only-buttons'), texts('join-button')];
  const [heading, account] = [texts('sign-in-heading'), texts('sign-in-account')];
  const callOnlyCount = (page: MeetPageSnapshot): number => page.buttons.filter((name) => callOnly.test(name)).length;
  const showsCall = (page: MeetPageSnapshot): boolean => page.leaveControl || callOnlyCount(page) >= 2;
  const isHeaded = (page: MeetPageSnapshot): boolean => page.notices.some((notice) => heading.test(notice.trim()));
  const offersEntry = (page: MeetPageSnapshot): boolean =>
    page.buttons.some((name) => !page.disabledButtons.includes(name) && joinButton.test(name));
  const onAccounts = (page: MeetPageSnapshot): boolean => page.host === 'accounts.google.com';
  const read = pageReader(pack, {
    showsCall,
    offersEntry,
    marks: {
      'account-form': (page) => onAccounts(page) && (page.nameField || isHeaded(page)),
      'host-accounts': onAccounts,
      'no-page-yet': (page) => page.host === '',
      'left-the-host': (page) => page.host !== 'meet.google.com',
      'lobby-label': (page) => page.waitingLabel,
      'sign-in-text': (page) => !page.nameField && !showsCall(page) && isHeaded(page) && account.test(page.text),
      'visible-challenge': (page) => page.visibleChallenge,
      'participant-tile': (page) => page.leaveControl && page.tiles.some((tile) => !tile.hasEffectsControl),
      'call-only-buttons': (page) => callOnlyCount(page) >= 2,
      'name-field': (page) => page.nameField,
      'join-button': offersEntry,
    },
  });
  return (page) => read(page);
}

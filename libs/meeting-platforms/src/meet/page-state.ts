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

const lobbyTexts: readonly RegExp[] = [
  /asking to be let in/i,
  /asking to join/i,
  /(?<!denied |responded to )your request to join(?! was denied)/i,
  /you'll join the call when someone lets you in/i,
  /please wait until a meeting host (brings|admits) you/i,
  /waiting for the host to (join|let you in)/i,
  /you're in the waiting room/i,
  // "Instead of waiting to be let in" is part of a sheet that advertises signing in, before joining.
  /(?<!instead of )waiting to be let in/i,
  /bitte warten sie, bis sie vom organisator/i,
  /teilnahme wird angefragt/i,
  /sobald sie jemand einlässt/i,
  /warten auf den organisator/i,
  /sie sind im warteraum/i,
  /kérjük, várjon, amíg a házigazda/i,
  /belépés kérése/i,
  /amikor valaki beengedi/i,
  /várakozás a házigazdára/i,
  /ön a váróteremben van/i,
];

const deniedTexts: readonly RegExp[] = [
  /denied your request/i,
  /your request to join was denied/i,
  /weren't allowed to join/i,
  /ask to join again/i,
  /teilnahmeanfrage abgelehnt/i,
  /elutasította csatlakozási kérelmét/i,
];

const noResponseTexts: readonly RegExp[] = [
  /no one responded to your request to join/i,
  /niemand hat auf ihre teilnahmeanfrage geantwortet/i,
  /senki sem válaszolt csatlakozási kérelmére/i,
];

const blockedTexts: readonly RegExp[] = [
  /you can't join this (video call|meeting)/i,
  /there is a problem connecting to this video call/i,
  /sie können an diesem (videoanruf|meeting) nicht teilnehmen/i,
  /nem csatlakozhat ehhez a (videohíváshoz|megbeszéléshez)/i,
];

const notFoundTexts: readonly RegExp[] = [
  /check your meeting code/i,
  /invalid video call name/i,
  /your meeting code has expired/i,
  /the meeting code you entered doesn't work/i,
  /meeting not found/i,
  /meeting link expired/i,
  /überprüfen sie ihren besprechungscode/i,
  /ungültiger name des videoanrufs/i,
  /besprechungs(code|link) ist abgelaufen/i,
  /besprechungscode funktioniert nicht/i,
  /videokonferenz nicht gefunden/i,
  /ellenőrizze a megbeszélés kódját/i,
  /érvénytelen videohívásnév/i,
  /a megbeszélés (kódja|linkje) lejárt/i,
  /megbeszéléskód nem működik/i,
  /a megbeszélés nem található/i,
];

const removedTexts: readonly RegExp[] = [
  /you've been removed from the meeting/i,
  /you were removed/i,
  /sie wurden (aus der videokonferenz )?entfernt/i,
  /(önt )?eltávolították/i,
];
const endedTexts: readonly RegExp[] = [
  /your host ended the meeting for everyone/i,
  /the (call|meeting) (has )?ended/i,
  /^meeting ended/i,
  /der organisator hat die videokonferenz für alle beendet/i,
  /der anruf wurde beendet/i,
  /^videokonferenz beendet/i,
  /a házigazda mindenki számára befejezte/i,
  /a (hívás|megbeszélés) véget ért/i,
];
const leftTexts: readonly RegExp[] = [
  /you('ve)? left the (meeting|call)/i,
  /sie haben die videokonferenz verlassen/i,
  /kilépett a megbeszélésből/i,
];

const joinButtonNames =
  /^(ask to join|join now|join the call now|join anyway|join here too|join meeting|enter meeting|switch here|(trotzdem )?teilnahme erbitten|(jetzt|trotzdem|auch hier|jetzt am anruf|an videokonferenz) teilnehmen|csatlakozás)/i;
/** Buttons that only a call has; the new lobby has Leave call, the toggles and the reactions. */
const callOnlyButtons =
  /^(turn (on|off) captions|chat with everyone|show everyone|people\b|raise hand|lower hand|meeting details|share screen|present now)/i;

const anyOf = (patterns: readonly RegExp[], text: string): boolean => patterns.some((pattern) => pattern.test(text));
const said =
  (patterns: readonly RegExp[]) =>
  (page: MeetPageSnapshot): boolean =>
    page.notices.some((notice) => anyOf(patterns, notice)) || (!showsCall(page) && anyOf(patterns, page.text));

/**
 * In order; the first match wins. The lobby precedes the call, because the current lobby looks like one. Texts that end
 * a session count outside notices only while no part of a call is shown, so that text by a participant never ends a
 * session.
 */
const rules: readonly PageRule<MeetPageSnapshot>[] = [
  { state: 'login-required', rule: 'host-accounts', matches: (page) => page.host === 'accounts.google.com' },
  { state: 'loading', rule: 'no-page-yet', matches: (page) => page.host === '' },
  { state: 'blocked', rule: 'left-the-host', matches: (page) => page.host !== 'meet.google.com' },
  { state: 'denied', rule: 'denied-text', matches: said(deniedTexts) },
  { state: 'no-response', rule: 'no-response-text', matches: said(noResponseTexts) },
  { state: 'lobby', rule: 'lobby-text', matches: (page) => anyOf(lobbyTexts, page.text) },
  { state: 'lobby', rule: 'lobby-label', matches: (page) => page.waitingLabel },
  { state: 'removed', rule: 'removed-text', matches: said(removedTexts) },
  { state: 'ended-by-host', rule: 'ended-text', matches: said(endedTexts) },
  { state: 'blocked', rule: 'blocked-text', matches: said(blockedTexts) },
  { state: 'not-found', rule: 'not-found-text', matches: said(notFoundTexts) },
  { state: 'login-required', rule: 'sign-in-text', matches: requiresSignIn },
  { state: 'captcha', rule: 'visible-challenge', matches: (page) => page.visibleChallenge },
  { state: 'left', rule: 'left-text', matches: said(leftTexts) },
  {
    state: 'in-call',
    rule: 'participant-tile',
    matches: (page) => page.leaveControl && page.tiles.some((tile) => !tile.hasEffectsControl),
  },
  { state: 'in-call', rule: 'call-only-buttons', matches: (page) => callOnlyCount(page) >= 2 },
  { state: 'pre-join', rule: 'name-field', matches: (page) => page.nameField },
  {
    state: 'pre-join',
    rule: 'join-button',
    matches: (page) => page.buttons.some((name) => joinButtonNames.test(name)),
  },
];

/** The state of the session according to one snapshot, and the rule that matched. Pure. */
export function readMeetPage(page: MeetPageSnapshot): PageReading {
  return readByRules(rules, page);
}

function callOnlyCount(page: MeetPageSnapshot): number {
  return page.buttons.filter((name) => callOnlyButtons.test(name)).length;
}

function showsCall(page: MeetPageSnapshot): boolean {
  return page.leaveControl || callOnlyCount(page) >= 2;
}

function requiresSignIn(page: MeetPageSnapshot): boolean {
  if (page.nameField || showsCall(page)) return false;
  const heading = page.notices.some((notice) => /^sign in$/i.test(notice.trim()));
  return (
    (heading && /your google account/i.test(page.text)) ||
    /to continue to google meet/i.test(page.text) ||
    /your sign-in credentials might have changed/i.test(page.text)
  );
}

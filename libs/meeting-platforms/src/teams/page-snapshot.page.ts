import type pack from '../../packs/teams.json';
import { dialogsIn, isDisabled, nameOf, noticesIn, pageText, plain, shown } from '../web-client/page-text.page.ts';
import type { TeamsChatRow, TeamsGlobals, TeamsPageSnapshot, TeamsTile } from './page-state.ts';

/** The selectors for the page script; plain CSS, evaluated inside the page. */
export type TeamsPageSelectors = Readonly<(typeof pack)['page']>;

const mostTiles = 100;
const mostChatRows = 100;
const mostParticipants = 2_000;

/** Tiles that are not inside another tile. */
export function tilesOf(selectors: TeamsPageSelectors): Element[] {
  return [...document.querySelectorAll(selectors.tile)]
    .slice(0, mostTiles)
    .filter((tile) => (tile.parentElement?.closest(selectors.tile) ?? null) === null);
}

/** The name on a tile as it is shown; empty where there is none. */
export function tileNameOf(tile: Element, selectors: TeamsPageSelectors): string {
  if (tile.matches(selectors.namedTile)) return plain(tile.getAttribute('data-tid') ?? '');
  for (const selector of selectors.tileName) {
    const text = plain(tile.querySelector(selector)?.textContent ?? '');
    if (text !== '') return text;
  }
  const leaf = [...tile.querySelectorAll('*')].find(
    (element) => element.childElementCount === 0 && plain(element.textContent ?? '') !== '',
  );
  return plain(leaf?.textContent ?? '');
}

/** Null: the tile has no outline that could show it. */
export function isOutlined(tile: Element, selectors: TeamsPageSelectors): boolean | null {
  const outline = tile.querySelector(selectors.outline);
  if (outline === null) return null;
  return outline.classList.contains(selectors.speakingClass) || outline.closest(`.${selectors.speakingClass}`) !== null;
}

function readTiles(selectors: TeamsPageSelectors): TeamsTile[] {
  return tilesOf(selectors).flatMap((tile) => {
    const name = tileNameOf(tile, selectors);
    return name === '' ? [] : [{ name, isScreen: tile.matches(selectors.screenTile) }];
  });
}

function readChat(selectors: TeamsPageSelectors): TeamsChatRow[] {
  const rows: TeamsChatRow[] = [];
  for (const row of [...document.querySelectorAll(selectors.chatRow)].slice(-mostChatRows)) {
    const body = row.querySelector(selectors.chatText);
    const text = body?.textContent?.trim() ?? '';
    if (text === '') continue;
    const datetime = row.querySelector(selectors.chatTime)?.getAttribute('datetime') ?? '';
    const sentAtMs = Date.parse(datetime);
    const sender = plain(row.querySelector(selectors.chatSender)?.textContent ?? '');
    rows.push({
      messageId: row.getAttribute(selectors.chatRowId) ?? `${datetime} ${sender} ${text.slice(0, 200)}`,
      sender: sender === '' ? null : sender,
      own: row.querySelector(selectors.chatMessage)?.classList.contains('own') ?? false,
      text,
      sentAtMs: Number.isFinite(sentAtMs) ? sentAtMs : null,
    });
  }
  return rows;
}

interface ObservableCall {
  readonly callerMri?: unknown;
  readonly participants?: unknown;
  readonly startClosedCaption?: () => unknown;
  readonly setClosedCaptionsLanguage?: (language: string) => unknown;
}

/** The client exposes its call for debugging. Null where it does not. */
function activeCall(): ObservableCall | null {
  const page = globalThis as {
    callingDebug?: { observableCall?: ObservableCall };
    msteamscalling?: { deref?(): { callingService?: { getActiveCall?(): ObservableCall } } };
  };
  return page.callingDebug?.observableCall ?? page.msteamscalling?.deref?.().callingService?.getActiveCall?.() ?? null;
}

/** Turns captions on through the client's call object, in this language of the meeting; false: not available. */
export function startCaptionsInGlobals(language: string | null): boolean {
  try {
    const call = activeCall();
    if (typeof call?.startClosedCaption !== 'function') return false;
    if (language !== null) call.setClosedCaptionsLanguage?.(language);
    call.startClosedCaption();
    return true;
  } catch {
    return false;
  }
}

/** The name of a stream's speaker, from the client's own objects. */
export function speechNameInGlobals(streamId: string): string | undefined {
  try {
    const participants = activeCall()?.participants;
    const owner = (Array.isArray(participants) ? participants.slice(0, mostParticipants) : []).find(
      (participant: { hasAudioSource?(source: number): boolean } | null) =>
        participant?.hasAudioSource?.(Number(streamId)) === true,
    ) as { displayName?: unknown } | undefined;
    return typeof owner?.displayName === 'string' ? owner.displayName : undefined;
  } catch {
    return undefined;
  }
}

function readGlobals(): TeamsGlobals | null {
  try {
    const call = activeCall();
    if (call === null || !Array.isArray(call.participants)) return null;
    const participants = call.participants.slice(0, mostParticipants).flatMap((participant: unknown) => {
      const { id, displayName } = (participant ?? {}) as { id?: unknown; displayName?: unknown };
      return typeof id === 'string' && typeof displayName === 'string' ? [{ id, displayName }] : [];
    });
    return { selfId: typeof call.callerMri === 'string' ? call.callerMri : null, participants };
  } catch {
    return null;
  }
}

/** One snapshot of the page, small enough to be sent each second. */
export function takeTeamsSnapshot(selectors: TeamsPageSelectors, withGlobals: boolean): TeamsPageSnapshot {
  const isThere = (selector: string): boolean => document.querySelector(selector) !== null;
  const isVisible = (selector: string): boolean => shown(selector, 10).length > 0;
  return {
    host: location.host,
    ...pageText(selectors.participantsText),
    notices: noticesIn(selectors.notices, selectors.participantsText),
    dialogs: dialogsIn(selectors.dialogs),
    buttons: shown('button,a,[role="button"]', 200).map(nameOf),
    nameField: isVisible(selectors.nameField),
    joinButton: isVisible(selectors.joinButton),
    canJoin: shown(selectors.joinButton, 10).some((button) => !isDisabled(button)),
    webJoin: isVisible(selectors.webJoin),
    lobbyScreen: isVisible(selectors.lobby),
    hangup: isThere(selectors.hangup),
    callControls: selectors.callControls.split(',').filter(isThere).length,
    stage: isThere(selectors.stage),
    callEndedScreen: isVisible(selectors.callEnded),
    signInForm: isVisible(selectors.signInForm),
    tiles: readTiles(selectors),
    chatRows: readChat(selectors),
    globals: withGlobals ? readGlobals() : null,
  };
}

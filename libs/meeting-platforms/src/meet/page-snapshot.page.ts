import type pack from '../../packs/meet.json';
import {
  dialogsIn,
  isDisabled,
  nameOf,
  noticesIn,
  pageText,
  plain,
  shown,
  showsChallenge,
} from '../web-client/page-text.page.ts';
import type { MeetChatRow, MeetPageSnapshot, MeetTile } from './page-state.ts';

/** The selectors for the page script; plain CSS, evaluated inside the page. */
export type MeetPageSelectors = Readonly<(typeof pack)['page']>;

const mostTiles = 100;
const mostChatRows = 100;

export function isTileSpeaking(tile: Element, selectors: MeetPageSelectors): boolean {
  if (tile.querySelector(selectors.anyLevel) !== null || tile.matches(selectors.anyLevel)) {
    return tile.querySelector(selectors.speakingLevel) !== null || tile.matches(selectors.speakingLevel);
  }
  return selectors.speakingClasses.some(
    (token) => tile.getElementsByClassName(token).length > 0 || tile.classList.contains(token),
  );
}

export function tileName(tile: Element, selectors: MeetPageSelectors): string | null {
  const self = tile.matches(selectors.selfTile) ? tile : tile.querySelector(selectors.selfTile);
  const selfName = self?.getAttribute('data-self-name') ?? '';
  if (selfName !== '') return selfName;
  for (const selector of selectors.tileName) {
    const text = plain(tile.querySelector(selector)?.textContent ?? '');
    if (text !== '') return text;
  }
  return null;
}

/** The kind is beside the name; the name itself may be any text. */
function isScreenTile(tile: Element, selectors: MeetPageSelectors): boolean {
  return [...tile.querySelectorAll('span,div')].some(
    (label) =>
      label.childElementCount === 0 &&
      !selectors.tileName.some((name) => label.matches(name)) &&
      selectors.screenLabels.includes(plain(label.textContent ?? '')),
  );
}

function readTiles(selectors: MeetPageSelectors): MeetTile[] {
  const tiles: MeetTile[] = [];
  for (const tile of [...document.querySelectorAll(selectors.tile)].slice(0, mostTiles)) {
    const participantId = tile.getAttribute(selectors.tileId) ?? '';
    if (participantId === '' || tile.closest('[role="list"]') !== null) continue;
    tiles.push({
      participantId,
      name: tileName(tile, selectors),
      isSelf: tile.matches(selectors.selfTile) || tile.querySelector(selectors.selfTile) !== null,
      hasEffectsControl:
        tile.querySelector(selectors.effects) !== null ||
        [...tile.querySelectorAll('i')].some((icon) => icon.textContent?.trim() === selectors.effectsIcon),
      speaking: isTileSpeaking(tile, selectors),
      isScreen: isScreenTile(tile, selectors),
    });
  }
  return tiles;
}

function readChat(selectors: MeetPageSelectors): MeetChatRow[] {
  const rows: MeetChatRow[] = [];
  // The pin button repeats a row's id: only elements that hold a message's text are rows.
  for (const row of [...document.querySelectorAll(selectors.chatRow)].slice(-mostChatRows)) {
    const text = row.querySelector(selectors.chatText)?.textContent?.trim() ?? '';
    const messageId = row.getAttribute(selectors.chatRowId) ?? '';
    if (text === '' || messageId === '') continue;
    const sender = row.closest(selectors.chatGroup)?.querySelector(selectors.chatSender)?.textContent?.trim() ?? '';
    rows.push({
      messageId,
      sender: sender === '' ? null : sender,
      own: row.querySelector(selectors.chatOwn) !== null,
      text,
    });
  }
  return rows;
}

/** Also when the controls hide themselves because no mouse moves. */
function hasLeaveControl(selectors: MeetPageSelectors): boolean {
  if (document.querySelector(selectors.leave) !== null) return true;
  return [...document.querySelectorAll(selectors.icon)].some(
    (icon) => icon.textContent?.trim() === selectors.leaveIcon,
  );
}

/** One snapshot of the page, small enough to be sent each second. */
export function takeSnapshot(selectors: MeetPageSelectors): MeetPageSnapshot {
  const buttons = shown('button,[role="button"]', 200);
  return {
    host: location.host,
    title: document.title,
    ...pageText(selectors.participantsText),
    notices: noticesIn(selectors.notices, selectors.participantsText),
    dialogs: dialogsIn(selectors.dialogs),
    buttons: buttons.map(nameOf),
    disabledButtons: buttons.filter(isDisabled).map(nameOf),
    waitingLabel: shown(selectors.waiting, 10).length > 0,
    nameField: shown(selectors.nameField, 10).length > 0,
    tiles: readTiles(selectors),
    leaveControl: hasLeaveControl(selectors),
    visibleChallenge: showsChallenge(selectors.challenge),
    chatRows: readChat(selectors),
  };
}

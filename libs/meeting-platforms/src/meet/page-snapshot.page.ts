import type { MeetChatRow, MeetPageSnapshot, MeetTile } from './page-state.ts';
import type { MeetPageSelectors } from './selectors.ts';

const longestText = 8_000;
const mostTiles = 100;
const mostChatRows = 100;

function plain(text: string): string {
  return text.replaceAll('\u2019', "'").replaceAll(/\s+/g, ' ').trim();
}

export function isShown(element: Element): boolean {
  return (
    element.checkVisibility({ visibilityProperty: true, opacityProperty: false }) && element.getClientRects().length > 0
  );
}

function shown(selector: string, limit: number): Element[] {
  return [...document.querySelectorAll(selector)].slice(0, limit).filter(isShown);
}

/** Visible text in reading order, people's own words left out. */
function pageText(peopleText: string): string {
  if (document.body === null) return '';
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let text = '';
  for (let node = walker.nextNode(); node !== null && text.length < longestText; node = walker.nextNode()) {
    const words = node.nodeValue?.trim() ?? '';
    const parent = node.parentElement;
    if (words === '' || parent === null || parent.closest(peopleText) !== null || !isShown(parent)) continue;
    text += `${words} `;
  }
  return plain(text);
}

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

function showsChallenge(selector: string): boolean {
  return shown(selector, 20).some((frame) => {
    const box = frame.getBoundingClientRect();
    return box.width >= 120 && box.height >= 40;
  });
}

/** One look at the page, small enough to be sent each second. */
export function takeSnapshot(selectors: MeetPageSelectors): MeetPageSnapshot {
  return {
    host: location.host,
    title: document.title,
    text: pageText(selectors.peopleText),
    notices: shown(selectors.notices, 40)
      .filter((element) => element.closest(selectors.peopleText) === null)
      .map((element) => plain(element.textContent ?? '')),
    dialogs: shown(selectors.dialogs, 10).map((element) => plain(element.textContent ?? '').slice(0, 1_000)),
    buttons: shown('button,[role="button"]', 200).map((button) =>
      plain(button.getAttribute('aria-label') ?? button.textContent ?? '').slice(0, 120),
    ),
    waitingLabel: shown(selectors.waiting, 10).length > 0,
    nameField: shown(selectors.nameField, 10).length > 0,
    tiles: readTiles(selectors),
    leaveControl: shown(selectors.leave, 10).length > 0,
    visibleChallenge: showsChallenge(selectors.challenge),
    chatRows: readChat(selectors),
  };
}

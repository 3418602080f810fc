import type pack from '../../packs/zoom.json';
import {
  dialogsIn,
  isDisabled,
  isShown,
  noticesIn,
  pageText,
  plain,
  shown,
  showsChallenge,
} from '../web-client/page-text.page.ts';
import type { ZoomChatRow, ZoomListedParticipant, ZoomPageSnapshot, ZoomTile } from './page-state.ts';

/** The selectors for the page script; plain CSS, evaluated inside the page. */
export type ZoomPageSelectors = Readonly<(typeof pack)['page']>;

const mostTiles = 100;
const mostParticipants = 500;
const mostChatRows = 100;
const longestLabel = 5_000;

export function tileName(tile: Element, selectors: ZoomPageSelectors): string {
  return plain(tile.querySelector(selectors.tileName)?.textContent ?? '');
}

function readTiles(selectors: ZoomPageSelectors): ZoomTile[] {
  return shown(selectors.tile, mostTiles).map((tile) => ({
    name: tileName(tile, selectors),
    speaking: tile.matches(selectors.tileActive),
  }));
}

function readParticipants(selectors: ZoomPageSelectors): ZoomListedParticipant[] {
  return shown(selectors.participant, mostParticipants).flatMap((row) => {
    const name = plain(row.querySelector(selectors.participantName)?.textContent ?? '');
    // `(Host, me)`, `(Me)`, `(Co-host)`
    const label = plain(row.querySelector(selectors.participantLabel)?.textContent ?? '');
    return name === '' ? [] : [{ name, isSelf: /\bme\b/i.test(label), isHost: /(^|\()host\b/i.test(label) }];
  });
}

/** Never cuts a surrogate pair: a lone surrogate cannot be stored. */
export function shortLabel(label: string): string {
  return label.slice(0, longestLabel).replace(/[\ud800-\udbff]$/, '');
}

function readChat(selectors: ZoomPageSelectors): ZoomChatRow[] {
  return [...document.querySelectorAll(selectors.chatRow)].slice(-mostChatRows).map((row) => ({
    id: (row.matches(selectors.chatRowId) ? row : row.querySelector(selectors.chatRowId))?.id ?? null,
    label: shortLabel(row.getAttribute('aria-label') ?? ''),
  }));
}

const present = (selector: string): boolean => document.querySelector(selector) !== null;
const visible = (selector: string): boolean => [...document.querySelectorAll(selector)].some(isShown);

/** One snapshot of the page, small enough to be sent each second. */
export function takeSnapshot(selectors: ZoomPageSelectors): ZoomPageSnapshot {
  return {
    host: location.host,
    path: location.pathname,
    title: document.title,
    ...pageText(selectors.participantsText),
    notices: noticesIn(selectors.notices, selectors.participantsText),
    dialogs: dialogsIn(selectors.dialogs),
    browserLink: visible(selectors.browserLink),
    nameField: visible(selectors.nameField),
    passcodeField: visible(selectors.passcodeField),
    canJoin: shown(selectors.joinButton, 10).some((button) => !isDisabled(button)),
    waitingRoom: visible(selectors.waitingRoom),
    endedLabel: visible(selectors.endedLabel),
    leaveControl: visible(selectors.leave),
    footer: present(selectors.footer),
    visibleChallenge: showsChallenge(selectors.challenge),
    tiles: readTiles(selectors),
    participants: readParticipants(selectors),
    chatOpen: visible(selectors.chatList),
    chatRows: readChat(selectors),
  };
}

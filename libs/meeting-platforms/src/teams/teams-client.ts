import type { Frame, Page } from 'playwright-core';
import type { PagePack } from '@rapporteur/contracts';
import { clientPartsOf } from '../web-client/pack-client.ts';
import type { PageClient } from '../web-client/page-client.ts';
import { teamsPageReader } from './page-state.ts';
import type { TeamsPageSnapshot } from './page-state.ts';

/**
 * Microsoft Teams' web client, full or light. The browser's locale sets English: the address has no parameter for it.
 */
export const createTeamsClient = (pack: PagePack): PageClient<TeamsPageSnapshot> => ({
  ...clientPartsOf(pack),
  driverName: 'rapporteurTeams',
  longestName: 60,
  longestMessage: 500,
  openAddress: (joinUrl) => joinUrl,
  read: teamsPageReader(pack),
  emptySnapshot: (host) => ({
    host,
    text: '',
    notices: [],
    dialogs: [],
    buttons: [],
    nameField: false,
    joinButton: false,
    canJoin: false,
    webJoin: false,
    lobbyScreen: false,
    hangup: false,
    callControls: 0,
    stage: false,
    callEndedScreen: false,
    signInForm: false,
    tiles: [],
    chatRows: [],
    globals: null,
  }),
  frameOf: clientFrameOf,
});

/** The light client is in a frame of an otherwise empty page. */
function clientFrameOf(page: Page): Frame {
  const main = page.mainFrame();
  const light = page
    .frames()
    .filter((frame) => frame !== main && /^https:\/\/[^/]+\/light-meetings\//.test(frame.url()));
  return light.at(-1) ?? main;
}

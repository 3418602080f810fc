import type { Frame, Page } from 'playwright-core';
import type { PageClient } from '../web-client/page-client.ts';
import { readTeamsPage } from './page-state.ts';
import type { TeamsPageSnapshot } from './page-state.ts';
import { teamsCaptions, teamsDialogs, teamsPageSelectors, teamsSelectors } from './selectors.ts';

/**
 * Microsoft Teams' web client, full or light. The browser's locale sets English: the address has no parameter for it.
 */
export const teamsClient: PageClient<TeamsPageSnapshot> = {
  elements: teamsSelectors,
  dialogs: teamsDialogs,
  dialogRegion: '[role="dialog"],[aria-modal="true"]',
  participantsText: teamsPageSelectors.participantsText,
  driverName: 'rapporteurTeams',
  captions: teamsCaptions,
  longestName: 60,
  longestMessage: 500,
  openAddress: (joinUrl) => joinUrl,
  read: readTeamsPage,
  emptySnapshot: (host) => ({
    host,
    text: '',
    notices: [],
    dialogs: [],
    buttons: [],
    nameField: false,
    joinButton: false,
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
};

/** The light client is in a frame of an otherwise empty page. */
function clientFrameOf(page: Page): Frame {
  const main = page.mainFrame();
  const light = page
    .frames()
    .filter((frame) => frame !== main && /^https:\/\/[^/]+\/light-meetings\//.test(frame.url()));
  return light.at(-1) ?? main;
}

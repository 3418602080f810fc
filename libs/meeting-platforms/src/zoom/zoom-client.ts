import type { Frame, Page } from 'playwright-core';
import type { PagePack } from '@rapporteur/contracts';
import { clientPartsOf } from '../web-client/pack-client.ts';
import type { PageClient } from '../web-client/page-client.ts';
import { notStartedRule, zoomPageReader } from './page-state.ts';
import type { ZoomPageSnapshot } from './page-state.ts';

/** Zoom's web client, at the page itself or in a frame of it. */
export function createZoomClient(pack: PagePack, openAgainMs: number): PageClient<ZoomPageSnapshot> {
  return {
    ...clientPartsOf(pack),
    driverName: 'rapporteurZoom',
    longestName: 64,
    longestMessage: 1_024,
    openAddress: (joinUrl) => joinUrl,
    passcodeOf: (joinUrl) => new URL(joinUrl).searchParams.get('pwd'),
    reopens: { rule: notStartedRule, everyMs: openAgainMs },
    chatStaysOpen: true,
    read: zoomPageReader(pack).readPage,
    emptySnapshot,
    frameOf: clientFrame,
  };
}

/** The frame's name is its id where it has no name of its own. */
export function clientFrame(page: Page): Frame {
  const frames = page.mainFrame().childFrames();
  const client = frames.find((frame) => frame.name() === 'webclient' || /^https:\/\/[^/]+\/wc\//.test(frame.url()));
  return client ?? page.mainFrame();
}

function emptySnapshot(host: string): ZoomPageSnapshot {
  return {
    host,
    path: '',
    title: '',
    text: '',
    notices: [],
    dialogs: [],
    browserLink: false,
    nameField: false,
    passcodeField: false,
    canJoin: false,
    waitingRoom: false,
    endedLabel: false,
    leaveControl: false,
    footer: false,
    visibleChallenge: false,
    tiles: [],
    participants: [],
    chatOpen: false,
    chatRows: [],
  };
}

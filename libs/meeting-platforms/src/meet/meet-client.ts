import type { PageClient } from '../web-client/page-client.ts';
import { readMeetPage } from './page-state.ts';
import type { MeetPageSnapshot } from './page-state.ts';
import { meetCaptions, meetDialogs, meetPageSelectors, meetSelectors } from './selectors.ts';

/** Google Meet's web client. */
export const meetClient: PageClient<MeetPageSnapshot> = {
  elements: meetSelectors,
  dialogs: meetDialogs,
  dialogRegion: '[role="dialog"],[aria-modal="true"]',
  participantsText: meetPageSelectors.participantsText,
  driverName: 'rapporteurMeet',
  captions: meetCaptions,
  longestName: 60,
  longestMessage: 500,
  openAddress: (joinUrl) => {
    const address = new URL(joinUrl);
    // The labels are a usable layer only while the page is in English.
    address.searchParams.set('hl', 'en');
    return address.href;
  },
  read: readMeetPage,
  emptySnapshot: (host) => ({
    host,
    title: '',
    text: '',
    notices: [],
    dialogs: [],
    buttons: [],
    waitingLabel: false,
    nameField: false,
    tiles: [],
    leaveControl: false,
    visibleChallenge: false,
    chatRows: [],
  }),
};

import type { PagePack } from '@rapporteur/contracts';
import { clientPartsOf } from '../web-client/pack-client.ts';
import type { PageClient } from '../web-client/page-client.ts';
import { meetPageReader } from './page-state.ts';
import type { MeetPageSnapshot } from './page-state.ts';

/** Google Meet's web client. */
export const createMeetClient = (pack: PagePack): PageClient<MeetPageSnapshot> => ({
  ...clientPartsOf(pack),
  driverName: 'rapporteurMeet',
  longestName: 60,
  longestMessage: 500,
  openAddress: (joinUrl) => {
    const address = new URL(joinUrl);
    // The labels are a usable layer only while the page is in English.
    address.searchParams.set('hl', 'en');
    return address.href;
  },
  read: meetPageReader(pack),
  emptySnapshot: (host) => ({
    host,
    title: '',
    text: '',
    notices: [],
    dialogs: [],
    buttons: [],
    disabledButtons: [],
    waitingLabel: false,
    nameField: false,
    tiles: [],
    leaveControl: false,
    visibleChallenge: false,
    chatRows: [],
  }),
});

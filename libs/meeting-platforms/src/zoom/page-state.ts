import type { PagePack } from '@rapporteur/contracts';
import { textsOf } from '../web-client/page-client.ts';
import { unrecognised, pageReader } from '../web-client/page-state.ts';
import type { PageReading, PageSnapshot } from '../web-client/page-state.ts';

/** The result of `page-snapshot.page.ts`. */
export interface ZoomPageSnapshot extends PageSnapshot {
  readonly passcodeField: boolean;
  /** Empty while there is no page. */
  readonly path: string;
  readonly title: string;
  /** The link of an invitation page that continues in the browser. */
  readonly browserLink: boolean;
  /** The join button is shown and can be pressed. */
  readonly canJoin: boolean;
  readonly waitingRoom: boolean;
  /** A label that only the modal at a meeting's end has. */
  readonly endedLabel: boolean;
  /** A call's Leave button is visible. */
  readonly leaveControl: boolean;
  /** A call's control bar is on the page, be it hidden. */
  readonly footer: boolean;
  readonly visibleChallenge: boolean;
  readonly tiles: readonly ZoomTile[];
  /** The list of participants, where it is open. */
  readonly participants: readonly ZoomListedParticipant[];
  readonly chatOpen: boolean;
  readonly chatRows: readonly ZoomChatRow[];
  /** When the client's worker last sent anything to the page, epoch ms; null or absent: it has not. */
  readonly messageAtMs?: number | null;
}

export interface ZoomTile {
  readonly name: string;
  readonly speaking: boolean;
}

export interface ZoomListedParticipant {
  readonly name: string;
  readonly isSelf: boolean;
  readonly isHost: boolean;
}

export interface ZoomChatRow {
  /** Null where the build's rows have no ids. */
  readonly id: string | null;
  /** `<name> to Everyone, <time>, <text>` */
  readonly label: string;
}

/** A wrong link and a meeting without its host: the same page for both. */
export const notStartedRule = 'link-invalid-or-not-started';

const ofTheAddress: ReadonlySet<string> = new Set([
  'no-page-yet',
  'left-the-host',
  'sign-in-page',
  notStartedRule,
  'name-field',
  'passcode-field',
  'join-button',
  'invitation-page',
  'left-the-meeting',
]);

export interface ZoomPageReader {
  /** The state of the session according to one snapshot, and the rule that matched. */
  readPage(page: ZoomPageSnapshot): PageReading;
  /** The state that the client alone shows, independent of its page; null: none known. */
  readCall(page: ZoomPageSnapshot): PageReading | null;
}

/** With the states and texts of this pack. The waiting room looks like the client in a call, so it precedes it. Pure. */
export function zoomPageReader(pack: PagePack): ZoomPageReader {
  const notStartedTitle = textsOf(pack)('link-invalid-title');
  const readPage = pageReader<ZoomPageSnapshot>(pack, {
    showsCall: (page) => page.leaveControl || page.tiles.length > 0 || page.footer,
    offersEntry: (page) => page.canJoin || page.passcodeField || page.browserLink,
    marks: {
      'no-page-yet': (page) => page.host === '',
      'left-the-host': (page) => !isZoom(page.host),
      'sign-in-page': (page) => /^\/(signin|oauth\/signin)\b/.test(page.path),
      'ended-text': (page) => page.endedLabel,
      [notStartedRule]: (page) => notStartedTitle.test(page.title),
      'waiting-room': (page) => page.waitingRoom,
      'visible-challenge': (page) => page.visibleChallenge,
      'leave-control': (page) => page.leaveControl,
      'participant-video': (page) => page.tiles.length > 0,
      // It hides itself while the mouse rests.
      'hidden-controls': (page) => page.footer,
      'name-field': (page) => page.nameField,
      'passcode-field': (page) => page.passcodeField,
      'join-button': (page) => page.canJoin,
      'invitation-page': (page) => page.browserLink,
      'left-the-meeting': (page) => /^\/wc\/(?!\d+\/|join\/|client\/)/.test(page.path),
    },
  });
  return {
    readPage: (page) => readPage(page),
    readCall: (page) => {
      const reading = readPage(page, (rule) => !ofTheAddress.has(rule));
      return reading === unrecognised ? null : reading;
    },
  };
}

function isZoom(host: string): boolean {
  return /(^|\.)(zoom\.us|zoom\.com|zoomgov\.com|zoom\.eu|zoom\.com\.cn)(:\d+)?$/.test(host);
}

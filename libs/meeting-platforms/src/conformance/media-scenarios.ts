import { createMeetPlatform } from '../meet/meet-platform.ts';
import type { MeetingPlatform } from '../platform.ts';
import { eventually } from './eventually.ts';
import type { HarnessRoom, HarnessVisit, PlatformHarness, RoomWishes } from './harness.ts';

/** A meeting that the bot is in. */
export interface AttendedMeeting extends HarnessVisit {
  readonly room: HarnessRoom;
  readonly botName: string;
}

/** What a bot in the call must offer, notice or do; several run at once, because most of it is waiting. */
export interface MediaScenario {
  readonly name: string;
  readonly room: RoomWishes;
  /** With layers taken away; the platform as it is when left out. */
  readonly platform?: MeetingPlatform;
  /** Only for these; left out: for all. */
  readonly platforms?: readonly string[];
  /** Rejects with what is wrong. */
  check(meeting: AttendedMeeting): Promise<void>;
}

const meetOnly = ['meet'] as const;

const hears = async ({ media }: AttendedMeeting): Promise<void> =>
  await eventually('sound', async () => (await media(3_000)).peak > 0.05);
const shows = async ({ media }: AttendedMeeting, what: 'camera' | 'screen'): Promise<void> =>
  await eventually(`a ${what}`, async () => (await media(0)).shown === what);
const meet = (options: object): RoomWishes => ({ variant: { meet: options } });
const offersSound = (what: string, room: RoomWishes, platform?: MeetingPlatform): MediaScenario => ({
  name: `offers the sound ${what}`,
  room,
  ...(platform === undefined ? {} : { platform }),
  platforms: meetOnly,
  check: hears,
});

export const mediaScenarios: readonly MediaScenario[] = [
  {
    name: 'hears the meeting again when the line is back, and knows who went meanwhile',
    room: {},
    check: async (meeting) => {
      const { room, visit, signals } = meeting;
      await eventually('four people', () => visit.people().length === 4);
      await hears(meeting);
      await room.strike({ kind: 'network-loss', seconds: 3 });
      await room.personLeaves(2);
      await eventually('the leaving to be told', () =>
        visit.people().some((person) => !person.present && person.name === room.peopleNames[2]),
      );
      await hears(meeting);
      if (signals.some(({ kind }) => kind === 'ended')) throw new Error('The visit ended.');
    },
  },
  {
    name: 'sees who comes late, who leaves, and reads what is written',
    room: { variant: { scenario: 'coming-and-going' } },
    check: async ({ visit, signals }) => {
      const named = (name: string) => visit.people().find((person) => person.name === name);
      await eventually('the late one', () => named('Callum Reid')?.present === true);
      await eventually('the leaving', () => named('Bruno Keller')?.present === false);
      await eventually('the message', () =>
        signals.some((signal) => signal.kind === 'chat' && signal.message.text === 'Hello Callum, welcome.'),
      );
    },
  },
  offersSound(
    'that the page decodes and mixes itself',
    { variant: { scenario: 'meet-encoded-sound' } },
    createMeetPlatform({ nativeSound: false }),
  ),
  offersSound('that comes late', { variant: { scenario: 'meet-late-media' } }),
  offersSound('beside a track that is only silent', meet({ extraTrack: 'silent', audioStack: 'native' })),
  offersSound(
    'beside a track that never sends',
    meet({ extraTrack: 'muted', captions: true, screenShare: 'from-start' }),
  ),
  offersSound('behind a dialog that asks for consent', meet({ consentDialog: true })),
  {
    name: 'offers the tracks of a line that came back as another, and nothing of the old ones',
    room: {},
    platforms: meetOnly,
    check: async (meeting) => {
      await hears(meeting);
      await meeting.room.strike({ kind: 'network-loss', seconds: 1, renewsMedia: true });
      const connected = async () => (await meeting.room.log()).filter(({ kind }) => kind === 'mediaConnected').length;
      await eventually('media again', async () => (await connected()) === 2);
      await hears(meeting);
      await shows(meeting, 'camera');
      const { soundTracks } = await meeting.media(0);
      if (soundTracks !== 3) throw new Error(`There are ${soundTracks} tracks of sound, not 3.`);
    },
  },
  {
    name: 'shows a shared screen while it is shared, and is nobody new for it',
    room: { variant: { scenario: 'meet-shared-screen' } },
    platforms: meetOnly,
    check: async (meeting) => {
      const { room, visit } = meeting;
      await shows(meeting, 'screen');
      await eventually('everybody', () => visit.people().length >= 4);
      const others = visit.people().flatMap((person) => (person.isSelf ? [] : [person.name]));
      if (others.join() !== room.peopleNames.join()) throw new Error(`These people are there: ${others.join()}.`);
      await room.happen({ do: 'stop-sharing' });
      await shows(meeting, 'camera');
    },
  },
  {
    name: 'leaves also when the controls have hidden themselves',
    room: meet({ toolbarHides: true }),
    platforms: meetOnly,
    check: async ({ room, visit, media, botName }) => {
      await media(4_000);
      await visit.leave();
      await eventually('the leaving in the log', async () =>
        (await room.log()).some(({ kind, who }) => kind === 'left' && who === botName),
      );
    },
  },
];

/** The bot joins and is put to the check. Rejects with what is wrong. */
export async function attend(harness: PlatformHarness, scenario: MediaScenario, botName: string): Promise<void> {
  const visitor = await harness.visit(scenario.platform);
  let room: HarnessRoom | null = null;
  try {
    room = await harness.openRoom(scenario.room);
    const outcome = await visitor.visit.join({ joinUrl: room.joinUrl, botName }, AbortSignal.timeout(60_000));
    if (!outcome.joined) throw new Error(`The bot did not get in: ${outcome.end.reason} (${outcome.end.rule}).`);
    await scenario.check({ ...visitor, room, botName });
  } finally {
    visitor.visit.stop();
    await visitor.close();
    await room?.close();
  }
}

import { createMeetPlatform } from '../meet/meet-platform.ts';
import type { MeetingPlatform } from '../platform.ts';
import type { AttendedMeeting, MediaScenario } from './attended-meeting.ts';
import { captionScenarios } from './caption-scenarios.ts';
import { eventually } from './eventually.ts';
import { zoomScreenRoom } from './zoom-scenarios.ts';
import type { HarnessRoom, PlatformHarness, RoomOptions } from './harness.ts';

const meetOnly = ['meet'] as const;
/** A part of the 576 parts of a screenshot: the videos of two participants colour more, a page without any none. */
const leastColouredParts = 60;

const hasAudio = async ({ media }: AttendedMeeting): Promise<void> =>
  await eventually('sound', async () => (await media(3_000)).peak > 0.05);
const shows = async ({ media }: AttendedMeeting, what: 'camera' | 'screen'): Promise<void> =>
  await eventually(`a ${what}`, async () => (await media(0)).shown === what);
/** Packets of video went to the bot in a second. */
const receivesVideo = async ({ room, botName }: AttendedMeeting): Promise<boolean> => {
  const before = await room.videoPacketsTo(botName);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  return (await room.videoPacketsTo(botName)) !== before;
};
const meet = (options: object): RoomOptions => ({ variant: { meet: options } });
const offersAudio = (what: string, room: RoomOptions, platform?: MeetingPlatform): MediaScenario => ({
  name: `offers the audio ${what}`,
  room,
  ...(platform === undefined ? {} : { platform }),
  platforms: meetOnly,
  check: hasAudio,
});

export const mediaScenarios: readonly MediaScenario[] = [
  {
    name: 'has audio again after the connection is restored, and reports who left meanwhile',
    room: {},
    check: async (meeting) => {
      const { room, session, signals } = meeting;
      await eventually('four people', () => session.participants().length === 4);
      await hasAudio(meeting);
      await room.strike({ kind: 'network-loss', seconds: 3 });
      await room.participantLeaves(2);
      await eventually('the departure to be reported', () =>
        session
          .participants()
          .some((participant) => !participant.present && participant.name === room.participantNames[2]),
      );
      await hasAudio(meeting);
      if (signals.some(({ kind }) => kind === 'ended')) throw new Error('The session ended.');
    },
  },
  {
    name: 'sees who comes late, who leaves, and reads what is written',
    room: { variant: { scenario: 'coming-and-going' } },
    check: async ({ session, signals }) => {
      const named = (name: string) => session.participants().find((participant) => participant.name === name);
      await eventually('the late one', () => named('Callum Reid')?.present === true);
      await eventually('the leaving', () => named('Bruno Keller')?.present === false);
      await eventually('the message', () =>
        signals.some((signal) => signal.kind === 'chat' && signal.message.text === 'Hello Callum, welcome.'),
      );
    },
  },
  {
    name: 'offers a place for everybody but the bot, with a camera or without, in the order of their coming',
    room: {
      variant: {
        participants: [{ name: 'Alice Martin' }, { name: 'Bruno Keller', camera: false }, { name: 'Callum Reid' }],
      },
    },
    check: async ({ tiles, room }) => {
      const wanted = 'Alice Martin: picture, Bruno Keller: none, Callum Reid: picture';
      let seen = '';
      const sample = async (): Promise<string> =>
        (seen = (await tiles()).map(({ name, hasVideo }) => `${name}: ${hasVideo ? 'picture' : 'none'}`).join(', '));
      await eventually('a place for everybody', async () => (await sample()) === wanted).catch((error: unknown) => {
        throw new Error(`The page offers: ${seen}.`, { cause: error });
      });
      const spoken = new Set<string | null>();
      await eventually('everybody to be marked as speaking in turn', async () => {
        for (const { name, speaking } of await tiles()) if (speaking) spoken.add(name);
        return spoken.size === room.participantNames.length;
      });
      await room.participantLeaves(0);
      await eventually('the place to be gone', async () => (await sample()) === wanted.slice(wanted.indexOf('Bruno')));
    },
  },
  {
    name: 'offers a place for a shared screen beside everybody',
    room: { variant: { scenario: 'meet-shared-screen' } },
    platforms: meetOnly,
    check: async ({ tiles, room }) => {
      const kinds = async (): Promise<string> => (await tiles()).map(({ kind, name }) => `${kind} ${name}`).join();
      const participants = room.participantNames.map((name) => `camera ${name}`);
      const screen = `screen ${room.participantNames[0]}`;
      await eventually('the screen', async () => (await kinds()) === [...participants, screen].join());
      await room.happen({ do: 'stop-sharing' });
      await eventually('everybody without it', async () => (await kinds()) === participants.join());
    },
  },
  offersAudio(
    'that the page decodes and mixes itself',
    { variant: { scenario: 'meet-encoded-audio' } },
    createMeetPlatform({ nativeAudio: false }),
  ),
  offersAudio('that comes late', { variant: { scenario: 'meet-late-media' } }),
  offersAudio('beside a track that is only silent', meet({ extraTrack: 'silent', audioStack: 'native' })),
  offersAudio('beside a track that never sends', meet({ extraTrack: 'muted', screenShare: 'from-start' })),
  offersAudio('behind a dialog that requests consent', meet({ consentDialog: true })),
  {
    name: 'offers the tracks of a line that came back as another, and nothing of the old ones',
    room: {},
    platforms: meetOnly,
    check: async (meeting) => {
      await hasAudio(meeting);
      await meeting.room.strike({ kind: 'network-loss', seconds: 1, renewsMedia: true });
      const connected = async () => (await meeting.room.log()).filter(({ kind }) => kind === 'mediaConnected').length;
      await eventually('media again', async () => (await connected()) === 2);
      await hasAudio(meeting);
      await shows(meeting, 'camera');
      const { audioTracks } = await meeting.media(0);
      if (audioTracks !== 3) throw new Error(`There are ${audioTracks} tracks of sound, not 3.`);
    },
  },
  {
    name: 'is sent no video where it refuses them, and has audio, participants and chat as ever',
    room: {},
    videos: 'refused',
    platforms: ['meet', 'teams'],
    check: async (meeting) => {
      const { room, session, signals, botName } = meeting;
      await hasAudio(meeting);
      await eventually('four people', () => session.participants().filter(({ name }) => name !== null).length === 4);
      await eventually('speech of a participant', () =>
        signals.some((signal) => signal.kind === 'speaker' && signal.turn.name !== null),
      );
      await room.say('Alice Martin', 'Can you read this?');
      await eventually('the message', () =>
        signals.some((signal) => signal.kind === 'chat' && signal.message.text === 'Can you read this?'),
      );
      const packets = await room.videoPacketsTo(botName);
      if (packets !== 0) throw new Error(`${packets} packets of pictures were sent to the bot.`);
      if ((session.health().refusalIneffectiveSinceMs ?? null) !== null) throw new Error('The call should be up.');
    },
  },
  {
    name: 'has the page receive no video where it refuses them, and has audio as ever',
    room: {},
    videos: 'refused',
    platforms: ['zoom'],
    check: async (meeting) => {
      await eventually('no packets of video', async () => !(await receivesVideo(meeting)));
      await hasAudio(meeting);
    },
  },
  {
    name: 'has audio as ever where the page has no control for the videos that it refuses',
    room: { variant: { zoom: { incomingVideoControl: false } } },
    videos: 'refused',
    platforms: ['zoom'],
    check: async (meeting) => {
      await hasAudio(meeting);
      if (!(await receivesVideo(meeting))) throw new Error('Nothing stops the videos, and none arrive.');
    },
  },
  {
    name: 'says so when no call comes up because it refuses frames',
    room: meet({ videoRefused: 'fails' }),
    videos: 'refused',
    platforms: meetOnly,
    check: async ({ session }) => {
      await eventually('the refusal in vain', () => (session.health().refusalIneffectiveSinceMs ?? null) !== null);
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      if ((session.health().refusalIneffectiveSinceMs ?? null) === null) throw new Error('No call can be up.');
    },
  },
  {
    name: 'paints frames for a screenshot, but none in the background',
    room: {},
    platforms: ['meet', 'teams'],
    check: async ({ media, colouredParts }) => {
      await eventually('a camera', async () => (await media(0)).shown === 'camera');
      // The sessions of a harness paint nothing in the call.
      await eventually('coloured pictures in a screenshot', async () => (await colouredParts()) >= leastColouredParts);
    },
  },
  {
    name: 'shows a shared screen while it is shared, without a new participant',
    room: { variant: { scenario: 'meet-shared-screen' } },
    platforms: meetOnly,
    check: async (meeting) => {
      const { room, session } = meeting;
      await shows(meeting, 'screen');
      await eventually('everybody', () => session.participants().length >= 4);
      const others = session.participants().flatMap((participant) => (participant.isSelf ? [] : [participant.name]));
      if (others.join() !== room.participantNames.join()) throw new Error(`These people are there: ${others.join()}.`);
      await room.happen({ do: 'stop-sharing' });
      await shows(meeting, 'camera');
    },
  },
  {
    name: 'leaves also when the controls have hidden themselves',
    room: meet({ toolbarHides: true }),
    platforms: meetOnly,
    check: async ({ room, session, media, botName }) => {
      await media(4_000);
      await session.leave();
      await eventually('the leaving in the log', async () =>
        (await room.log()).some(({ kind, who }) => kind === 'left' && who === botName),
      );
    },
  },
  {
    name: 'without the records the tiles still give the names, and speech without an owner is unknown',
    room: {},
    platform: createMeetPlatform({ collections: false }),
    platforms: meetOnly,
    check: async ({ room, session, signals }) => {
      await eventually('an unknown voice', () =>
        signals.some((one) => one.kind === 'speaker' && one.turn.participantId === null && one.turn.name === null),
      );
      const others = () =>
        session.participants().flatMap((participant) => (participant.isSelf ? [] : [participant.name]));
      await eventually('the tiles to be read', () => others().join() === room.participantNames.join());
    },
  },
  {
    name: 'offers the audio and the video of a client in a frame, and the screen that is shared',
    room: zoomScreenRoom,
    platforms: ['zoom'],
    check: async (meeting) => {
      await hasAudio(meeting);
      await shows(meeting, 'screen');
      await meeting.room.happen({ do: 'stop-sharing' });
      await shows(meeting, 'camera');
      const { audioTracks } = await meeting.media(0);
      if (audioTracks !== 1) throw new Error(`There are ${audioTracks} tracks of sound, not 1.`);
    },
  },
  ...captionScenarios,
];

/** The bot joins and runs the check. Rejects with the problem. */
export async function attend(harness: PlatformHarness, scenario: MediaScenario, botName: string): Promise<void> {
  const client = await harness.session(scenario.platform, undefined, scenario.videos);
  let room: HarnessRoom | null = null;
  try {
    room = await harness.openRoom(scenario.room);
    const outcome = await client.session.join({ joinUrl: room.joinUrl, botName }, AbortSignal.timeout(60_000));
    if (!outcome.joined) throw new Error(`The bot did not get in: ${outcome.end.reason} (${outcome.end.rule}).`);
    await scenario.check({ ...client, room, botName });
  } finally {
    client.session.stop();
    await client.close();
    await room?.close();
  }
}

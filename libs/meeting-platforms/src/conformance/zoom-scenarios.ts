import type { HarnessRoom, RoomOptions } from './harness.ts';
import type { OutcomeScenario } from './outcome-scenario.ts';

const platforms = ['zoom'] as const;
const zoom = (options: object, more: object = {}): RoomOptions => ({ variant: { zoom: options, ...more } });

const withPasscode = (passcode: string | null) => (room: HarnessRoom) => {
  const link = new URL(room.joinUrl);
  if (passcode === null) link.searchParams.delete('pwd');
  else link.searchParams.set('pwd', passcode);
  return link.href;
};

/** A participant shares a screen, in a client inside a frame. */
export const zoomScreenRoom = zoom(
  { framed: true },
  { events: [{ on: 'admitted', do: 'share-screen', participant: 1 }] },
);

/** Zoom's own variants. */
export const zoomScenarios: readonly OutcomeScenario[] = [
  {
    name: 'through the page of the invitation, into the classic client, over cookies, terms and hints',
    room: zoom({
      client: 'classic',
      cookieBanner: true,
      terms: true,
      tips: true,
      mediaPrompt: 'element',
      mediaPromptAt: 'load',
    }),
    link: (room) => room.invitation,
    reaches: 'in-call',
    ends: 'in-call',
    staysMs: 3_000,
    states: ['launcher'],
    platforms,
  },
  {
    name: 'a client in a frame: in, and removed',
    room: zoom({ framed: true, tips: true }),
    reaches: 'in-call',
    then: (room, botName) => room.remove(botName),
    ends: 'removed',
    platforms,
  },
  {
    name: 'a client in a frame: refused',
    room: {
      lobby: 'refuse',
      ...zoom({
        framed: true,
        mediaPrompt: 'none',
        silentUnlessAllowed: false,
        nameInput: 'input',
        joinClick: 'any',
      }),
    },
    reaches: 'waiting-room',
    ends: 'denied',
    platforms,
  },
  {
    name: 'something that stays lies over the join button',
    room: zoom({ coveredJoin: true }),
    reaches: 'in-call',
    ends: 'in-call',
    platforms,
  },
  {
    name: 'the page of a wrong link, until the host is there',
    room: zoom({ hostNotStarted: 'error', hostStartsAfterMs: 5_000 }),
    reaches: 'waiting-for-host',
    ends: 'in-call',
    platforms,
  },
  {
    name: 'a page that waits for the host',
    room: zoom({ hostNotStarted: 'waits', hostStartsAfterMs: 5_000 }),
    reaches: 'waiting-for-host',
    ends: 'in-call',
    platforms,
  },
  {
    name: 'a wrong passcode in the link',
    room: {},
    link: withPasscode('wrong'),
    reaches: 'nothing',
    ends: 'passcode-wrong',
    states: ['pre-join'],
    platforms,
  },
  {
    name: 'no passcode in the link',
    room: {},
    link: withPasscode(null),
    reaches: 'nothing',
    ends: 'passcode-wrong',
    platforms,
  },
  {
    name: 'a meeting for signed-in participants',
    room: zoom({ signInWall: true }),
    reaches: 'nothing',
    ends: 'login-required',
    platforms,
  },
  {
    name: 'no bots, said at the door',
    room: zoom({ botWall: 'at-join' }),
    reaches: 'nothing',
    ends: 'blocked',
    platforms,
  },
  {
    name: 'no bots, said in the call',
    room: zoom({ botWall: 'late' }),
    reaches: 'in-call',
    ends: 'blocked',
    platforms,
  },
  {
    name: 'a challenge for humans',
    room: zoom({ client: 'classic', captcha: true }),
    reaches: 'nothing',
    ends: 'captcha',
    platforms,
    longFormOnly: true,
  },
  {
    name: 'no messages about voices, controls that are hidden, and words in the chat that end nothing',
    room: zoom(
      { levels: false, activeSpeakers: false },
      {
        events: [
          {
            on: 'admitted',
            afterSeconds: 2,
            do: 'chat',
            participant: 0,
            text: 'You have been removed from the meeting',
          },
        ],
      },
    ),
    reaches: 'in-call',
    ends: 'in-call',
    staysMs: 8_000,
    platforms,
  },
];

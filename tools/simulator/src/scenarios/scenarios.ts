import type { PlatformName } from '../sites/platforms.ts';

/** A meeting as data: its participants, their actions and its faults, by second. */
export type Scenario = {
  readonly name: string;
  readonly what: string;
  /** Only for these platforms; omitted: for all. */
  readonly platforms?: readonly PlatformName[];
  /** Fields of `POST /rooms`; those of a call take precedence. */
  readonly room: Readonly<Record<string, unknown>>;
};

const everywhere: readonly Scenario[] = [
  {
    name: 'popup-before-join',
    what: 'Something lies over the whole page from the start, until Escape is pressed.',
    room: { faults: [{ on: 'opened', kind: 'popup' }] },
  },
  {
    name: 'reload-before-join',
    what: 'The page loads itself again just after the join request of the guest.',
    room: { admitAfterMs: 3_000, faults: [{ on: 'requested', afterSeconds: 0.3, kind: 'reload' }] },
  },
  {
    name: 'unavailable-for-a-moment',
    what: 'In the first seconds the service responds with 503 to requests for the page.',
    room: { faults: [{ atSecond: 0, kind: 'server-error', seconds: 2 }] },
  },
  {
    name: 'unavailable',
    what: 'The service responds with 503 to requests for the page.',
    room: { faults: [{ atSecond: 0, kind: 'server-error', seconds: 600 }] },
  },
  {
    name: 'frozen-before-join',
    what: 'The page hangs for four seconds before the guest requests to join.',
    room: { faults: [{ on: 'opened', afterSeconds: 0.5, kind: 'page-frozen', seconds: 4 }] },
  },
  {
    name: 'frozen-in-the-call',
    what: 'Two seconds into the call the page hangs for good.',
    room: { faults: [{ on: 'admitted', afterSeconds: 2, kind: 'page-frozen', seconds: 45 }] },
  },
  {
    name: 'slow-page',
    what: 'Everything on the page comes three times as late.',
    room: { lateness: 3 },
  },
  {
    name: 'slower-and-slower',
    what: 'Once the page is open, everything on it comes four times as late.',
    room: { faults: [{ on: 'opened', kind: 'slow', factor: 4 }] },
  },
  {
    name: 'line-lost-for-a-while',
    what: 'Media and line are lost for five seconds, and come back.',
    room: { faults: [{ on: 'admitted', afterSeconds: 3, kind: 'network-loss', seconds: 5 }] },
  },
  {
    name: 'line-lost-for-good',
    what: 'Media and line are lost, and the page gives up.',
    room: { faults: [{ on: 'admitted', afterSeconds: 2, kind: 'network-loss', seconds: 2, forGood: true }] },
  },
  {
    name: 'dialogs-of-a-call',
    what: 'One dialog after another opens in the call; each has one button that keeps the guest in it.',
    room: {
      faults: [
        {
          kind: 'dialog',
          text: 'This webinar is being summarized. By staying, you consent.',
          buttons: ['Leave meeting', 'Continue'],
          right: 'Continue',
          shadow: true,
        },
        {
          kind: 'dialog',
          text: "Are you still there? You're the only one here.",
          buttons: ['Leave now', 'Stay in the call'],
          right: 'Stay in the call',
        },
        {
          kind: 'dialog',
          text: 'The host would like you to unmute',
          buttons: ['Unmute', 'Stay muted'],
          right: 'Stay muted',
        },
        {
          kind: 'dialog',
          text: 'You have been assigned to Breakout Room: Blue',
          buttons: ['Later', 'Join'],
          right: 'Join',
        },
        {
          kind: 'dialog',
          text: 'Breakout Rooms will close in 10 seconds.',
          buttons: ['Return to main session', 'Cancel'],
          right: 'Return to main session',
        },
        { kind: 'dialog', text: 'Camera not found', buttons: ['Close'], right: 'Close', stays: true },
      ].map((fault, index) => ({ on: 'admitted', afterSeconds: 2 + 2 * index, seconds: 15, ...fault })),
    },
  },
  {
    name: 'set-aside-for-a-while',
    what: 'The host puts the guest back into the waiting room, and lets it in again.',
    room: { faults: [{ on: 'admitted', afterSeconds: 2, kind: 'set-aside', seconds: 22 }] },
  },
  {
    name: 'everyone-leaves',
    what: 'Three seconds after the guest is in, everybody else leaves.',
    room: { faults: [{ on: 'admitted', afterSeconds: 3, kind: 'everyone-leaves' }] },
  },
  {
    name: 'host-ends',
    what: 'Three seconds after the guest is in, the host ends the meeting for everyone.',
    room: { faults: [{ on: 'admitted', afterSeconds: 3, kind: 'host-ends' }] },
  },
  {
    name: 'coming-and-going',
    what: 'One comes late, one leaves, one writes.',
    room: {
      participants: [{ name: 'Alice Martin' }, { name: 'Bruno Keller' }, { name: 'Callum Reid', absent: true }],
      events: [
        { on: 'admitted', afterSeconds: 2, do: 'participant-joins', participant: 2 },
        { on: 'admitted', afterSeconds: 3, do: 'chat', participant: 0, text: 'Hello Callum, welcome.' },
        { on: 'admitted', afterSeconds: 4, do: 'participant-leaves', participant: 1 },
      ],
    },
  },
  {
    name: 'a-host-who-decides',
    what: 'The guest waits two seconds until the host lets it in, and is removed four seconds later.',
    room: {
      lobby: 'wait',
      events: [
        { on: 'requested', afterSeconds: 2, do: 'admit' },
        { on: 'admitted', afterSeconds: 4, do: 'remove-guests' },
      ],
    },
  },
  {
    name: 'a-host-who-refuses',
    what: 'The guest waits two seconds until the host refuses it.',
    room: { lobby: 'wait', events: [{ on: 'requested', afterSeconds: 2, do: 'refuse' }] },
  },
  {
    name: 'four-who-interrupt-each-other',
    what: 'Four participants speak, and every second one begins before the other has ended.',
    room: {
      overlap: true,
      participants: [
        { name: 'Alice Martin', sentences: ['Let us begin with the budget for the third quarter of the year.'] },
        { name: 'Bruno Keller', sentences: ['The new server is ready and the first tests look very good.'] },
        { name: 'Callum Reid', sentences: ['From the sales side we won four new customers this month.'] },
        { name: 'Daniel Novak', sentences: ['We talked with seven people and one of them was really strong.'] },
      ],
    },
  },
];

const meetOnly = ['meet'] as const;
const meet = (name: string, what: string, options: object, room: object = {}): Scenario => ({
  name: `meet-${name}`,
  what,
  platforms: meetOnly,
  room: { platform: 'meet', meet: options, ...room },
});

const onMeet: readonly Scenario[] = [
  meet('encoded-audio', 'The page decodes and mixes the audio; only `dcrpc` says who speaks.', {
    audioStack: 'encoded',
  }),
  meet('german', 'The page speaks German and carries no stable names.', { language: 'de', ids: false }),
  meet('hungarian', 'The page speaks Hungarian.', { language: 'hu' }),
  meet('every-dialog', 'Every dialog between a guest and the call.', {
    permissionSheet: true,
    gotIt: true,
    accountSheet: true,
    recordingNotice: true,
    consentDialog: true,
  }),
  meet('watched-notice', 'A guest who hides the recording notice is removed.', {
    recordingNotice: true,
    dropIfNoticeHidden: true,
  }),
  meet('sign-in-page', 'The page requires a sign-in.', { signInWall: 'page' }),
  meet('sign-in-elsewhere', 'The link leads to the sign-in page.', { signInWall: 'redirect' }),
  meet('captcha', 'A challenge for humans covers the page.', { captcha: true }),
  meet('blocked', 'The platform refuses the join request of the guest.', { blocked: true, detectedAsBot: 'yes' }),
  meet('blocked-and-sent-away', 'The platform refuses the guest, and the page leaves the host.', {
    blocked: true,
    homeAfterBlockSeconds: 0.5,
  }),
  meet('late-media', 'Audio and video are offered four seconds after admission.', { mediaAfterMs: 4_000 }),
  meet(
    'new-tracks',
    'The line is lost, and media comes back with tracks of its own.',
    {},
    {
      faults: [{ on: 'admitted', afterSeconds: 4, kind: 'network-loss', seconds: 2, renewsMedia: true }],
    },
  ),
  meet('shared-screen', 'A participant presents some seconds after the guest is admitted.', { screenShare: 'later' }),
  meet('muted-after-waiting', 'Who waits is muted after a second.', { lobbyMutesAfterSeconds: 1 }, { lobby: 'wait' }),
];

export const scenarios: readonly Scenario[] = [...everywhere, ...onMeet];

export function findScenario(name: unknown): Scenario | null {
  return scenarios.find((scenario) => scenario.name === name) ?? null;
}

export function scenarioNames(): string[] {
  return scenarios.map(({ name }) => name);
}

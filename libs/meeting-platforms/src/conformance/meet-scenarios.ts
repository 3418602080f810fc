import type { RoomOptions } from './harness.ts';
import type { OutcomeScenario } from './outcome-scenario.ts';

const platforms = ['meet'] as const;
const meet = (options: object, more: object = {}): RoomOptions => ({ variant: { meet: options, ...more } });
const named = (scenario: string, more: object = {}): RoomOptions => ({ variant: { scenario, ...more } });
const waitsThenIn = { lobby: 'wait', events: [{ on: 'requested', afterSeconds: 1, do: 'admit' }] };

/** Meet's own variants. The first seven go through the labels and texts, a few at a time. */
export const meetScenarios: readonly OutcomeScenario[] = [
  {
    name: 'ask anyway, the wording of 2026, a field with a placeholder, a page that watches the pointer',
    room: meet(
      {
        joinLabel: 'ask-anyway',
        lobbyText: 'admits',
        nameField: 'placeholder',
        clickCheck: 'pointer',
        language: 'en',
        removedText: 'were-removed',
      },
      waitsThenIn,
    ),
    reaches: 'in-call',
    then: (room, botName) => room.remove(botName),
    ends: 'removed',
    platforms,
  },
  {
    name: 'join now, asking to be let in, a field without a label, the classic lobby',
    room: meet(
      {
        joinLabel: 'now',
        lobbyText: 'asking',
        nameField: 'bare',
        lobbyShape: 'classic',
        clickCheck: 'off',
        participantsLabel: 'show-everyone',
        endedText: 'call',
      },
      waitsThenIn,
    ),
    reaches: 'in-call',
    then: (room) => room.endForEveryone(),
    ends: 'ended-by-host',
    platforms,
  },
  {
    name: 'join the call now, someone lets you in, two sheets, controls that hide',
    room: meet(
      {
        joinLabel: 'call-now',
        lobbyText: 'someone-lets-you-in',
        toolbarHides: true,
        gotIt: true,
        accountSheet: true,
        endedText: 'meeting',
      },
      waitsThenIn,
    ),
    reaches: 'in-call',
    then: (room) => room.endForEveryone(),
    ends: 'ended-by-host',
    platforms,
  },
  {
    name: 'German without stable names: the host refuses',
    room: { lobby: 'refuse', ...named('meet-german', { meet: { joinLabel: 'anyway', lobbyText: 'host-to-join' } }) },
    reaches: 'waiting-room',
    ends: 'denied',
    platforms,
  },
  {
    name: 'Hungarian, in the waiting room',
    room: named('meet-hungarian', {
      meet: { joinLabel: 'here-too', lobbyText: 'waiting-room', permissionSheet: true },
      ...waitsThenIn,
    }),
    reaches: 'in-call',
    then: (room, botName) => room.remove(botName),
    ends: 'removed',
    platforms,
  },
  {
    name: 'English without stable names: no response',
    room: { lobby: 'wait', lobbyTimeoutMs: 1_500, ...meet({ joinLabel: 'meeting', lobbyText: 'brings', ids: false }) },
    reaches: 'waiting-room',
    ends: 'no-response',
    platforms,
  },
  {
    name: 'every dialog, in German',
    room: named('meet-every-dialog', { meet: { language: 'de' } }),
    reaches: 'in-call',
    ends: 'in-call',
    staysMs: 3_000,
    platforms,
  },
  {
    name: 'every dialog, in Hungarian',
    room: named('meet-every-dialog', { meet: { language: 'hu' } }),
    reaches: 'in-call',
    ends: 'in-call',
    staysMs: 3_000,
    longFormOnly: true,
    platforms,
  },
  {
    name: 'a recording notice that must stay in sight',
    room: named('meet-watched-notice'),
    reaches: 'in-call',
    ends: 'in-call',
    staysMs: 3_000,
    platforms,
  },
  {
    name: 'a page that wants a sign-in',
    room: named('meet-sign-in-page'),
    reaches: 'nothing',
    ends: 'login-required',
    platforms,
  },
  {
    name: 'a link that leads to the sign-in page',
    room: named('meet-sign-in-elsewhere'),
    reaches: 'nothing',
    ends: 'login-required',
    platforms,
  },
  {
    name: 'a challenge for humans, which is never solved',
    room: named('meet-captcha'),
    reaches: 'nothing',
    ends: 'captcha',
    states: ['captcha'],
    platforms,
  },
  {
    name: 'the platform refuses this guest',
    room: named('meet-blocked'),
    reaches: 'nothing',
    ends: 'blocked',
    platforms,
  },
  {
    name: 'the platform refuses this guest and leads away',
    room: named('meet-blocked-and-sent-away', { meet: { detectedAsBot: 'maybe', language: 'de' } }),
    reaches: 'nothing',
    ends: 'blocked',
    platforms,
  },
  {
    name: 'a code that has expired',
    room: meet({ notFound: 'expired' }),
    reaches: 'nothing',
    ends: 'not-found',
    platforms,
  },
  {
    name: 'a link that has expired, in Hungarian',
    room: meet({ notFound: 'link-expired', language: 'hu' }),
    reaches: 'nothing',
    ends: 'not-found',
    platforms,
  },
  {
    name: 'muted while it waited too long',
    room: named('meet-muted-after-waiting', waitsThenIn),
    reaches: 'in-call',
    ends: 'in-call',
    longFormOnly: true,
    platforms,
  },
];

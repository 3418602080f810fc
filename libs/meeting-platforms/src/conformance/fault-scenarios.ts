import type { OutcomeScenario } from './outcome-scenario.ts';

const scenario = (name: string) => ({ variant: { scenario: name } });

/** Faults common to all platforms: the simulator's own scenarios, and the expected outcome of each bot. */
export const faultScenarios: readonly OutcomeScenario[] = [
  {
    name: 'something lies over the page when the bot comes',
    room: scenario('popup-before-join'),
    reaches: 'in-call',
    ends: 'in-call',
  },
  {
    name: 'the page loads itself again while the bot joins',
    room: scenario('reload-before-join'),
    reaches: 'in-call',
    ends: 'in-call',
  },
  {
    name: 'the service responds with 503 for a moment',
    room: scenario('unavailable-for-a-moment'),
    reaches: 'in-call',
    ends: 'in-call',
  },
  { name: 'the service responds with 503', room: scenario('unavailable'), reaches: 'nothing', ends: 'page-unusable' },
  {
    name: 'the page hangs before the bot requests to join',
    room: scenario('frozen-before-join'),
    reaches: 'in-call',
    ends: 'in-call',
  },
  {
    name: 'the page hangs in the call',
    room: scenario('frozen-in-the-call'),
    reaches: 'in-call',
    ends: 'page-unusable',
    endsWithinMs: 40_000,
  },
  { name: 'a slow page', room: scenario('slow-page'), reaches: 'in-call', ends: 'in-call' },
  {
    name: 'a page that gets slower and slower',
    room: scenario('slower-and-slower'),
    reaches: 'in-call',
    ends: 'in-call',
    longFormOnly: true,
  },
  {
    name: 'the line is lost for five seconds',
    room: scenario('line-lost-for-a-while'),
    reaches: 'in-call',
    ends: 'in-call',
    staysMs: 10_000,
  },
  {
    name: 'dialogs of a call: consent in a shadow root, a request to unmute, a breakout room and back, one that stays',
    room: scenario('dialogs-of-a-call'),
    reaches: 'in-call',
    ends: 'in-call',
    staysMs: 20_000,
    platforms: ['meet', 'teams', 'zoom'],
  },
  {
    name: 'put back into the waiting room, and let in again',
    room: scenario('set-aside-for-a-while'),
    reaches: 'in-call',
    ends: 'in-call',
    staysMs: 27_000,
    states: ['lobby'],
    platforms: ['meet', 'teams', 'zoom'],
  },
  {
    name: 'the line is lost for good',
    room: scenario('line-lost-for-good'),
    reaches: 'in-call',
    ends: 'page-unusable',
    endsWithinMs: 30_000,
    longFormOnly: true,
  },
  { name: 'the page crashes', room: {}, reaches: 'in-call', crashes: true, ends: 'page-crashed' },
  {
    name: 'the page crashes while the bot waits',
    room: { lobby: 'wait' },
    reaches: 'waiting-room',
    crashes: true,
    ends: 'page-crashed',
  },
  {
    name: 'everybody else leaves',
    room: scenario('everyone-leaves'),
    reaches: 'in-call',
    ends: 'in-call',
    staysMs: 6_000,
  },
  { name: 'the host ends the meeting soon', room: scenario('host-ends'), reaches: 'in-call', ends: 'ended-by-host' },
  {
    name: 'a host who lets the bot in and removes it again',
    room: scenario('a-host-who-decides'),
    reaches: 'in-call',
    ends: 'removed',
  },
  {
    name: 'a host who thinks first and refuses then',
    room: scenario('a-host-who-refuses'),
    reaches: 'waiting-room',
    ends: 'denied',
  },
];

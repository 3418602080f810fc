import { faultScenarios } from './fault-scenarios.ts';
import type { RoomOptions } from './harness.ts';
import { meetScenarios } from './meet-scenarios.ts';
import { pageChangeScenarios } from './page-change-scenarios.ts';
import { zoomScenarios } from './zoom-scenarios.ts';
import { zoomSdkScenarios } from './zoom-sdk-scenarios.ts';
import type { OutcomeScenario } from './outcome-scenario.ts';

/** Zoom lets guests wait without a limit, and shows one page for a wrong link and for a meeting that has not begun. */
const saysSo = ['meet', 'teams'] as const;
const meetOnly = ['meet'] as const;
const teamsOnly = ['teams'] as const;
const teams = (settings: object): RoomOptions => ({ variant: { teams: settings } });

export const outcomeScenarios: readonly OutcomeScenario[] = [
  {
    name: 'the host lets the bot in',
    room: { lobby: 'wait' },
    reaches: 'waiting-room',
    then: (room) => room.admit(),
    ends: 'in-call',
  },
  {
    name: 'the host lets the bot in from the classic lobby',
    room: { lobby: 'wait', variant: { lobbyShape: 'classic' } },
    reaches: 'waiting-room',
    then: (room) => room.admit(),
    ends: 'in-call',
    platforms: meetOnly,
  },
  {
    name: 'every dialog that the page can put in the way',
    room: { variant: { permissionSheet: true, gotIt: true, recordingNotice: true } },
    reaches: 'in-call',
    ends: 'in-call',
    platforms: meetOnly,
  },
  { name: 'the host refuses', room: { lobby: 'refuse' }, reaches: 'waiting-room', ends: 'denied' },
  {
    name: 'the host refuses from the classic lobby',
    room: { lobby: 'refuse', variant: { lobbyShape: 'classic' } },
    reaches: 'waiting-room',
    ends: 'denied',
    platforms: meetOnly,
  },
  {
    name: 'no response',
    room: { lobby: 'wait', lobbyTimeoutMs: 1_500 },
    reaches: 'waiting-room',
    ends: 'no-response',
    platforms: saysSo,
  },
  {
    name: 'the link leads nowhere',
    room: 'unknown-meeting',
    reaches: 'nothing',
    ends: 'not-found',
    platforms: saysSo,
  },
  {
    name: 'the host removes the bot',
    room: {},
    reaches: 'in-call',
    then: (room, botName) => room.remove(botName),
    ends: 'removed',
  },
  {
    name: 'the host ends the meeting',
    room: {},
    reaches: 'in-call',
    then: (room) => room.endForEveryone(),
    ends: 'ended-by-host',
  },
  {
    name: 'the meeting ends while the bot waits',
    room: { lobby: 'wait' },
    reaches: 'waiting-room',
    then: (room) => room.endForEveryone(),
    ends: 'ended-by-host',
  },
  {
    name: 'the light client, with the warning about devices before and after Join now',
    room: teams({ client: 'light', deviceWarning: 'both' }),
    reaches: 'in-call',
    ends: 'in-call',
    platforms: teamsOnly,
  },
  {
    name: 'two warnings about devices, one over the other',
    room: teams({ client: 'light', deviceWarning: 'stacked' }),
    reaches: 'in-call',
    ends: 'in-call',
    platforms: teamsOnly,
  },
  {
    name: 'the light client refuses',
    room: { lobby: 'refuse', ...teams({ link: 'thread', client: 'light', ending: 'page' }) },
    reaches: 'waiting-room',
    ends: 'denied',
    platforms: teamsOnly,
  },
  {
    name: 'a page that calls the app from its script, after a service that was busy twice',
    room: teams({ link: 'thread', appLink: 'script', unavailableLoads: 2, deviceWarning: 'after' }),
    reaches: 'in-call',
    ends: 'in-call',
    platforms: teamsOnly,
  },
  {
    name: 'a dialog asks to sign in',
    room: teams({ signInWall: 'dialog' }),
    reaches: 'nothing',
    ends: 'login-required',
    platforms: teamsOnly,
  },
  {
    name: 'the light client leads to the sign-in page',
    room: teams({ signInWall: 'redirect', client: 'light' }),
    reaches: 'nothing',
    ends: 'login-required',
    platforms: teamsOnly,
  },
  {
    name: 'the service wants a sign-in after Join now',
    room: { lobby: 'refuse', ...teams({ signInWall: 'signalling', ending: 'signalling' }) },
    reaches: 'waiting-room',
    ends: 'login-required',
    platforms: teamsOnly,
  },
  {
    name: 'only the signalling says that the host removed the bot',
    room: teams({ ending: 'signalling', launcher: false }),
    reaches: 'in-call',
    then: (room, botName) => room.remove(botName),
    ends: 'removed',
    platforms: teamsOnly,
  },
  {
    name: 'only the page of the light client says that the host removed the bot',
    room: teams({ ending: 'page', launcher: false, client: 'light' }),
    reaches: 'in-call',
    then: (room, botName) => room.remove(botName),
    ends: 'removed',
    platforms: teamsOnly,
  },
  {
    name: 'only the signalling says that the meeting ended',
    room: teams({ ending: 'signalling', offersApp: 'by-agent', controlsHide: false, lobbyButton: 'cancel' }),
    reaches: 'in-call',
    then: (room) => room.endForEveryone(),
    ends: 'ended-by-host',
    platforms: teamsOnly,
  },
  {
    name: 'a page that calls no app, warns about devices before Join now and outlines no speaker',
    room: teams({ appLink: 'none', deviceWarning: 'before', outlines: 'none' }),
    reaches: 'in-call',
    ends: 'in-call',
    platforms: teamsOnly,
  },
  {
    name: 'a check that the guest is a human, which is never solved',
    room: teams({ humanCheck: 'typographic' }),
    reaches: 'nothing',
    ends: 'captcha',
    platforms: teamsOnly,
  },
  {
    name: 'a check that the guest is a human, with a straight apostrophe',
    room: teams({ humanCheck: 'straight' }),
    reaches: 'nothing',
    ends: 'captcha',
    platforms: teamsOnly,
  },
  ...faultScenarios,
  ...meetScenarios,
  ...zoomScenarios,
  ...pageChangeScenarios,
  ...zoomSdkScenarios,
];

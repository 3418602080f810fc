import { describe, expect, test } from '@jest/globals';
import { builtInPagePack } from '../page-packs/index.ts';
import { readConversationEnd } from './page-state.ts';
import type { TeamsPageSnapshot } from './page-state.ts';
import { createTeamsClient } from './teams-platform.ts';

const { read: readTeamsPage, emptySnapshot } = createTeamsClient(builtInPagePack('teams'));

const page = (more: Partial<TeamsPageSnapshot>): TeamsPageSnapshot => ({
  ...emptySnapshot('teams.microsoft.com'),
  ...more,
});
const said = (text: string): Partial<TeamsPageSnapshot> => ({ text, notices: [text] });
const warning = "Are you sure you don't want audio or video? Continue without audio or video";
const call = page({ hangup: true, callControls: 6, stage: true, tiles: [{ name: 'Alice', isScreen: false }] });

describe('readTeamsPage: the state of the bot', () => {
  test.each<[string, string, TeamsPageSnapshot]>([
    ['the empty page before anything', 'loading', page({ host: '' })],
    ['a page with nothing known on it', 'loading', page({ text: 'Loading Microsoft Teams' })],
    ['the launcher', 'launcher', page({ webJoin: true, buttons: ['Join meeting from this browser'] })],
    ['the launcher, by its label alone', 'launcher', page({ buttons: ['Continue on this browser'] })],
    ['the name field', 'pre-join', page({ nameField: true, joinButton: true, buttons: ['Join now', 'Cancel'] })],
    [
      'the warning about devices, with Join now behind it',
      'pre-join',
      page({ joinButton: true, nameField: true, dialogs: [warning], notices: [warning], text: warning }),
    ],
    ['the lobby by its screen, with Join now in it', 'lobby', page({ lobbyScreen: true, joinButton: true })],
    ['the lobby by its words', 'lobby', page({ text: 'Someone will let you in shortly', joinButton: true })],
    [
      'the lobby by its words when let people know',
      'lobby',
      page({ text: "We've let people in the meeting know you're waiting" }),
    ],
    [
      'a meeting that has not begun',
      'waiting-for-host',
      page({ text: "When the meeting starts, we'll let people know you're waiting" }),
    ],
    ['the call', 'in-call', call],
    ['a call whose toolbar has other ids for leaving', 'in-call', page({ callControls: 3 })],
    ['a denial', 'denied', page(said('Sorry, but you were denied access to the meeting'))],
    ['a declined request', 'denied', page(said('Your request to join was declined'))],
    ['no response', 'no-response', page(said('Sorry, but nobody let you in to the meeting'))],
    ['the sign-in dialog', 'login-required', page(said('We need to verify your info before you can join'))],
    [
      'the policy of an organisation',
      'login-required',
      page({ text: 'Due to org policy, you need to sign in or use Teams' }),
    ],
    ['the sign-in page', 'login-required', page({ host: 'login.microsoftonline.com', notices: ['Sign in'] })],
    ['a sign-in form on the own host', 'login-required', page({ signInForm: true })],
    ['a check for people', 'captcha', page(said("Verify you're a real person"))],
    ['a wrong address', 'not-found', page({ text: 'Looks like the meeting URL is incorrect. Please check the URL' })],
    ['removal', 'removed', page(said("You've been removed from this meeting"))],
    ['the end', 'ended-by-host', page({ ...said('The meeting has ended'), callEndedScreen: true })],
    ['an end in other words', 'ended-by-host', page({ callEndedScreen: true, notices: ['Enjoy your day'] })],
    ['having left', 'left', page({ ...said('You left the meeting'), callEndedScreen: true, buttons: ['Rejoin'] })],
    ['a lost connection, which may come back', 'loading', page(said("We couldn't connect you"))],
    ['being sent off the host', 'blocked', page({ host: 'www.microsoft.com', text: 'Microsoft Teams' })],
  ])('%s is %s', (_what, state, snapshot) => {
    expect(readTeamsPage(snapshot).state).toBe(state);
  });

  test.each(['teams.live.com', 'teams.cloud.microsoft', 'gov.teams.microsoft.us', 'teams.microsoft.com:8443'])(
    'the host %s is one of Teams',
    (host) => {
      expect(readTeamsPage(page({ host, nameField: true })).state).toBe('pre-join');
    },
  );

  test('texts of an end inside a call end nothing: a participant may have written them', () => {
    const words = "You've been removed from this meeting. The meeting has ended. You were denied access to the meeting";
    expect(readTeamsPage({ ...call, text: words }).state).toBe('in-call');
  });

  test('a host that only looks like one of Teams is not believed', () => {
    expect(readTeamsPage(page({ host: 'notteams.microsoft.com.evil.test', nameField: true })).state).toBe('blocked');
  });
});

describe('readConversationEnd', () => {
  test.each([
    [5854, 'denied'],
    [5723, 'login-required'],
    [5000, 'removed'],
    [5300, 'removed'],
    [7, 'loading'],
    [4521, 'loading'],
    [301_005, 'loading'],
  ])('%i means %s', (subCode, state) => {
    expect(readConversationEnd(subCode)?.state).toBe(state);
  });

  test('any other reason is left to the page', () => {
    expect(readConversationEnd(0)).toBeNull();
    expect(readConversationEnd(null)).toBeNull();
  });
});

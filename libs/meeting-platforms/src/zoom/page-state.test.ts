import { describe, expect, test } from '@jest/globals';
import { builtInPagePack } from '../page-packs/index.ts';
import type { ZoomPageSnapshot } from './page-state.ts';
import { createZoomClient } from './zoom-platform.ts';

const { read: readZoomPage, emptySnapshot } = createZoomClient(builtInPagePack('zoom'), 15_000);

const blank: ZoomPageSnapshot = {
  ...emptySnapshot('app.zoom.us'),
  path: '/wc/23456789012/join',
};
const page = (more: Partial<ZoomPageSnapshot>): ZoomPageSnapshot => ({ ...blank, ...more });
const notice = (text: string, more: Partial<ZoomPageSnapshot> = {}) => page({ text, notices: [text], ...more });
const call: Partial<ZoomPageSnapshot> = {
  leaveControl: true,
  footer: true,
  tiles: [{ name: 'Alice', speaking: false }],
};

describe('readZoomPage: the state of the bot', () => {
  test('a call whose client reports a lost connection beside it is a call that may come back', () => {
    for (const text of ['Meeting Disconnected', 'Trying to reconnect', 'You lost your internet connection'])
      expect(readZoomPage(notice(text, call))).toMatchObject({ state: 'in-call', cause: 'technical' });
    expect(readZoomPage(notice('Trying to reconnect'))).toMatchObject({
      state: 'loading',
      cause: 'technical',
      afterMs: 60_000,
    });
    expect(readZoomPage(notice('Ada is sharing', call))).not.toHaveProperty('cause');
  });

  test.each<[string, string, ZoomPageSnapshot]>([
    ['a page that is not there yet', 'loading', page({ host: '' })],
    ['a page that shows nothing known', 'loading', page({})],
    ['an invitation', 'launcher', page({ host: 'zoom.us', path: '/j/23456789012', browserLink: true })],
    ['the name field', 'pre-join', page({ nameField: true })],
    ['the name field of the classic client', 'pre-join', page({ path: '/wc/join/23456789012', nameField: true })],
    ['a passcode field alone', 'pre-join', page({ passcodeField: true })],
    ['a wrong passcode', 'passcode-wrong', page({ nameField: true, passcodeField: true, text: 'Passcode wrong' })],
    [
      'the waiting room, which looks like the client in a call',
      'lobby',
      page({ text: 'Please wait, the meeting host will let you in soon.' }),
    ],
    ['a waiting room of unknown words', 'lobby', page({ waitingRoom: true, text: 'Un instant' })],
    ['a host who is there', 'lobby', page({ text: "Host has joined. We've let them know you're here" })],
    ['a host who is not', 'waiting-for-host', page({ text: 'Waiting for the host to start this meeting' })],
    ['the same in other words', 'waiting-for-host', page({ text: 'Waiting for the host to start the meeting' })],
    ['the page of a wrong link', 'waiting-for-host', notice('This meeting link is invalid (3,001)')],
    ['its title alone', 'waiting-for-host', page({ title: 'Error - Zoom' })],
    ['the sign-in page', 'login-required', page({ path: '/signin' })],
    ['a sign-in wall', 'login-required', notice('Sign in to join this meeting')],
    ['authentication', 'login-required', page({ text: 'This meeting requires authentication' })],
    ['a code by mail', 'login-required', page({ text: 'Enter the code sent to you' })],
    [
      'the bot wall, with a straight apostrophe as every text here',
      'blocked',
      page({
        text: "We detected you may be a bot. Automated bots aren't allowed to join this meeting or webinar and must use Zoom RTMS",
      }),
    ],
    [
      'the wall before it',
      'blocked',
      page({ text: 'Zoom needs to review the security of your connection before proceeding' }),
    ],
    ['the bot wall over a call', 'blocked', notice('We detected you may be a bot', call)],
    ['a visible challenge', 'captcha', page({ visibleChallenge: true, nameField: true })],
    ['a page of another host', 'blocked', page({ host: 'example.org' })],
    ['the call', 'in-call', page(call)],
    ['a call whose controls have hidden themselves', 'in-call', page({ footer: true })],
    ['a call without controls, by its pictures', 'in-call', page({ tiles: [{ name: 'Alice', speaking: true }] })],
    ['a removal over the call', 'removed', notice('You have been removed', call)],
    ['an end over the call', 'ended-by-host', notice('This meeting has been ended by host', call)],
    ['an end that only its label says', 'ended-by-host', page({ ...call, endedLabel: true })],
    ['a page after the meeting', 'left', page({ path: '/wc/left' })],
  ])('%s is %s', (_what, state, snapshot) => {
    expect(readZoomPage(snapshot).state).toBe(state);
  });

  test.each([
    ['You have been removed from the meeting'],
    ['This meeting has been ended by host'],
    ['We detected you may be a bot'],
    ['Waiting for the host to start this meeting'],
    ['Sign in to join'],
    ['Passcode wrong'],
    ['This meeting link is invalid (3,001)'],
  ])('%s somewhere on the page of a call ends nothing', (text) => {
    expect(readZoomPage(page({ ...call, text })).state).toBe('in-call');
  });
});

import { describe, expect, test } from '@jest/globals';
import { builtInPagePack } from '../page-packs/index.ts';
import { createMeetClient } from './meet-platform.ts';
import type { MeetPageSnapshot, MeetTile } from './page-state.ts';

const { read: readMeetPage, emptySnapshot } = createMeetClient(builtInPagePack('meet'));
const blank = emptySnapshot('meet.google.com');
const page = (more: Partial<MeetPageSnapshot>): MeetPageSnapshot => ({ ...blank, ...more });
const tile = (more: Partial<MeetTile> = {}): MeetTile => ({
  participantId: 'spaces/s/devices/1',
  name: 'Alice',
  isSelf: false,
  hasEffectsControl: false,
  speaking: false,
  ...more,
});

const lobbySentence = 'Please wait until a meeting host brings you into the call';
const callChrome = {
  leaveControl: true,
  buttons: ['Turn off microphone', 'Turn off camera', 'Leave call', 'Send a reaction', 'Return to home screen'],
};
const call = page({
  leaveControl: true,
  tiles: [tile(), tile({ participantId: 'spaces/s/devices/2', isSelf: true })],
  buttons: ['Leave call', 'Turn on captions', 'People', 'Chat with everyone', 'Meeting details', 'Raise hand'],
});

describe('readMeetPage: the state of the bot', () => {
  test.each<[string, string, MeetPageSnapshot]>([
    ['the empty page before anything', 'loading', page({ host: '' })],
    ['a page with nothing known on it', 'loading', page({ text: 'Loading' })],
    ['the name field', 'pre-join', page({ nameField: true, buttons: ['Ask to join'], notices: ['Ready to join?'] })],
    ['a join button alone, as signed-in people see it', 'pre-join', page({ buttons: ['Join now'] })],
    ['a join button with a suffix', 'pre-join', page({ buttons: ['Ask to join without camera'] })],
    [
      'the classic lobby',
      'lobby',
      page({ text: `${lobbySentence}. Return to home screen`, buttons: ['Return to home screen'] }),
    ],
    [
      'the new lobby, which looks like a call',
      'lobby',
      page({ ...callChrome, text: lobbySentence, tiles: [tile({ isSelf: true, hasEffectsControl: true })] }),
    ],
    ['the lobby wording of 2026', 'lobby', page({ text: 'Please wait until a meeting host admits you to the call' })],
    ['a lobby that only its label names', 'lobby', page({ ...callChrome, waitingLabel: true })],
    ['the call', 'in-call', call],
    [
      'a call whose tiles are not there yet',
      'in-call',
      page({ leaveControl: true, buttons: ['Leave call', 'Turn on captions', 'Chat with everyone'] }),
    ],
    ['a call whose labels are not known, by its tiles', 'in-call', page({ leaveControl: true, tiles: [tile()] })],
    [
      'a denial',
      'denied',
      page({
        notices: ['Someone in the call denied your request to join'],
        text: 'Someone in the call denied your request to join',
      }),
    ],
    [
      'no response',
      'no-response',
      page({
        notices: ['No one responded to your request to join the call'],
        text: 'No one responded to your request to join the call',
      }),
    ],
    [
      'the block page',
      'blocked',
      page({ notices: ["You can't join this video call"], text: 'Returning to home screen' }),
    ],
    ['being sent off the host', 'blocked', page({ host: 'workspace.google.com', text: 'Google Meet' })],
    ['an unknown code', 'not-found', page({ notices: ['Check your meeting code'] })],
    ['an expired code', 'not-found', page({ text: 'Your meeting code has expired' })],
    ['the sign-in page', 'login-required', page({ host: 'accounts.google.com', notices: ['Sign in'] })],
    [
      'the sign-in wall on the own host',
      'login-required',
      page({ notices: ['Sign in'], text: 'Sign in with your Google Account' }),
    ],
    ['a challenge that is shown', 'captcha', page({ visibleChallenge: true })],
    ['removal', 'removed', page({ notices: ["You've been removed from the meeting"] })],
    ['the end for everyone', 'ended-by-host', page({ notices: ['Your host ended the meeting for everyone'] })],
    ['having left', 'left', page({ notices: ['You left the meeting'], buttons: ['Rejoin', 'Return to home screen'] })],
  ])('%s is %s', (_what, state, snapshot) => {
    expect(readMeetPage(snapshot).state).toBe(state);
  });
});

describe('readMeetPage: what does not fool it', () => {
  test('the own picture with its effects control is not a tile of a call', () => {
    const own = tile({ isSelf: true, hasEffectsControl: true });
    expect(readMeetPage(page({ ...callChrome, tiles: [own] })).state).not.toBe('in-call');
  });

  test('Leave call alone proves nothing', () => {
    expect(readMeetPage(page(callChrome)).state).toBe('loading');
  });

  test('Return to home screen alone is no end', () => {
    expect(readMeetPage(page({ buttons: ['Return to home screen'] })).state).toBe('loading');
  });

  test('the sheet that advertises signing in is not the lobby', () => {
    const sheet = page({
      nameField: true,
      text: 'Sign in with your Google account. Instead of waiting to be let in, join right away',
      buttons: ['Ask to join'],
    });
    expect(readMeetPage(sheet).state).toBe('pre-join');
  });

  test.each([
    "You've been removed from the meeting",
    'Someone in the call denied your request to join',
    'Your host ended the meeting for everyone',
    'Check your meeting code',
  ])('in a call, "%s" anywhere but in a notice changes nothing', (text) => {
    expect(readMeetPage({ ...call, text }).state).toBe('in-call');
  });

  test('a notice of removal counts although the call is still behind it', () => {
    expect(readMeetPage({ ...call, notices: ["You've been removed from the meeting"] }).state).toBe('removed');
  });

  test('a denial wins over a challenge', () => {
    expect(
      readMeetPage(page({ visibleChallenge: true, notices: ['Someone in the call denied your request to join'] }))
        .state,
    ).toBe('denied');
  });

  test('the denial of a request is not the lobby that speaks of a request', () => {
    expect(readMeetPage(page({ text: 'Your request to join was denied' })).state).toBe('denied');
  });

  test('every reading names the rule it follows', () => {
    expect(readMeetPage(call).rule).toBe('participant-tile');
    expect(readMeetPage(page({ text: lobbySentence })).rule).toBe('lobby-text');
  });
});

describe('readMeetPage in other languages', () => {
  const notice = (text: string) => page({ text, notices: [text] });

  test.each<[string, string]>([
    ['lobby', 'Bitte warten Sie, bis Sie vom Organisator in den Anruf geholt werden'],
    ['lobby', 'Kérjük, várjon, amíg a házigazda beengedi Önt a hívásba'],
    ['denied', 'Ein Teilnehmer hat Ihre Teilnahmeanfrage abgelehnt'],
    ['denied', 'Valaki a hívásban elutasította csatlakozási kérelmét'],
    ['no-response', 'Niemand hat auf Ihre Teilnahmeanfrage geantwortet'],
    ['no-response', 'Senki sem válaszolt csatlakozási kérelmére'],
    ['blocked', 'Sie können an diesem Videoanruf nicht teilnehmen'],
    ['blocked', 'Nem csatlakozhat ehhez a videohíváshoz'],
    ['not-found', 'Überprüfen Sie Ihren Besprechungscode'],
    ['not-found', 'A megbeszélés nem található'],
    ['removed', 'Sie wurden aus der Videokonferenz entfernt'],
    ['removed', 'Eltávolították a megbeszélésről'],
    ['ended-by-host', 'Der Organisator hat die Videokonferenz für alle beendet'],
    ['ended-by-host', 'A hívás véget ért'],
    ['left', 'Sie haben die Videokonferenz verlassen'],
    ['left', 'Kilépett a megbeszélésből'],
  ])('%s: %s', (state, text) => {
    expect(readMeetPage(notice(text)).state).toBe(state);
  });

  test.each(['Teilnahme erbitten', 'Jetzt teilnehmen', 'Trotzdem teilnehmen', 'Csatlakozás kérése'])(
    'a button that says %s is a door',
    (name) => {
      expect(readMeetPage(page({ buttons: [name] })).state).toBe('pre-join');
    },
  );

  test.each([
    'Invalid video call name.',
    "The meeting code you entered doesn't work",
    'Meeting not found',
    'Check your meeting code',
  ])('%s: the link leads nowhere', (text) => {
    expect(readMeetPage(notice(text)).state).toBe('not-found');
  });

  test('the sheet that advertises signing in is no lobby', () => {
    const sheet = 'Sign in with your Google account. Instead of waiting to be let in, sign in and join at once.';
    expect(readMeetPage(page({ text: sheet, dialogs: [sheet], nameField: true })).state).toBe('pre-join');
  });

  test('a line that is lost for a while is still the call', () => {
    const lost = 'Reconnecting… You lost your network connection. Trying to reconnect.';
    expect(readMeetPage({ ...call, text: lost, notices: [lost] }).state).toBe('in-call');
  });
});

import { element, showScreen, textButton } from './elements.js';
import { say } from './texts.js';

const HOME = 'https://workspace.google.com/products/meet/';

/** Text of every way in which a session can be over; `notice` is the class that the call itself uses. */
const screens = {
  unknownCode: ({ notFound }) => ({
    title: `unknown-${notFound === undefined || notFound === 'no' ? 'check-code' : notFound}`,
    help: 'codeHelp',
  }),
  refused: () => ({ title: 'refused' }),
  noResponse: () => ({ title: 'noResponse' }),
  blocked: () => ({ title: 'blocked', help: 'blockedHelp' }),
  removed: ({ removedText }) => ({ title: `removed-${removedText}`, notice: true }),
  meetingEnded: ({ endedText }) => ({ title: `ended-${endedText ?? 'host'}`, notice: true }),
  left: () => ({ title: 'left', rejoin: true }),
  connectionLost: () => ({ title: 'connectionLost', rejoin: true }),
};

/** Shows how the session ended. */
export function showEndScreen(how, welcome) {
  const { title, help, notice, rejoin } = (screens[how] ?? screens.connectionLost)(welcome);
  const heading = notice ? element('div', { class: 'roSPhc' }, say(title)) : element('h1', {}, say(title));
  showScreen(
    element(
      'div',
      { class: 'card' },
      heading,
      help === undefined ? null : element('p', {}, say(help)),
      element(
        'div',
        { class: 'row' },
        rejoin ? textButton(say('rejoin'), () => location.reload()) : null,
        how === 'blocked' ? null : textButton(say('home'), () => location.assign('/')),
      ),
    ),
  );
  if (how === 'blocked') setTimeout(() => location.assign(HOME), welcome.homeAfterBlockSeconds * 1000);
}

/** The wall that stays on Meet's own host. */
export function showSignIn() {
  showScreen(
    element(
      'div',
      { class: 'card' },
      element('h1', {}, 'Sign in'),
      element('p', {}, 'Use your Google Account to continue to Google Meet'),
    ),
  );
}

export function showHome() {
  showScreen(
    element(
      'div',
      { class: 'card' },
      element('h1', {}, 'Video calls for everyone'),
      element('p', {}, 'Enter a meeting link.'),
    ),
  );
}

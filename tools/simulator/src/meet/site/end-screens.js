import { element, showScreen, textButton } from './elements.js';

const HOME_AFTER_BLOCK_MS = 60_000;
const CODE_HELP =
  'Make sure you entered the correct meeting code in the URL, for example: https://meet.google.com/abc-mnop-xyz';

/** Text of every way in which a visit can be over; `notice` is the class that the call itself uses. */
const TEXTS = {
  unknownCode: { title: 'Check your meeting code', help: CODE_HELP },
  refused: { title: 'Someone in the call denied your request to join' },
  noAnswer: { title: 'No one responded to your request to join the call' },
  blocked: { title: "You can't join this video call", help: 'Returning to home screen' },
  removed: { title: "You've been removed from the meeting", notice: true },
  meetingEnded: { title: 'Your host ended the meeting for everyone', notice: true },
  left: { title: 'You left the meeting', rejoin: true },
  connectionLost: { title: 'You lost your network connection', rejoin: true },
};

/** Shows how the visit ended. */
export function showEndScreen(how) {
  const { title, help, notice, rejoin } = TEXTS[how] ?? TEXTS.connectionLost;
  const heading = notice ? element('div', { class: 'roSPhc' }, title) : element('h1', {}, title);
  const home = () => location.assign('/');
  showScreen(
    element(
      'div',
      { class: 'card' },
      heading,
      help === undefined ? null : element('p', {}, help),
      element(
        'div',
        { class: 'row' },
        rejoin ? textButton('Rejoin', () => location.reload()) : null,
        how === 'blocked' ? null : textButton('Return to home screen', home),
      ),
    ),
  );
  if (how === 'blocked') setTimeout(home, HOME_AFTER_BLOCK_MS);
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

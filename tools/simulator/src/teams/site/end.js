import { element, showScreen } from '/page/elements.js';

const dismiss = { 'data-tid': 'calling-retry-cancelbutton' };
const SCREENS = {
  unknownCode: { text: 'Looks like the meeting URL is incorrect. Please check the URL and try again.' },
  refused: { text: 'Sorry, but you were denied access to the meeting', button: dismiss },
  noResponse: { text: 'Sorry, but nobody let you in to the meeting', button: dismiss },
  anonymousJoinDisabled: {
    text: 'Due to org policy, you need to sign in or use Teams on the web to join this meeting.',
  },
  removed: { id: 'calling-retry-screen-title', text: 'You’ve been removed from this meeting' },
  meetingEnded: { tid: 'call-ended-screen', text: 'The meeting has ended' },
  left: { tid: 'call-ended-screen', text: 'You left the meeting' },
  connectionLost: { id: 'calling-retry-screen-title', text: 'We couldn’t connect you' },
};

export function showEnd(how) {
  const { id, tid, text, button } = SCREENS[how];
  const card = element('div', { class: 'card', 'data-tid': tid ?? null }, element('h1', { id: id ?? null }, text));
  if (button) card.append(element('button', button, 'Dismiss'));
  if (how === 'left') card.append(element('button', { 'data-tid': 'anon-meeting-end-screen-rejoin-button' }, 'Rejoin'));
  showScreen(card);
}

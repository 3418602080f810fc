import { element, late, showScreen } from '/page/elements.js';
import { showTerms } from './hints.js';

const WALL =
  'We detected you may be a bot. Automated bots aren’t allowed to join this meeting or webinar and must use Zoom RTMS';
const TEXTS = {
  refused: 'You have been removed',
  noResponse: 'You have been removed',
  removed: 'You have been removed from the meeting',
  meetingEnded: 'This meeting has been ended by host',
  connectionLost: 'Your network connection has timed out',
};

/** An invalid link, and a meeting whose host is not there, look the same. */
export function showError() {
  document.title = 'Error - Zoom';
  showScreen(element('div', { class: 'card' }, element('h1', {}, 'This meeting link is invalid (3,001)')));
}

/** A guest who waits sees their own video in what looks like the client in a call. */
export function showWaiting(text, { name = '', tips = false } = {}) {
  const preview = element(
    'div',
    { class: 'waiting-room-preview' },
    element('canvas', { width: '320', height: '180' }),
    element('span', {}, name),
  );
  const words = element('div', { class: 'waiting-room-container card' }, element('h1', {}, text));
  showScreen(element('div', { class: 'meeting-app' }, words, name === '' ? null : preview));
  if (tips) late(showTerms);
}

export function showSignIn() {
  showScreen(
    element(
      'div',
      { class: 'card' },
      element('h1', {}, 'Sign in to join this meeting'),
      element('p', {}, 'This meeting requires authentication'),
      element('button', {}, 'Sign in to join'),
    ),
  );
}

export function showWall() {
  showScreen(element('div', { class: 'card' }, element('p', {}, WALL)));
}

export function showEnd(how) {
  if (how === 'left') return location.assign('/wc/left');
  if (how === 'unknownCode') return showError();
  const title = element('div', { class: 'zm-modal-body-title' }, TEXTS[how]);
  const modal = element(
    'div',
    { class: 'zm-modal card', role: 'dialog', 'aria-modal': 'true' },
    title,
    element('button', { class: 'zm-btn' }, 'OK'),
  );
  if (how === 'meetingEnded') modal.setAttribute('aria-label', 'Meeting is end now');
  showScreen(modal);
}

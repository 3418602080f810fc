// The page of an invitation: it would rather open the app, and says so for a moment.
import { element, late, showScreen } from '/page/elements.js';
import { findMeeting, meetingOf } from './meeting-link.js';

const { code, passcode } = meetingOf(location);
await findMeeting({ code, passcode });
const home = location.hostname.endsWith('zoom.us') ? 'https://app.zoom.us' : '';
const target = `${home}/wc/${code}/join?fromPWA=1&pwd=${passcode}`;
const card = element(
  'div',
  { class: 'card' },
  element('h1', {}, 'Click Open Zoom Workplace app on the dialog shown by your browser'),
  element('button', {}, 'Launch Meeting'),
  element('a', { href: '#', role: 'button', tabindex: '0' }, 'Download Now'),
);
showScreen(card);
late(() => card.append(element('a', { href: target, web_client: '' }, 'Join from your browser')));

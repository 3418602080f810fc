// The page that would rather open the app.
import { element, late, showScreen } from '/page/elements.js';
import { coordinatesOf, findMeeting, meetingOf, pathOf } from './meeting-link.js';

const WRONG_LINK = 'Looks like the meeting URL is incorrect. Please check the URL and try again.';

async function start() {
  const meeting = meetingOf(location.href);
  const teams = await findMeeting(meeting);
  if (teams === null) return showScreen(element('div', { class: 'card' }, element('p', {}, WRONG_LINK)));
  const target = addressOf(teams.client, meeting);
  if (!teams.launcher) return location.replace(target);
  const requested = new URL(location.href).searchParams;
  const quiet = requested.get('msLaunch') === 'false' || requested.get('suppressPrompt') === 'true';
  if (teams.appLink === 'script' && !quiet) late(() => (location.href = 'msteams:/l/meetup-join/'));
  const card = element('div', { class: 'card' }, element('h1', {}, 'How do you want to join your Teams meeting?'));
  showScreen(card);
  late(() => card.append(...buttons(() => location.assign(target))));
}

function addressOf(client, meeting) {
  if (client === 'light') {
    const coordinates = encodeURIComponent(coordinatesOf(meeting));
    return `/light-meetings/launch?agent=web&coords=${coordinates}&lightExperience=true`;
  }
  return `/v2/?meetingjoin=true&lightExperience=false#${pathOf(meeting)}&anon=true`;
}

function buttons(goOn) {
  const web = { 'data-tid': 'joinOnWeb', 'aria-label': 'Join meeting from this browser', click: goOn };
  return [
    element('button', web, 'Continue on this browser'),
    element('button', { 'data-tid': 'joinInApp' }, 'Join on the Teams app'),
  ];
}

start();

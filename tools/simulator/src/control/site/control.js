// The control page: shows every meeting and asks the control API to do things. Polls once a second.
import { call, element } from './page.js';

const REFRESH_MS = 1000;
const roomList = document.getElementById('rooms');
const message = document.getElementById('message');

async function act(method, path, body) {
  try {
    message.textContent = '';
    await call(method, path, body);
  } catch (error) {
    message.textContent = error.message;
  }
  await refresh();
}

const button = (text, click, kind = '') => element('button', { type: 'button', class: kind, click }, text);

function roomCard(room) {
  const path = `/rooms/${room.code}`;
  const running = room.state === 'running';
  const bodies = [...waitingList(room, path), ...presentList(room, path)];
  return element(
    'article',
    { 'aria-label': room.code },
    element(
      'header',
      {},
      element('h2', {}, room.code),
      element(
        'div',
        {},
        running ? button('End for everyone', () => act('POST', `${path}/end`, {}), 'danger') : null,
        ' ',
        button('Delete', () => act('DELETE', path)),
      ),
    ),
    running
      ? element('div', {}, 'Link: ', element('a', { href: room.url, target: '_blank' }, room.url))
      : element('div', {}, 'Ended.'),
    ...bodies,
    running ? faultButtons(path) : null,
    running ? realHostLink(room, path) : null,
  );
}

function realHostLink(room, path) {
  return element(
    'details',
    { id: `real-${path}` },
    element('summary', {}, 'Link under the real host (advanced)'),
    element('code', {}, room.realUrl),
    element(
      'p',
      {},
      'It leads to this meeting only in a browser that is started with every argument of chromiumArguments in GET /info. In any other browser, and for a bot of npm start, it is an address of the real platform.',
    ),
  );
}

/** Faults that a click can cause, with the settings that show most. */
const faults = [
  ['Lose the line for 5 s', { kind: 'network-loss', seconds: 5 }],
  ['New tracks', { kind: 'network-loss', seconds: 1, renewsMedia: true }],
  ['Lose the line for good', { kind: 'network-loss', seconds: 2, forGood: true }],
  ['Freeze pages for 10 s', { kind: 'page-frozen', seconds: 10 }],
  ['Reload pages', { kind: 'reload' }],
  ['Popup', { kind: 'popup' }],
  ['Slow pages', { kind: 'slow', factor: 5 }],
  ['503 for 30 s', { kind: 'server-error', seconds: 30 }],
  ['Everyone leaves', { kind: 'everyone-leaves' }],
];

function faultButtons(path) {
  const buttons = faults.flatMap(([text, fault]) => [button(text, () => act('POST', `${path}/faults`, fault)), ' ']);
  return element('details', { id: `faults-${path}` }, element('summary', {}, 'Let something go wrong'), ...buttons);
}

function waitingList(room, path) {
  if (room.lobby.length === 0) return [];
  const rows = room.lobby.map(({ name }) =>
    element(
      'li',
      { class: 'waits' },
      element('span', {}, name),
      element(
        'span',
        {},
        button('Admit', () => act('POST', `${path}/admit`, { name }), 'main'),
        ' ',
        button('Refuse', () => act('POST', `${path}/refuse`, { name })),
      ),
    ),
  );
  return [element('h3', {}, 'Waiting in the lobby'), element('ul', {}, ...rows)];
}

function presentList(room, path) {
  if (room.state !== 'running') return [];
  const participants = room.participants.map(({ name, inCall, index }) =>
    element(
      'li',
      {},
      element('span', { class: inCall ? '' : 'gone' }, `${name} (simulated)`),
      inCall ? button('Leave', () => act('POST', `${path}/participants/${index}/leave`, {})) : null,
    ),
  );
  const guests = room.attendees.map(({ name }) =>
    element(
      'li',
      {},
      element('span', {}, name),
      button('Remove', () => act('POST', `${path}/remove`, { name })),
    ),
  );
  return [element('h3', {}, 'In the call'), element('ul', {}, ...participants, ...guests)];
}

let shown = '';

async function refresh() {
  try {
    const { rooms } = await call('GET', '/rooms');
    const state = JSON.stringify(rooms.map(({ schedule, ...rest }) => rest));
    // Buttons must not be replaced under the pointer, so the list is only drawn again when something changed.
    if (state === shown) return;
    shown = state;
    const cards = rooms.toReversed().map(roomCard);
    const open = new Set([...roomList.querySelectorAll('details[open]')].map(({ id }) => id));
    for (const card of cards) for (const part of card.querySelectorAll('details')) part.open = open.has(part.id);
    roomList.replaceChildren(...(cards.length > 0 ? cards : [element('p', { class: 'quiet' }, 'No meetings yet.')]));
  } catch {
    message.textContent = 'The simulator does not answer. Is it still running?';
  }
}

document.getElementById('start').addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = new FormData(event.target);
  const submit = event.target.querySelector('button');
  submit.disabled = true;
  submit.textContent = 'Preparing voices and pictures…';
  const minutes = Number(form.get('minutes'));
  const scenario = form.get('scenario');
  await act('POST', '/rooms', {
    platform: form.get('platform'),
    ...(scenario === '' ? {} : { scenario }),
    // A scenario may bring its own participants and its own host.
    ...(scenario === '' ? { speakers: Number(form.get('speakers')), lobby: form.get('lobby') } : {}),
    ...(form.get('overlap') === 'on' ? { overlap: true } : {}),
    ...(minutes > 0 ? { durationSeconds: minutes * 60 } : {}),
  });
  submit.disabled = false;
  submit.textContent = 'Start a meeting';
});

call('GET', '/scenarios').then(({ scenarios }) => {
  const list = document.querySelector('select[name="scenario"]');
  for (const { name, what } of scenarios) list.append(element('option', { value: name, title: what }, name));
});
setInterval(refresh, REFRESH_MS);
refresh();

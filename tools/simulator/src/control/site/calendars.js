// The calendar page: shows every simulated calendar and adds, moves and cancels events by hand.
import { call, element } from './page.js';

const list = document.getElementById('calendars');
const message = document.getElementById('message');
/** What POST /v2/calendars takes, by calendar; shown once a calendar was added here. */
const connections = new Map();

async function act(work) {
  try {
    message.textContent = '';
    await work();
  } catch (error) {
    message.textContent = error.message;
  }
  await refresh();
}

const button = (text, click, kind = '') => element('button', { type: 'button', class: kind, click }, text);
const inMinutes = (minutes) => new Date(Date.now() + minutes * 60_000).toISOString().slice(0, 19);
const pathOf = (calendar, event) =>
  `/calendars/${encodeURIComponent(calendar.id)}/events${event === undefined ? '' : `/${encodeURIComponent(event.id)}`}`;

function eventRow(calendar, event) {
  const later = new Date(Date.parse(event.start) + 10 * 60_000).toISOString().slice(0, 19);
  return element(
    'li',
    {},
    `${new Date(event.start).toLocaleString()} ${event.title} `,
    element('span', { class: 'quiet' }, `${event.kind} ${event.meetingUrl ?? 'no meeting link'} `),
    button('10 minutes later', () =>
      act(() => call('PATCH', pathOf(calendar, event), { start: later, timeZone: 'UTC' })),
    ),
    ' ',
    button('Cancel', () => act(() => call('DELETE', pathOf(calendar, event))), 'danger'),
  );
}

function addForm(calendar) {
  return element(
    'form',
    {
      submit: (event) => {
        event.preventDefault();
        const form = new FormData(event.target);
        const recurrence = form.get('repeats') === '' ? null : { frequency: form.get('repeats'), count: 5 };
        const draft = {
          title: form.get('title'),
          start: inMinutes(Number(form.get('minutes'))),
          meetingUrl: form.get('url') || null,
          recurrence,
        };
        void act(() => call('POST', pathOf(calendar), draft));
      },
    },
    element('label', {}, 'Title ', element('input', { name: 'title', value: 'Planning' })),
    element('label', {}, 'In minutes ', element('input', { name: 'minutes', type: 'number', value: '10' })),
    element('label', {}, 'Meeting link ', element('input', { name: 'url', placeholder: 'https://…' })),
    element(
      'label',
      {},
      'Repeats ',
      element(
        'select',
        { name: 'repeats' },
        element('option', { value: '' }, 'never'),
        element('option', { value: 'daily' }, 'daily, 5 times'),
        element('option', { value: 'weekly' }, 'weekly, 5 times'),
      ),
    ),
    element('button', { type: 'submit' }, 'Add an event'),
  );
}

async function calendarCard(calendar) {
  const { events } = await call('GET', pathOf(calendar));
  const connection = connections.get(calendar.id);
  return element(
    'article',
    { 'aria-label': calendar.id },
    element('header', {}, element('h2', {}, `${calendar.email} (${calendar.platform})`)),
    connection === undefined ? null : element('p', {}, 'To connect it, POST /v2/calendars with:'),
    connection === undefined ? null : element('pre', {}, JSON.stringify(connection, null, 2)),
    element('ul', {}, ...events.map((event) => eventRow(calendar, event))),
    addForm(calendar),
  );
}

async function refresh() {
  const { calendars } = await call('GET', '/calendars');
  list.replaceChildren(...(await Promise.all(calendars.map(calendarCard))));
}

document.getElementById('add-calendar').addEventListener('submit', (event) => {
  event.preventDefault();
  const form = new FormData(event.target);
  void act(async () => {
    const made = await call('POST', '/calendars', { platform: form.get('platform'), email: form.get('email') });
    connections.set(made.id, made.connection);
  });
});
await refresh();

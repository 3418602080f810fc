import { element, late, showScreen, signedInAccount } from '/page/elements.js';

const WARNING = 'Are you sure you don’t want audio or video?';
const CONTINUE = 'Continue without audio or video';
const LOBBY_TEXTS = ['Someone will let you in shortly', 'We’ve let people in the meeting know you’re waiting'];

/** The page before Join now. Clicks made by script count too. */
export function showPreJoin(page, requestJoin) {
  const { choices, teams } = page;
  const form = element('div', { class: 'prejoin' });
  showScreen(element('div', { class: 'card' }, element('h1', {}, 'Microsoft Teams meeting'), form));
  const { name, join } = nameAndJoin(choices);
  join.addEventListener('click', () => {
    join.disabled = true;
    if (teams.deviceWarning === 'loop') return late(() => showWarning(() => late(() => (join.disabled = false))));
    if (teams.deviceWarning === 'stacked') return late(() => showStackedWarnings(() => late(requestJoin)));
    if (requests('after')) return late(() => showWarning(() => late(requestJoin)));
    late(requestJoin);
  });
  const requests = (when) => teams.deviceWarning === when || teams.deviceWarning === 'both';
  const cancel = element('button', { 'data-tid': 'prejoin-cancel-button' }, 'Cancel');
  late(() => form.append(...toggles(page), ...(page.light ? [] : deviceRadios(page))));
  late(() => {
    // A signed-in participant joins under the name of the account.
    const account = signedInAccount();
    form.prepend(account === null ? name : element('p', {}, account));
    if (account !== null) {
      choices.name = account.split('@')[0];
      join.disabled = false;
    }
    late(() => form.append(join, cancel));
    if (requests('before')) late(() => showWarning(() => undefined));
  });
  late(() => showToast());
}

function nameAndJoin(choices) {
  const attributes = { id: 'prejoin-join-button', 'data-tid': 'prejoin-join-button', 'aria-label': 'Join now' };
  const join = element('button', { ...attributes, disabled: true }, 'Join now');
  const name = element('input', {
    type: 'text',
    'data-tid': 'prejoin-display-name-input',
    placeholder: 'Type your name',
    maxlength: '100',
    autocomplete: 'off',
    input: () => {
      choices.name = name.value.trim();
      join.disabled = choices.name === '';
    },
  });
  return { name, join };
}

/** The full client offers each device, or none, as radio buttons too. */
function deviceRadios({ choices, devices }) {
  const group = (what, { label, on, off }) => {
    const radio = (text, wanted) => {
      const choose = () => {
        if (!wanted && choices[what]) document.querySelector(`[data-tid="${toggleIds[what]}"]`)?.click();
        else devices.set(what, choices[what]);
      };
      const input = element('input', { type: 'radio', name: label, 'aria-label': text, change: choose });
      input.checked = wanted;
      return element('label', {}, input, text);
    };
    return element('div', { role: 'radiogroup', 'aria-label': label }, radio(on, true), radio(off, false));
  };
  return [
    group('microphone', { label: 'Audio options', on: 'Computer audio', off: 'Don’t use audio' }),
    group('camera', { label: 'Video options', on: 'Computer video', off: 'Don’t use video' }),
  ];
}

const toggleIds = { microphone: 'toggle-mute', camera: 'toggle-video' };

export function toggles(page) {
  return ['camera', 'microphone'].map((what) => toggle(toggleIds[what], what, page));
}

/** The full client has buttons that are pressed or not, the light client has switches. */
function toggle(tid, what, { choices, devices, light }) {
  const word = what === 'microphone' ? 'mic' : 'camera';
  const click = () => {
    choices[what] = !choices[what];
    devices.set(what, choices[what]);
    paint();
  };
  const control = light
    ? element('input', { type: 'checkbox', role: 'switch', 'data-tid': tid, click })
    : element('button', { 'data-tid': tid, click });
  const paint = () => {
    const on = choices[what];
    if (light) control.checked = on;
    else control.setAttribute('aria-pressed', String(on));
    control.setAttribute('aria-label', `Turn ${word} ${on ? 'off' : 'on'}`);
    if (!light) control.textContent = on ? `${word} on` : `${word} off`;
  };
  paint();
  return control;
}

/** A harmless hint that some bots take for the end: it is an alert and has an OK. */
function showToast() {
  const text = 'Your microphone isn’t working';
  const toast = element('div', { role: 'alert', class: 'toast', 'data-tid': 'toast-error' }, text);
  toast.append(element('button', { click: () => toast.remove() }, 'OK'));
  document.getElementById('screen').append(toast);
}

/** As a page does that asks again before its first question has an answer. */
function showStackedWarnings(done) {
  showWarning(done);
  showWarning(() => undefined);
}

function showWarning(done) {
  const scrim = element('div', { class: 'scrim' });
  const press = () => {
    scrim.remove();
    done();
  };
  const box = element('div', { role: 'dialog', 'aria-modal': 'true', class: 'card' }, element('h2', {}, WARNING));
  box.append(element('button', { click: press }, CONTINUE));
  scrim.append(box);
  document.getElementById('screen').append(scrim);
}

export function showLobby(page) {
  const [first, second] = LOBBY_TEXTS;
  const leaveText = page.teams.lobbyButton === 'cancel' ? 'Cancel' : 'Leave';
  const join = element('button', { 'data-tid': 'prejoin-join-button', disabled: true }, 'Join now');
  const leave = element('button', { 'data-tid': 'prejoin-cancel-button', click: page.leave }, leaveText);
  const texts = [element('h1', {}, first), element('p', {}, second)];
  showScreen(element('div', { class: 'card', 'data-tid': 'lobby-screen' }, ...texts, join, leave));
}

export function showVerify() {
  const heading = element('h2', {}, 'We need to verify your info before you can join');
  const text = element('p', {}, 'To join, sign in or use Teams on the web');
  const attributes = { role: 'dialog', 'aria-modal': 'true', class: 'card' };
  showScreen(element('div', attributes, heading, text, element('button', {}, 'Sign in')));
}

export function showHumanCheck(apostrophe) {
  const heading = element('h1', {}, `Verify you${apostrophe === 'straight' ? "'" : '’'}re a real person`);
  showScreen(
    element('div', { class: 'card' }, heading, element('input', { type: 'text', 'aria-label': 'Characters' })),
  );
}

import { signedInAccount } from '/page/elements.js';
import { element, late, showDialog, showScreen, textButton, toggleButton } from './elements.js';
import { say } from './texts.js';

const LONGEST_NAME = 60;
/** A pointer that came from somewhere moved at least so often, not longer ago than this. */
const FEWEST_MOVES = 2;
const MOVES_COUNT_FOR_MS = 10_000;

/** The page before asking to join. What a click must be like to get through is the room's choice. */
export function showPreJoin(welcome, choices, { requestJoin, block, ignored, useDevices }) {
  const moves = [];
  document.addEventListener('pointermove', (event) => event.isTrusted && moves.push(performance.now()));
  const refusal = (event) => {
    if (welcome.clickCheck === 'off') return null;
    if (!event.isTrusted) return 'the click was made by script';
    const recent = moves.filter((atMs) => performance.now() - atMs < MOVES_COUNT_FOR_MS);
    return welcome.clickCheck === 'pointer' && recent.length < FEWEST_MOVES
      ? 'no pointer moved towards the button'
      : null;
  };
  const join = textButton(say(`join-${welcome.joinLabel}`), attempt, { jsname: 'Qx7uuf', disabled: true });
  const name = nameField(welcome.nameField);
  name.addEventListener('input', () => {
    choices.name = name.value.trim().slice(0, LONGEST_NAME);
    join.disabled = choices.name === '';
  });
  name.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && !join.disabled) attempt(event);
  });
  function attempt(event) {
    const why = refusal(event);
    if (why !== null) {
      ignored(join.textContent, why);
      return block();
    }
    join.disabled = true;
    name.disabled = true;
    join.replaceChildren(element('span', {}, say('moment')));
    late(requestJoin);
  }
  const toggles = element('div', { class: 'row' });
  const form = element('div', {});
  showScreen(element('div', { class: 'card' }, element('h1', {}, say('ready')), toggles, form));
  late(() => toggles.append(toggleButton('microphone', 'mic', choices.microphone)));
  late(() => toggles.append(toggleButton('camera', 'videocam', choices.camera)));
  const account = signedInAccount();
  late(() => {
    // Whoever is signed in joins under the name of the account.
    if (account === null) form.append(element('p', {}, say('requestName')), name);
    else {
      form.append(element('p', {}, account));
      choices.name = account.split('@')[0];
      join.disabled = false;
    }
    late(() => form.append(element('div', { class: 'row' }, join)));
  });
  showSheets(welcome, choices, useDevices);
}

function nameField(shape) {
  const label = say('yourName');
  const labels = {
    labelled: { 'aria-label': label, placeholder: label, jsname: 'YPqjbf' },
    placeholder: { placeholder: label, jsname: 'YPqjbf' },
    bare: { jsname: 'dGEnXe' },
  };
  return element('input', {
    type: 'text',
    maxlength: String(LONGEST_NAME),
    autocomplete: 'off',
    ...labels[shape],
  });
}

function showSheets(welcome, choices, useDevices) {
  if (welcome.gotIt) late(() => showDialog(say('safe'), [{ label: say('gotIt') }]));
  if (welcome.permissionSheet) late(() => showPermissionSheet(choices, useDevices));
  if (welcome.accountSheet) {
    const buttons = [{ label: say('signIn'), click: signIn }, { label: say('withoutAccount') }];
    late(() => showDialog(`${say('account')}. ${say('accountHelp')}`, buttons));
  }
}

function signIn() {
  location.assign('https://accounts.google.com/v3/signin/identifier');
}

function showPermissionSheet(choices, useDevices) {
  const without = () => {
    choices.microphone.set(false);
    choices.camera.set(false);
  };
  showDialog(say('permission'), [
    { label: say('useDevices'), click: useDevices },
    { label: say('withoutDevices'), click: without },
  ]);
}

/** A challenge that only a human solves; nothing here takes it away. */
export function showCaptcha() {
  const frame = element('iframe', {
    title: 'reCAPTCHA challenge',
    src: '/recaptcha/enterprise/bframe',
    style: 'position: fixed; left: 30vw; top: 15vh; width: 400px; height: 480px; z-index: 30; background: #fff',
  });
  late(() => document.getElementById('screen').append(frame));
}

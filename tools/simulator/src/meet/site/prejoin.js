import { element, late, showDialog, showScreen, textButton, toggleButton } from './elements.js';

const LONGEST_NAME = 60;
const SHEET_TEXT = 'Do you want people to see and hear you in the meeting?';

/** The page before asking to join. Only clicks and keys of a real input device get through. */
export function showPreJoin(welcome, choices, { knock, block }) {
  const join = textButton('Ask to join', attempt, { jsname: 'Qx7uuf', disabled: true });
  const name = element('input', {
    type: 'text',
    'aria-label': 'Your name',
    placeholder: 'Your name',
    jsname: 'YPqjbf',
    maxlength: String(LONGEST_NAME),
    autocomplete: 'off',
    input: () => {
      choices.name = name.value.trim().slice(0, LONGEST_NAME);
      join.disabled = choices.name === '';
    },
    keydown: (event) => {
      if (event.key === 'Enter' && !join.disabled) attempt(event);
    },
  });
  function attempt(event) {
    if (!event.isTrusted) return block();
    join.disabled = true;
    name.disabled = true;
    join.replaceChildren(element('span', {}, 'One moment'));
    late(knock);
  }
  const toggles = element('div', { class: 'row' });
  const form = element('div', {});
  showScreen(element('div', { class: 'card' }, element('h1', {}, 'Ready to join?'), toggles, form));
  late(() => toggles.append(toggleButton('microphone', 'mic', choices.microphone)));
  late(() => toggles.append(toggleButton('camera', 'videocam', choices.camera)));
  late(() => {
    form.append(element('p', {}, 'What’s your name?'), name);
    late(() => form.append(element('div', { class: 'row' }, join)));
  });
  if (welcome.gotIt) late(() => showDialog('Your meeting is safe', [{ label: 'Got it' }]));
  if (welcome.permissionSheet) late(() => showPermissionSheet(choices));
}

function showPermissionSheet(choices) {
  const without = () => {
    for (const label of ['Turn off microphone', 'Turn off camera']) {
      document.querySelector(`[aria-label="${label}"]`)?.click();
    }
    choices.microphone.on = false;
    choices.camera.on = false;
  };
  showDialog(SHEET_TEXT, [
    { label: 'Use microphone and camera' },
    { label: 'Continue without microphone and camera', click: without },
  ]);
}

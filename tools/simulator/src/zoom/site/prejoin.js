import { element, late, showScreen } from '/page/elements.js';
import { showCookieBanner, showTerms } from './hints.js';

const SEE = 'Do you want people to see you in the meeting?';
const HEAR = 'Do you want people to hear you in the meeting?';
const WITHOUT = 'Continue without microphone and camera';

/** The page before joining. Which input wakes the join button, and which clicks it takes, are the room's choice. */
export function showPreJoin(page, join) {
  const { choices, zoom } = page;
  const classic = zoom.client === 'classic';
  const name = element('input', {
    type: 'text',
    id: classic ? 'inputname' : 'input-for-name',
    placeholder: 'Your Name',
    maxlength: '64',
    autocomplete: 'off',
    keydown: (event) => {
      if (zoom.nameInput === 'keys') touch(event);
      late(wake);
    },
    input: (event) => {
      choices.name = name.value.trim();
      if (zoom.nameInput === 'input') touch(event);
      wake();
    },
  });
  const button = element(
    'button',
    {
      type: 'button',
      id: classic ? 'joinBtn' : null,
      class: `${classic ? 'btn' : 'preview-join-button zm-btn'} disabled`,
      click: press,
    },
    'Join',
  );
  let touched = false;
  function touch(event) {
    if (event.isTrusted) touched = true;
    else page.ignored('name', 'the text was set by script, without trusted input');
  }
  const passcode = page.needsPasscode
    ? element('input', { type: 'password', id: 'input-for-pwd', placeholder: 'Meeting Passcode' })
    : null;
  const wrong = element('p', { class: 'error' });
  function wake() {
    button.classList.toggle('disabled', !touched || choices.name === '');
  }
  async function press(event) {
    if (zoom.joinClick === 'trusted' && !event.isTrusted) return page.ignored('Join', 'the click was made by script');
    if (button.classList.contains('disabled'))
      return page.ignored('Join', touched ? 'there is no name yet' : 'the name was not typed');
    if (passcode !== null && !(await page.tryPasscode(passcode.value))) {
      wrong.textContent = 'Passcode wrong';
      return;
    }
    button.classList.add('disabled');
    late(() => (zoom.mediaPromptAt === 'join' ? requestMedia(page, () => late(join)) : late(join)));
  }
  const form = element('div', { class: 'preview-meeting-info' });
  showScreen(element('div', { class: 'preview card' }, element('h1', {}, 'Enter Meeting Info'), form));
  late(() => {
    form.append(name, ...(passcode ? [passcode, wrong] : []));
    const covered = () => page.ignored('Join', 'the click landed on what lies over the button');
    const cover = element('div', { class: 'cover', click: covered });
    late(() => form.append(zoom.coveredJoin ? element('div', { class: 'covered' }, button, cover) : button));
  });
  const audio = () => deviceButton('microphone', ['Mute', 'Unmute'], page, 'preview-audio-control-button');
  const video = () => deviceButton('camera', ['Stop Video', 'Start Video'], page, 'preview-video-control-button');
  late(() => form.append(audio(), video()));
  // The classic client always has this frame; it is not to be seen, and asks nothing.
  if (zoom.captcha)
    return form.append(element('iframe', { src: '/recaptcha/anchor', title: 'reCAPTCHA', width: '304', height: '78' }));
  if (classic) form.append(element('iframe', { src: '/recaptcha/anchor', title: 'reCAPTCHA', class: 'unseen' }));
  if (zoom.cookieBanner) late(showCookieBanner);
  if (zoom.terms) late(showTerms);
  if (zoom.mediaPromptAt === 'load') requestMedia(page, () => undefined);
}

/** `words`: what it does while the device is on, and while it is off. */
export function deviceButton(what, words, { choices, devices }, id = null) {
  const button = element('button', {
    type: 'button',
    id,
    click: () => {
      choices[what] = !choices[what];
      devices.set(what, choices[what]);
      paint();
    },
  });
  const paint = () => {
    const word = words[choices[what] ? 0 : 1];
    button.setAttribute('aria-label', word);
    button.textContent = word;
  };
  paint();
  return button;
}

/** Camera, then microphone; the same overlay is used again for the second question. */
function requestMedia({ zoom, choices, devices }, done) {
  if (zoom.mediaPrompt === 'none') {
    void devices.open();
    return done();
  }
  const overlay = element('div', { class: 'ReactModal__Overlay ReactModal__Overlay--after-open scrim' });
  const sendRequest = (text, next) => {
    const finish = (allowed) => {
      choices.allowed = allowed;
      if (allowed && next) return late(next);
      overlay.remove();
      if (allowed) void devices.open();
      done();
    };
    const allow =
      zoom.mediaPrompt === 'element'
        ? element(
            'usermedia',
            {
              class: 'pepc-permission-dialog__permission-button',
              type: 'microphone camera',
              tabindex: '0',
              click: () => finish(true),
            },
            'Use microphone and camera',
          )
        : element('button', { type: 'button', click: () => finish(true) }, 'Allow');
    const without = element('button', { type: 'button', click: () => finish(false) }, WITHOUT);
    const kind = zoom.mediaPrompt === 'element' ? 'pepc-permission-dialog' : 'ReactModal__Content';
    overlay.replaceChildren(
      element(
        'div',
        { class: `${kind} card`, role: 'dialog', 'aria-modal': 'true' },
        element('p', {}, text),
        allow,
        without,
      ),
    );
  };
  sendRequest(SEE, zoom.mediaPrompt === 'modal' ? () => sendRequest(HEAR, null) : null);
  document.getElementById('screen').append(overlay);
}

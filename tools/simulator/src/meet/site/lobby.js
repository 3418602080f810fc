import { element, iconButton, late, showScreen, textButton, toggleButton } from './elements.js';
import { say } from './texts.js';

/** Waiting for the host: the old card, or the new room that looks like a call already. */
export function showLobby({ welcome, choices, self, leave, devicesOpened }) {
  const text = element('div', { role: 'status' }, say(`lobby-${welcome.lobbyText}`));
  const home = textButton(say('home'), leave);
  if (welcome.lobbyShape === 'classic') {
    showScreen(element('div', { class: 'card' }, element('h1', {}, text), home));
    return;
  }
  const effects = iconButton(say('effects'), 'visual_effects', () => undefined);
  const tile = element(
    'div',
    { class: 'tile', 'data-participant-id': self.deviceId, style: 'width: 480px; margin: 4vh auto' },
    effects,
    element('div', { class: 'label' }, choices.name),
  );
  const controls = element('div', { role: 'region', 'aria-label': say('controls') });
  const middle = element('div', { style: 'text-align: center; padding-top: 8vh' }, text, tile, home);
  showScreen(element('div', { class: 'call' }, middle, element('div', { class: 'bottom' }, controls)));
  late(() => {
    controls.append(
      toggleButton('microphone', 'mic', choices.microphone),
      toggleButton('camera', 'videocam', choices.camera),
      iconButton(say('reaction'), 'mood', () => undefined),
      iconButton(say('leave'), 'call_end', leave, { jsname: 'CQylAd' }),
    );
  });
  setTimeout(async () => {
    // Whoever waits too long is muted; in the call nobody is any more. A camera that still opens is muted after that.
    await devicesOpened();
    if (!text.isConnected) return;
    choices.microphone.set(false);
    choices.camera.set(false);
  }, welcome.lobbyMutesAfterSeconds * 1000);
}

import { element, iconButton, late, showScreen, textButton, toggleButton } from './elements.js';

const LOBBY_TEXT = 'Please wait until a meeting host brings you into the call';

/** Waiting for the host: the old card, or the new room that looks like a call already. */
export function showLobby({ welcome, choices, self, leave }) {
  const text = element('div', { role: 'status' }, LOBBY_TEXT);
  const home = textButton('Return to home screen', leave);
  if (welcome.lobbyShape === 'classic') {
    showScreen(element('div', { class: 'card' }, element('h1', {}, text), home));
    return;
  }
  const effects = iconButton('Backgrounds and effects', 'visual_effects', () => undefined);
  const tile = element(
    'div',
    { class: 'tile', 'data-participant-id': self.deviceId, style: 'width: 480px; margin: 4vh auto' },
    effects,
    element('div', { class: 'label' }, choices.name),
  );
  const controls = element('div', { role: 'region', 'aria-label': 'Call controls' });
  const middle = element('div', { style: 'text-align: center; padding-top: 8vh' }, text, tile, home);
  showScreen(element('div', { class: 'call' }, middle, element('div', { class: 'bottom' }, controls)));
  late(() => {
    controls.append(
      toggleButton('microphone', 'mic', choices.microphone),
      toggleButton('camera', 'videocam', choices.camera),
      iconButton('Send a reaction', 'mood', () => undefined),
      iconButton('Leave call', 'call_end', leave, { jsname: 'CQylAd' }),
    );
  });
}

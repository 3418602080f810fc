// Meet's own buttons and dialogs.
import { element as plainElement, late, showScreen } from '/page/elements.js';
import { say } from './texts.js';

export { late, showScreen };

let withIds = true;

/** Whether elements carry the site's own stable names, its `jsname`s. */
export function useIds(wanted) {
  withIds = wanted;
}

export function element(tag, { jsname, ...attributes } = {}, ...children) {
  return plainElement(tag, withIds && jsname !== undefined ? { jsname, ...attributes } : attributes, ...children);
}

/** A button whose visible text is in a span and in its label, as on the real page. */
export function textButton(text, click, attributes = {}) {
  return element('button', { type: 'button', 'aria-label': text, click, ...attributes }, element('span', {}, text));
}

/** A button that shows an icon's name and says what it does in its aria-label. */
export function iconButton(label, icon, click, attributes = {}) {
  const video = element('i', { class: 'google-material-icons', 'aria-hidden': 'true' }, icon);
  return element('button', { type: 'button', 'aria-label': label, click, ...attributes }, video);
}

/** Mic or camera button: each click turns it round. `what`: microphone or camera. */
export function toggleButton(what, icon, state) {
  const button = iconButton('', icon, () => state.set(!state.on));
  const paint = () => {
    button.setAttribute('aria-label', say(`${what}${state.on ? 'Off' : 'On'}`));
    button.setAttribute('data-is-muted', String(!state.on));
    button.firstChild.textContent = state.on ? icon : `${icon}_off`;
  };
  state.repaint = paint;
  paint();
  return button;
}

/** A dialog over the page; a press on any of its buttons takes it away. */
export function showDialog(text, buttons) {
  const box = element('div', { role: 'dialog', 'aria-modal': 'true' }, element('p', {}, text));
  const scrim = element('div', { class: 'scrim' }, box);
  for (const { label, attributes, click } of buttons) {
    const press = () => {
      scrim.remove();
      click?.();
    };
    box.append(textButton(label, press, attributes));
  }
  document.getElementById('screen').append(scrim);
}

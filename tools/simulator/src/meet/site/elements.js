// Small ways to build the page. Attribute values that are functions become event listeners.

/** Makes an element; children may be elements or text. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name, value);
    else if (value !== null && value !== false) made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** A button whose visible text is in a span, as on the real page. */
export function textButton(text, click, attributes = {}) {
  return element('button', { type: 'button', click, ...attributes }, element('span', {}, text));
}

/** A button that shows an icon's name and says what it does in its aria-label. */
export function iconButton(label, icon, click, attributes = {}) {
  const picture = element('i', { class: 'google-material-icons', 'aria-hidden': 'true' }, icon);
  return element('button', { type: 'button', 'aria-label': label, click, ...attributes }, picture);
}

/** Mic or camera button: each click turns it round. */
export function toggleButton(what, icon, state) {
  const button = iconButton('', icon, () => {
    state.on = !state.on;
    paint();
  });
  const paint = () => {
    button.setAttribute('aria-label', `Turn ${state.on ? 'off' : 'on'} ${what}`);
    button.setAttribute('data-is-muted', String(!state.on));
    button.firstChild.textContent = state.on ? icon : `${icon}_off`;
  };
  paint();
  return button;
}

const timers = new Set();

/** Runs the action 0 to 1 second from now, unless another screen has been shown before. */
export function late(action) {
  const timer = setTimeout(() => {
    timers.delete(timer);
    action();
  }, Math.random() * 1000);
  timers.add(timer);
}

/** Replaces the whole screen. */
export function showScreen(...children) {
  for (const timer of timers) clearTimeout(timer);
  timers.clear();
  document.getElementById('screen').replaceChildren(...children);
}

/** A dialog over the page; gives the way to take it away. */
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

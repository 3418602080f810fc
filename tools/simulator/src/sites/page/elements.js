// Small ways to build a page. Attribute values that are functions become event listeners.

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

const timers = new Set();
let lateness = 1;

/** How late everything is: 1 is usual, 0 is at once. */
export function setLateness(factor) {
  lateness = factor;
}

/** Runs the action 0 to 1 second (times the lateness) from now, unless another screen has been shown before. */
export function late(action) {
  const timer = setTimeout(
    () => {
      timers.delete(timer);
      action();
    },
    Math.random() * 1000 * lateness,
  );
  timers.add(timer);
}

/** Replaces the whole screen. */
export function showScreen(...children) {
  for (const timer of timers) clearTimeout(timer);
  timers.clear();
  document.getElementById('screen').replaceChildren(...children);
}

/** Guests' tiles say whether their camera and microphone are on; those of simulated participants are. */
export function markDevices(tile, { camera, microphone }) {
  if (camera === undefined) return;
  tile.setAttribute('data-camera', camera ? 'on' : 'off');
  tile.setAttribute('data-microphone', microphone ? 'on' : 'off');
}

/** The email of the account that this browser is signed in with; null without one. */
export function signedInAccount() {
  const [, account] = /(?:^|; )simulated-account=([^;]+)/.exec(document.cookie) ?? [];
  return account === undefined ? null : decodeURIComponent(account);
}

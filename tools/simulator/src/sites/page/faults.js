// What goes wrong in a page when its room says so: the same on every site.
import { element, setLateness } from './elements.js';
import { changePage } from './page-change.js';

const strike = {
  'network-loss': () => {
    const words = 'Reconnecting… You lost your network connection. Trying to reconnect.';
    document.getElementById('reconnecting')?.remove();
    document.body.append(element('div', { id: 'reconnecting', role: 'alert', class: 'fault-notice' }, words));
  },
  'page-frozen': ({ seconds }) => {
    // In the next turn, so that the message that said so is done with.
    setTimeout(() => {
      const end = performance.now() + seconds * 1000;
      while (performance.now() < end);
    }, 0);
  },
  reload: () => location.reload(),
  popup: ({ seconds }) => showPopup(seconds),
  dialog: showDialog,
  'set-aside': ({ seconds }) => setAside(seconds),
  slow: ({ factor }) => setLateness(factor),
};

/** True when the message was a fault and has been done; a welcome is looked at and left to the caller. */
export function applies(message) {
  if (message.kind === 'welcome' && message.lateness !== undefined) setLateness(message.lateness);
  if (message.kind === 'welcome') changePage(message.pageChange);
  if (message.kind === 'networkBack') document.getElementById('reconnecting')?.remove();
  if (message.kind === 'fault') strike[message.fault.kind]?.(message.fault);
  return message.kind === 'networkBack' || message.kind === 'fault';
}

/** Something that lies over the whole page and is no dialog by any attribute. */
function showPopup(seconds) {
  const close = () => {
    popup.remove();
    document.removeEventListener('keydown', onKey, true);
  };
  const onKey = (event) => event.key === 'Escape' && close();
  const popup = element(
    'div',
    { class: 'fault-popup' },
    element('div', {}, 'Find out what is new this month'),
    element('button', { type: 'button', 'aria-label': 'Close tour', click: close }, '✕'),
  );
  const style = 'position: fixed; inset: 0; z-index: 9999; background: #0008; color: #fff; padding: 20vh 30vw';
  popup.setAttribute('style', style);
  document.addEventListener('keydown', onKey, true);
  document.body.append(popup);
  setTimeout(close, seconds * 1000);
}

function showDialog({ text, buttons, right, stays, shadow, seconds }) {
  const style = 'position: fixed; inset: auto 30vw 30vh; z-index: 9998; background: #fff; color: #000; padding: 2em';
  const host = element('div', {});
  let presses = 0;
  const press = (label) => {
    presses += 1;
    if (label !== right || presses > 3) return putOut();
    if (!stays) host.remove();
  };
  const labels = buttons.map((label) => element('button', { type: 'button', click: () => press(label) }, label));
  const dialog = element('div', { role: 'dialog', 'aria-modal': 'true', style }, element('p', {}, text), ...labels);
  if (shadow) {
    const copy = dialog.cloneNode(true);
    copy.style.opacity = '0';
    copy.style.zIndex = '-1';
    copy.addEventListener('click', putOut);
    host.append(copy);
    host.append(element('div', {}));
    host.lastChild.attachShadow({ mode: 'open' }).append(dialog);
  } else host.append(dialog);
  document.body.append(host);
  setTimeout(() => {
    if (!host.isConnected) return;
    host.remove();
    if (presses === 0) putOut();
  }, seconds * 1000);
}

function putOut() {
  document.body.replaceChildren(element('h1', {}, 'You left the meeting'));
}

function setAside(seconds) {
  const call = [...document.body.children].filter((part) => part instanceof HTMLElement);
  const displays = call.map((part) => part.style.display);
  for (const part of call) part.style.display = 'none';
  const text = element('h1', {}, 'The meeting host will let you in soon');
  const room = element('div', { class: 'waiting-room-container card' }, text);
  document.body.append(room);
  setTimeout(() => {
    room.remove();
    for (const [index, part] of call.entries()) part.style.display = displays[index];
  }, seconds * 1000);
}

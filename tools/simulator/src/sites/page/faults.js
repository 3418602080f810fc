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

// What stands between a guest and the call, or watches the guest, once in.
import { element, late, showDialog } from './elements.js';
import { say } from './texts.js';

const POLL_INTERVAL_MS = 500;
const TOOLBAR_HIDES_AFTER_MS = 3_000;

/** The notice and what stays of it; `hidden` is called when somebody took it out of sight. */
export function showRecordingNotice({ dropIfHidden, hidden }) {
  const words = say('recorded');
  late(() => showDialog(words, [{ label: say('agree'), attributes: { 'data-mdc-dialog-action': 'ok' } }]));
  const badge = element('div', { class: 'recording', role: 'status', title: words }, words);
  document.getElementById('screen').append(badge);
  if (!dropIfHidden) return () => undefined;
  const timer = setInterval(() => {
    const box = badge.getBoundingClientRect();
    const seen = badge.isConnected && badge.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
    if (!seen || box.width === 0) hidden();
  }, POLL_INTERVAL_MS);
  return () => clearInterval(timer);
}

/** Resolves when the guest agrees to notes being taken. */
export function requestConsent() {
  return new Promise((resolve) => {
    late(() => showDialog(say('consent'), [{ label: say('agree'), click: resolve }]));
  });
}

/** Takes the controls out of sight while no pointer moves. Returns the way to stop. */
export function hideWhenStill(toolbar) {
  let timer;
  const wake = () => {
    toolbar.style.visibility = 'visible';
    clearTimeout(timer);
    timer = setTimeout(() => (toolbar.style.visibility = 'hidden'), TOOLBAR_HIDES_AFTER_MS);
  };
  document.addEventListener('pointermove', wake);
  wake();
  return () => {
    clearTimeout(timer);
    document.removeEventListener('pointermove', wake);
  };
}

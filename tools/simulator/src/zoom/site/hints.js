// What a guest is asked to acknowledge on the way in and in the call.
import { element } from '/page/elements.js';

export function showCookieBanner() {
  const banner = element('div', { id: 'onetrust-banner-sdk', class: 'banner' });
  const away = () => banner.remove();
  banner.append(
    element('p', {}, 'We use cookies'),
    element('button', { id: 'onetrust-reject-all-handler', click: away }, 'Decline Cookies'),
    element('button', { id: 'onetrust-accept-btn-handler', click: away }, 'Accept Cookies'),
  );
  document.getElementById('screen').append(banner);
}

export function showTerms() {
  const scrim = element('div', { class: 'scrim' });
  const agree = element('button', { id: 'wc_agree1', click: () => scrim.remove() }, 'I Agree');
  scrim.append(
    element(
      'div',
      { class: 'card', role: 'dialog', 'aria-modal': 'true' },
      element('p', {}, 'Terms of Service'),
      agree,
    ),
  );
  document.getElementById('screen').append(scrim);
}

/** Hints of a call: each stands on the page until it is acknowledged. */
export function showTips() {
  const hint = (attributes, text, label) => {
    const box = element('div', attributes, element('p', {}, text));
    box.append(element('button', { type: 'button', click: () => box.remove() }, label));
    return box;
  };
  document
    .getElementById('screen')
    .append(
      hint({ class: 'relative-tooltip card' }, 'Reactions have moved here', 'Got it'),
      hint({ class: 'settings-feature-tips card' }, 'You can change your view in the settings', 'OK'),
      hint({ class: 'zm-modal card', role: 'dialog' }, 'This meeting is being recorded', 'Got it'),
      hint({ class: 'zm-modal card', role: 'dialog' }, 'Cannot detect your camera', 'OK'),
    );
}

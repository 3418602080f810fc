import { element } from '/page/elements.js';

const MOST_ROWS = 2;
const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });

/** The captions of a meeting: their language is everybody's, their strip the viewer's. What is said is in the page's store. */
export class Captions {
  constructor({ captions, send }, stage) {
    this.offered = captions.offered;
    this.renamed = captions.control === 'renamed';
    this.languages = captions.languages;
    this.language = this.languages[0];
    this.send = send;
    this.stage = stage;
    this.rows = new Map();
    this.on = false;
    this.started = false;
    this.strip = element('div', { class: 'live-transcription-subtitle__box' });
    this.store = createStore();
    // As React keeps its tree on the element that it renders into.
    const root = document.getElementById('screen');
    root.__reactContainer$simulator = { child: { memoizedProps: {}, child: { memoizedProps: { store: this.store } } } };
  }

  /** What the menu of further controls has of captions: an entry that leads to their own. */
  entries(menu) {
    if (this.offered === 'missing') return [];
    const item = (label, click) =>
      element('a', { class: 'dropdown-item', role: 'menuitem', tabindex: '0', 'aria-label': label, click }, label);
    const label = `${this.renamed ? '' : 'Your caption settings grouping '}${this.on ? 'Hide' : 'Show'} Captions`;
    const toggle = item(label, () => (this.on ? this.hide(menu) : this.show(menu)));
    return [item('Captions', () => menu.replaceChildren(toggle))];
  }

  show(menu) {
    menu.remove();
    if (this.started) return this.turnOn();
    const input = element('input', { class: 'transcription-language__input', type: 'text' });
    input.addEventListener('keydown', ({ key }) => {
      const named = this.languages.find((code) => languageNames.of(code.split('-')[0]) === input.value.trim());
      if (key === 'Enter' && named) this.language = named;
    });
    const save = element('button', { class: 'zm-btn zm-btn--primary', click: () => this.start(dialog) }, 'Save');
    const dialog = element(
      'div',
      { class: 'zm-modal', role: 'dialog', 'aria-modal': 'true' },
      element('p', {}, 'Caption language: it applies to everyone in this meeting.'),
      input,
      save,
    );
    document.getElementById('screen').append(dialog);
  }

  start(dialog) {
    dialog.remove();
    this.started = true;
    this.turnOn();
  }

  turnOn() {
    this.on = true;
    this.stage().append(this.strip);
    this.send({ kind: 'captions', on: true, language: this.language });
  }

  hide(menu) {
    menu.remove();
    this.on = false;
    this.strip.remove();
    this.send({ kind: 'captions', on: false, language: this.language });
  }

  /** The strip names nobody: initials only. */
  add(message) {
    this.store.set({ newLiveTranscription: { newLTMessage: message } });
    let words = this.rows.get(message.msgId);
    if (words === undefined) {
      words = element('span', { class: 'live-transcription-subtitle__item' });
      const initials = message.user.displayName.replaceAll(/[^A-Z]/g, '');
      this.strip.append(element('div', { id: 'live-transcription-subtitle' }, element('span', {}, initials), words));
      this.rows.set(message.msgId, words);
      if (this.strip.children.length > MOST_ROWS) this.strip.firstChild.remove();
    }
    words.textContent = message.text;
  }
}

function createStore() {
  let state = {};
  const listeners = new Set();
  return {
    getState: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set: (next) => {
      state = next;
      for (const listener of listeners) listener();
    },
  };
}

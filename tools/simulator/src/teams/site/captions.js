import { element } from '/page/elements.js';

const MOST_ROWS = 4;

/** The captions that this viewer sees; their language is the whole meeting's. */
export class Captions {
  constructor({ captions, send }, show) {
    this.offered = captions.offered;
    this.renamed = captions.control === 'renamed';
    this.languages = captions.languages.map((language) => language.toLowerCase());
    this.language = this.languages[0];
    this.send = send;
    this.show = show;
    this.rows = new Map();
    this.strip = null;
  }

  /** What the menu of further actions offers a guest. */
  items(close) {
    if (this.offered === 'missing') return [element('button', { role: 'menuitem' }, 'Settings')];
    const click = () => {
      close();
      this.set(this.strip === null);
    };
    const label = this.strip === null ? 'Show live captions' : 'Hide live captions';
    const id = this.renamed ? { 'aria-label': label } : { id: 'closed-captions-button' };
    const item = element('button', { ...id, role: 'menuitemcheckbox', click }, this.renamed ? label : 'Captions');
    item.setAttribute('aria-checked', String(this.strip !== null));
    return [item];
  }

  set(on) {
    if (on === (this.strip !== null)) return;
    this.strip?.remove();
    this.strip = null;
    if (on) {
      this.list = element('div', { 'data-tid': 'closed-caption-v2-virtual-list-content' });
      const off = { 'data-tid': 'closed-captions-turn-off-button', click: () => this.set(false) };
      const close = element('button', off, 'Turn off captions');
      this.strip = element('div', { 'data-tid': 'closed-caption-renderer-wrapper' }, this.list, close);
      this.show(this.strip);
    }
    this.send({ kind: 'captions', on, language: this.language });
  }

  /** A language that is not known is taken as English, as the service does. */
  choose(language) {
    this.language = this.languages.includes(language) ? language : 'en-us';
    if (this.strip !== null) this.send({ kind: 'captions', on: true, language: this.language });
  }

  add({ captionId, name, text }) {
    if (this.strip === null) return;
    let words = this.rows.get(captionId);
    if (words === undefined) {
      words = element('span', { 'data-tid': 'closed-caption-text' });
      this.list.append(element('div', {}, element('span', { 'data-tid': 'author' }, name), words));
      this.rows.set(captionId, words);
      if (this.list.children.length > MOST_ROWS) this.list.firstChild.remove();
    }
    words.textContent = text;
  }
}

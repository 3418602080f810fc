import { element, iconButton } from './elements.js';
import { say } from './texts.js';

const MOST_ROWS = 4;

/** The captions of this viewer: their controls, their language, and the region whose rows are rewritten in place. */
export class Captions {
  constructor({ offered, control, languages, nameOf, changed, stage }) {
    this.offered = offered;
    this.renamed = control === 'renamed';
    this.languages = languages;
    this.nameOf = nameOf;
    this.changed = changed;
    this.stage = stage;
    this.language = languages[0];
    this.region = element('div', {
      role: 'region',
      'aria-label': say('captions'),
      class: 'captions',
      jsname: 'dsyhDe',
    });
    this.rows = new Map();
    this.shown = false;
    this.pressed = (event) => this.key(event);
    document.addEventListener('keydown', this.pressed);
  }

  /** What stands in the toolbar. */
  controls() {
    if (this.offered === 'missing') return [];
    this.button = iconButton('', '', () => !this.renamed && this.toggle());
    this.paint();
    return [this.button];
  }

  paint() {
    const label = this.renamed ? 'captionsRenamed' : this.shown ? 'captionsOff' : 'captionsOn';
    this.button.setAttribute('aria-label', say(label));
    this.button.firstChild.textContent = this.shown ? 'closed_caption' : 'closed_caption_off';
  }

  key({ key, target }) {
    const writes = ['INPUT', 'TEXTAREA'].includes(target.tagName);
    if (key.toLowerCase() === 'c' && !writes && this.button) this.toggle();
  }

  toggle() {
    this.shown = !this.shown;
    if (this.shown) this.stage().append(this.region);
    else this.region.remove();
    this.paint();
    this.changed(this.shown, this.language);
  }

  /** Another media session knows nothing of what was chosen. */
  repeat() {
    if (this.shown) this.changed(true, this.language);
  }

  openSettings() {
    const scrim = element('div', { class: 'scrim' });
    const choose = (language) => {
      this.language = language;
      if (this.shown) this.changed(true, language);
    };
    const list = element(
      'ul',
      { 'aria-label': say('meetingLanguage'), hidden: true },
      ...this.languages.map((language) =>
        element('li', { role: 'option', 'data-value': language, click: () => choose(language) }, language),
      ),
    );
    const body = element('div', {});
    const tab = element('button', { jsname: 'z4Tpl', role: 'tab', click: () => body.replaceChildren(list) });
    tab.append(say('captions'));
    const close = element('button', { 'aria-label': say('closeDialog'), click: () => scrim.remove() }, '×');
    scrim.append(element('div', { role: 'dialog', 'aria-modal': 'true' }, tab, body, close));
    document.getElementById('screen').append(scrim);
  }

  add({ captionId, deviceId, text }) {
    const id = `${deviceId}/${captionId}`;
    let words = this.rows.get(id);
    if (words === undefined) {
      words = element('div', { jsname: 'tgaKEf' });
      const row = element('div', { class: 'CNusmb' }, element('span', {}, this.nameOf(deviceId)), words);
      this.region.append(row);
      this.rows.set(id, words);
      if (this.region.children.length > MOST_ROWS) this.region.firstChild.remove();
    }
    words.textContent = text;
  }

  stop() {
    document.removeEventListener('keydown', this.pressed);
  }
}

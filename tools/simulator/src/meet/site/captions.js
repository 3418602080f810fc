import { element } from './elements.js';
import { say } from './texts.js';

const MOST_ROWS = 4;

/** The region of live captions: the text of a row is rewritten in place with every word. */
export class Captions {
  constructor(nameOf) {
    this.nameOf = nameOf;
    this.region = element('div', {
      role: 'region',
      'aria-label': say('captions'),
      class: 'captions',
      jsname: 'dsyhDe',
    });
    this.rows = new Map();
    this.shown = false;
  }

  toggle(stage) {
    this.shown = !this.shown;
    if (this.shown) stage.append(this.region);
    else this.region.remove();
    return this.shown;
  }

  add({ captionId, deviceId, text }) {
    let words = this.rows.get(captionId);
    if (words === undefined) {
      words = element('div', { jsname: 'tgaKEf' });
      const row = element('div', { class: 'CNusmb' }, element('span', {}, this.nameOf(deviceId)), words);
      this.region.append(row);
      this.rows.set(captionId, words);
      if (this.region.children.length > MOST_ROWS) this.region.firstChild.remove();
    }
    words.textContent = text;
  }
}

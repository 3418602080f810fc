import { element, iconButton } from './elements.js';
import { say } from './texts.js';

const LARGEST_HISTORY = 500;

/** In-call messages: those of this session only. */
export class ChatPanel {
  constructor(self, send, arrived) {
    this.self = self;
    this.send = send;
    this.arrived = arrived;
    this.messages = [];
    this.list = null;
    this.takesNoText = false;
  }

  open(side) {
    this.list = element('div', { role: 'list', 'aria-label': say('messages'), 'aria-live': 'polite' });
    side.append(element('h2', {}, say('messages')), this.list, this.composer());
    for (const message of this.messages) this.addRow(message);
  }

  closed() {
    this.list = null;
  }

  add(message) {
    this.messages.push(message);
    if (this.messages.length > LARGEST_HISTORY) this.messages.shift();
    if (this.list) this.addRow(message);
    if (message.deviceId !== this.self.deviceId) this.arrived();
  }

  composer() {
    const submit = () => {
      const text = box.value.trim();
      if (text === '') return;
      this.send(text);
      box.value = '';
      button.disabled = true;
    };
    const button = iconButton(say('send'), 'send', submit, { jsname: 'SoqoBf', disabled: true });
    const box = element('textarea', {
      'aria-label': say('send'),
      placeholder: say('send'),
      maxlength: '500',
      readonly: this.takesNoText,
      rows: '2',
      input: () => {
        button.disabled = box.value.trim() === '';
      },
      keydown: (event) => {
        if (event.key !== 'Enter' || event.shiftKey) return;
        event.preventDefault();
        submit();
      },
    });
    return element('div', { class: 'compose' }, box, button);
  }

  addRow(message) {
    const own = message.deviceId === this.self.deviceId;
    const time = new Date(message.sentAtMs).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' });
    const header = element(
      'div',
      { class: 'HNucUd' },
      own ? null : element('span', { class: 'poVWob' }, message.senderName),
      element('span', {}, time),
    );
    const text = element('div', { jsname: 'dTKtvb' }, element('div', {}, message.text));
    const body = element('div', { class: own ? 'jO4O1 chmVPb' : 'jO4O1' }, text);
    const row = element('div', { class: 'RLrADb', 'data-message-id': message.messageId }, body);
    this.list.append(element('div', { class: 'aops0b', role: 'listitem' }, header, row));
    this.list.scrollTop = this.list.scrollHeight;
  }
}

import { element } from '/page/elements.js';

const LARGEST_HISTORY = 500;
const LONGEST_MESSAGE = 1024;

/** The chat beside the call: messages of this session only. */
export class ChatPanel {
  constructor(self, send, takesText) {
    this.takesText = takesText;
    this.self = self;
    this.send = send;
    this.messages = [];
    this.list = null;
  }

  add(message) {
    this.messages.push(message);
    if (this.messages.length > LARGEST_HISTORY) this.messages.shift();
    if (this.list?.isConnected) this.addRow(message);
  }

  build() {
    this.list = element('div', { id: 'chat-list-content', role: 'table', 'aria-label': 'Chat Message List' });
    for (const message of this.messages) this.addRow(message);
    const post = () => {
      const text = box.innerText.trim().slice(0, LONGEST_MESSAGE);
      if (text === '') return;
      this.send(text);
      box.textContent = '';
      submit.disabled = true;
    };
    const box = element('div', {
      class: 'tiptap ProseMirror',
      contenteditable: String(this.takesText),
      'aria-readonly': this.takesText ? null : 'true',
      role: 'textbox',
      'aria-label': 'Type message here ...',
      input: () => {
        submit.disabled = box.textContent.trim() === '';
      },
      keydown: (event) => {
        if (event.key !== 'Enter' || event.shiftKey) return;
        event.preventDefault();
        post();
      },
    });
    const submit = element(
      'button',
      { type: 'button', class: 'chat-rtf-box__send', 'aria-label': 'send', disabled: true, click: post },
      'Send',
    );
    const editor = element('div', { class: 'chat-rtf-box__editor-outer' }, box);
    return element(
      'div',
      { class: 'chat-container' },
      element('div', { class: 'chat-virtuoso-wrapper' }, this.list),
      editor,
      submit,
    );
  }

  addRow(message) {
    const own = message.deviceId === this.self.deviceId;
    const sender = own ? 'You' : message.senderName;
    const time = new Date(message.sentAtMs).toLocaleTimeString('en-US', { hour: '2-digit', minute: '2-digit' });
    this.list.append(
      element(
        'div',
        {
          role: 'row',
          id: `chat-message-${message.messageId.split('/').at(-1)}`,
          'aria-label': `${sender} to Everyone, ${time}, ${message.text}`,
        },
        element(
          'div',
          { class: 'new-chat-message__container' },
          element('span', { class: 'chat-item__sender' }, sender),
          element('div', { class: 'chat-rtf-box__display' }, message.text),
        ),
      ),
    );
  }
}

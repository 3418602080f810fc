import { element } from '/page/elements.js';

const LARGEST_HISTORY = 500;

/** The chat beside the call: messages of this session only. */
export class ChatPane {
  constructor({ self, identities }, { takesText, send }) {
    this.self = self;
    this.identities = identities;
    this.send = send;
    this.takesText = takesText;
    this.messages = [];
    this.list = null;
    // Other vendors' bots find the client's own listener by its name, where it is bound.
    this.received = function onMessageReceived(batch) {
      return batch;
    }.bind(this);
  }

  add(message) {
    this.messages.push(message);
    if (this.messages.length > LARGEST_HISTORY) this.messages.shift();
    this.received({ data: { chatServiceBatchEvent: [{ message: this.serviceMessage(message) }] } });
    if (this.list?.isConnected) this.addRow(message);
  }

  build() {
    this.list = element('div', { 'data-tid': 'chat-pane-list', id: 'chat-pane-list' });
    for (const message of this.messages) this.addRow(message);
    const box = element('div', {
      contenteditable: String(this.takesText),
      'aria-readonly': String(!this.takesText),
      role: 'textbox',
      'aria-label': 'Type a message',
      'data-tid': 'ckeditor',
      input: () => {
        submit.disabled = box.textContent.trim() === '';
      },
      keydown: (event) => {
        if (event.key !== 'Enter' || event.shiftKey) return;
        event.preventDefault();
        post();
      },
    });
    const post = () => {
      const text = box.innerText.trim();
      if (text === '') return;
      this.send(text);
      box.textContent = '';
      submit.disabled = true;
    };
    const submit = element(
      'button',
      { 'data-tid': 'newMessageCommands-send', 'aria-label': 'Send', disabled: true, click: post },
      'Send',
    );
    return element('div', { class: 'chat', 'data-tid': 'message-pane-layout' }, this.list, box, submit);
  }

  addRow(message) {
    const own = message.deviceId === this.self.deviceId;
    const time = element('time', { datetime: new Date(message.sentAtMs).toISOString() });
    this.list.append(
      element(
        'div',
        { 'data-tid': 'chat-pane-item', 'data-mid': message.messageId },
        own ? null : element('span', { 'data-tid': 'message-author-name' }, message.senderName),
        time,
        element(
          'div',
          { 'data-tid': 'chat-pane-message', class: own ? 'own' : null },
          element('div', { 'data-tid': 'messageBodyContent' }, message.text),
        ),
      ),
    );
  }

  /** As the service words it for the client. */
  serviceMessage(message) {
    return {
      clientMessageId: message.messageId,
      from: `https://teams.microsoft.com/v1/contacts/${this.identities.get(message.deviceId)}`,
      content: element('div', {}, element('p', {}, message.text)).innerHTML,
      messageType: 'RichText/Html',
      originalArrivalTime: new Date(message.sentAtMs).toISOString(),
      imDisplayName: message.senderName,
    };
  }
}

import { element } from './elements.js';
import { say } from './texts.js';

/** The list of who is in the call. */
export class ParticipantsPanel {
  constructor(self, members) {
    this.self = self;
    this.members = members;
    this.list = null;
  }

  open(side) {
    this.list = element('div', { role: 'list', 'aria-label': say('participants') });
    side.append(element('h2', {}, say('people')), this.list);
    this.refresh();
  }

  closed() {
    this.list = null;
  }

  refresh() {
    if (this.list === null) return;
    const rows = this.members().map((member) =>
      element(
        'div',
        {
          role: 'listitem',
          'aria-label': member.name,
          'data-participant-id': member.deviceId,
          'data-requested-participant-id': member.deviceId,
        },
        element('span', { class: 'notranslate zWGUib' }, member.name),
        member.deviceId === this.self.deviceId ? element('span', {}, ` (${say('you')})`) : null,
        member.isHost ? element('div', { class: 'HNucUd' }, say('host')) : null,
      ),
    );
    this.list.replaceChildren(...rows);
  }
}

import { ChatPanel } from './chat-panel.js';
import { element, iconButton, late, showDialog, showScreen, toggleButton } from './elements.js';
import { CallMedia } from './media.js';
import { PeoplePanel } from './people-panel.js';
import { Tiles } from './tiles.js';

const SYNC_PATH = '/$rpc/google.rtc.meetings.v1.MeetingSpaceService/SyncMeetingSpaceCollections';
const FIRST_SYNC_MS = 10_000;
const SYNC_EVERY_MS = 60_000;

/** Everything between admission and the end. */
export class Call {
  constructor(page) {
    this.page = page;
    this.members = new Map(page.members.map((member) => [member.deviceId, member]));
    this.tiles = new Tiles(page.self);
    this.people = new PeoplePanel(page.self, () => [...this.members.values()]);
    this.chat = new ChatPanel(
      page.self,
      (text) => page.send({ kind: 'chat', text }),
      () => this.announceChat(),
    );
    this.media = new CallMedia({
      send: page.send,
      videoArrived: (streamId, stream) => this.tiles.show(streamId, stream),
      levels: (levels) => this.tiles.paintLevels(levels, [...this.members.values()]),
    });
    this.stage = element('div', { class: 'stage' });
    this.bottom = element('div', { class: 'bottom' });
    this.panel = null;
    showScreen(element('div', { class: 'call' }, this.stage, this.bottom));
    this.build();
    this.syncTimers = [setTimeout(() => this.sync(), FIRST_SYNC_MS), setInterval(() => this.sync(), SYNC_EVERY_MS)];
  }

  build() {
    late(() => {
      this.stage.prepend(this.tiles.main);
      for (const member of this.members.values()) this.tiles.add(member);
    });
    late(() => this.bottom.prepend(this.controls()));
    late(() => this.bottom.append(this.navigation()));
    if (this.page.welcome.recordingNotice) {
      const ok = { label: 'Join now', attributes: { 'data-mdc-dialog-action': 'ok' } };
      late(() => showDialog('This video call is being recorded', [ok]));
    }
  }

  controls() {
    const { choices, leave } = this.page;
    return element(
      'div',
      { role: 'region', 'aria-label': 'Call controls' },
      toggleButton('microphone', 'mic', choices.microphone),
      toggleButton('camera', 'videocam', choices.camera),
      captionsButton(),
      iconButton('Send a reaction', 'mood', () => undefined),
      iconButton('Raise hand', 'back_hand', () => undefined),
      iconButton('More options', 'more_vert', () => this.openMenu(), { jsname: 'NakZHc' }),
      iconButton('Leave call', 'call_end', leave, { jsname: 'CQylAd' }),
    );
  }

  navigation() {
    const openPeople = () => this.openPanel(this.people);
    const openChat = () => this.openPanel(this.chat);
    this.peopleButton = iconButton('People', 'people', openPeople, { 'data-panel-id': '1' });
    this.chatButton = iconButton('Chat with everyone', 'chat', openChat, { 'data-panel-id': '2' });
    this.paintCount();
    return element(
      'nav',
      {},
      iconButton('Meeting details', 'info', () => undefined),
      this.peopleButton,
      this.chatButton,
    );
  }

  openPanel(panel) {
    const same = this.panel === panel;
    this.stage.querySelector('aside')?.remove();
    this.panel?.closed();
    this.panel = same ? null : panel;
    if (same) return;
    const side = element('aside', { 'aria-label': 'Side panel' });
    this.stage.append(side);
    late(() => panel.open(side));
    if (panel === this.chat) this.chatButton.setAttribute('aria-label', 'Chat with everyone');
  }

  openMenu() {
    const old = document.querySelector('ul[role="menu"]');
    if (old) return old.remove();
    const change = () => {
      menu.remove();
      this.openLayouts();
    };
    const item = (text, click) => element('li', { role: 'menuitem', tabindex: '0', click }, element('span', {}, text));
    const menu = element(
      'ul',
      { role: 'menu' },
      item('Change layout', change),
      item('Settings', () => menu.remove()),
    );
    document.getElementById('screen').append(menu);
  }

  openLayouts() {
    const scrim = element('div', { class: 'scrim' });
    const choice = (name) =>
      element(
        'label',
        {},
        element('input', { type: 'radio', name: 'layout', value: name, change: () => this.tiles.setLayout(name) }),
        element('span', {}, name),
      );
    const names = ['Auto', 'Tiled', 'Spotlight', 'Sidebar'];
    const close = iconButton('Close', 'close', () => scrim.remove());
    scrim.append(element('div', { role: 'dialog', 'aria-modal': 'true' }, ...names.map(choice), close));
    document.getElementById('screen').append(scrim);
  }

  announceChat() {
    if (this.panel !== this.chat) this.chatButton?.setAttribute('aria-label', 'Chat with everyone - New message');
  }

  paintCount() {
    this.peopleButton?.setAttribute('data-avatar-count', String(this.members.size));
  }

  memberChanged(member, status) {
    if (status === 'inCall') this.members.set(member.deviceId, member);
    else this.members.delete(member.deviceId);
    if (status === 'inCall') this.tiles.add(member);
    else this.tiles.remove(member);
    this.people.refresh();
    this.paintCount();
  }

  chatArrived(message) {
    this.chat.add(message);
  }

  answer(sdp) {
    this.media.answer(sdp);
  }

  sync() {
    const headers = { 'x-meeting-code': this.page.code, 'x-attendee': this.page.attendeeId };
    fetch(SYNC_PATH, { method: 'POST', headers }).catch(() => undefined);
  }

  stop() {
    clearTimeout(this.syncTimers[0]);
    clearInterval(this.syncTimers[1]);
    this.media.stop();
  }
}

function captionsButton() {
  let on = false;
  const button = iconButton('Turn on captions', 'closed_caption_off', () => {
    on = !on;
    button.setAttribute('aria-label', on ? 'Turn off captions' : 'Turn on captions');
  });
  return button;
}

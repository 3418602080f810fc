import { Captions } from './captions.js';
import { ChatPanel } from './chat-panel.js';
import { element, iconButton, late, showScreen, toggleButton } from './elements.js';
import { CallMedia } from './media.js';
import { requestConsent, hideWhenStill, showRecordingNotice } from './notices.js';
import { ParticipantsPanel } from './participants-panel.js';
import { say } from './texts.js';
import { Tiles } from './tiles.js';

const SYNC_PATH = '/$rpc/google.rtc.meetings.v1.MeetingSpaceService/SyncMeetingSpaceCollections';
const FIRST_SYNC_MS = 10_000;
const SYNC_EVERY_MS = 60_000;

/** Everything between admission and the end. */
export class Call {
  constructor(page) {
    this.page = page;
    this.members = new Map(page.members.map((member) => [member.deviceId, member]));
    this.tiles = new Tiles(page.self, page.devices);
    this.participants = new ParticipantsPanel(page.self, () => [...this.members.values()]);
    const { chat } = page.welcome;
    this.chat = new ChatPanel(
      page.self,
      (text) => chat !== 'swallowed' && page.send({ kind: 'chat', text }),
      () => this.announceChat(),
    );
    this.chat.takesNoText = chat === 'closed';
    this.captions = new Captions({
      ...page.welcome.captions,
      nameOf: (deviceId) => this.members.get(deviceId)?.name ?? '',
      changed: (on, language) => page.send({ kind: 'captions', on, language }),
      stage: () => this.stage,
    });
    this.media = this.openMedia();
    this.stops = [];
    this.stage = element('div', { class: 'stage' });
    this.bottom = element('div', { class: 'bottom' });
    this.panel = null;
    showScreen(element('div', { class: 'call' }, this.stage, this.bottom));
    // Behind the dialog the call is to be seen, but nothing is to be heard.
    this.agreed = page.welcome.consentDialog ? requestConsent() : Promise.resolve();
    this.build();
    this.syncTimers = [setTimeout(() => this.sync(), FIRST_SYNC_MS), setInterval(() => this.sync(), SYNC_EVERY_MS)];
  }

  openMedia() {
    return new CallMedia({
      send: this.page.send,
      devices: this.page.devices,
      videoArrived: (streamId, stream) => this.tiles.show(streamId, stream),
      levels: (levels) => this.tiles.paintLevels(levels),
      participants: () => [...this.members.values()],
    });
  }

  build() {
    late(() => {
      this.stage.prepend(this.tiles.main);
      for (const member of this.members.values()) this.tiles.add(member);
    });
    late(() => this.bottom.prepend(this.controls()));
    late(() => this.bottom.append(this.navigation()));
    const { recordingNotice, dropIfNoticeHidden: dropIfHidden, toolbarHides } = this.page.welcome;
    if (recordingNotice) {
      const hidden = () => this.page.send({ kind: 'noticeHidden' });
      this.stops.push(showRecordingNotice({ dropIfHidden, hidden }));
    }
    if (toolbarHides) this.stops.push(hideWhenStill(this.bottom));
  }

  controls() {
    const { choices, leave } = this.page;
    const toolbar = element(
      'div',
      { role: 'toolbar', 'aria-label': say('controls') },
      toggleButton('microphone', 'mic', choices.microphone),
      toggleButton('camera', 'videocam', choices.camera),
      ...this.captions.controls(),
      iconButton(say('share'), 'present_to_all', () => undefined),
      iconButton(say('reaction'), 'mood', () => undefined),
      iconButton(say('hand'), 'back_hand', () => undefined),
      iconButton(say('more'), 'more_vert', () => this.openMenu(), { jsname: 'NakZHc' }),
      iconButton(say('leave'), 'call_end', leave, { jsname: 'CQylAd' }),
    );
    return element('div', { role: 'region', 'aria-label': say('controls') }, toolbar);
  }

  navigation() {
    const openParticipants = () => this.openPanel(this.participants);
    const openChat = () => this.page.welcome.chat !== 'stuck' && this.openPanel(this.chat);
    const participants = say(this.page.welcome.participantsLabel === 'show-everyone' ? 'showEveryone' : 'people');
    this.participantsButton = iconButton(participants, 'people', openParticipants, { 'data-panel-id': '1' });
    this.chatButton = iconButton(say('chat'), 'chat', openChat, { 'data-panel-id': '2' });
    this.countBadge = element('div', { class: 'egzc7c' });
    this.participantsButton.append(this.countBadge);
    this.paintCount();
    return element(
      'nav',
      {},
      iconButton(say('details'), 'info', () => undefined),
      this.participantsButton,
      this.page.welcome.chat === 'hidden' ? null : this.chatButton,
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
    if (panel === this.chat) this.chatButton.setAttribute('aria-label', say('chat'));
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
      item(say('layout'), change),
      item(say('settings'), () => {
        menu.remove();
        this.captions.openSettings();
      }),
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
    const close = iconButton(say('close'), 'close', () => scrim.remove());
    scrim.append(element('div', { role: 'dialog', 'aria-modal': 'true' }, ...names.map(choice), close));
    document.getElementById('screen').append(scrim);
  }

  announceChat() {
    if (this.panel !== this.chat) this.chatButton?.setAttribute('aria-label', `${say('chat')} - ${say('newMessage')}`);
  }

  paintCount() {
    const count = String(this.members.size);
    this.participantsButton?.setAttribute('data-avatar-count', count);
    this.countBadge?.replaceChildren(count);
  }

  memberChanged(member, status) {
    if (status === 'inCall') this.members.set(member.deviceId, member);
    else this.members.delete(member.deviceId);
    if (status === 'inCall') this.tiles.add(member);
    else this.tiles.remove(member);
    this.participants.refresh();
    this.paintCount();
  }

  chatArrived(message) {
    this.chat.add(message);
  }

  captionArrived(caption) {
    this.captions.add(caption);
  }

  audioArrived(packet) {
    this.media.take(packet);
  }

  async response(sdp) {
    await this.agreed;
    if (this.media.responded) {
      // A line that was lost comes back as another one, with tracks of its own.
      this.media.stop();
      this.media = this.openMedia();
      this.captions.repeat();
    }
    await this.media.response(sdp);
  }

  sync() {
    const headers = { 'x-meeting-code': this.page.code, 'x-attendee': this.page.attendeeId };
    fetch(SYNC_PATH, { method: 'POST', headers }).catch(() => undefined);
  }

  stop() {
    clearTimeout(this.syncTimers[0]);
    clearInterval(this.syncTimers[1]);
    for (const stop of this.stops) stop();
    this.captions.stop();
    this.media.stop();
  }
}

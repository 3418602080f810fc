import { element, late, markDevices, showScreen } from '/page/elements.js';
import { Captions } from './captions.js';
import { ChatPanel } from './chat.js';
import { showTips } from './hints.js';
import { CallMedia } from './media.js';
import { OwnMedia } from './own-media.js';
import { deviceButton } from './prejoin.js';

const HIDE_FOOTER_AFTER_MS = 3000;
const ACTIVE_SPEAKERS = 12_033;
/** Stands for a shared screen among the participants' indexes. */
const SCREEN = 255;
/** Classes of a participant's place: alone on the stage, and beside a shared screen. */
const MAIN = 'single-main-container__video-frame';
const SHARING = 'suspension-video-container__video-frame';

/** Everything between admission and the end. */
export class Call {
  constructor(page) {
    this.page = page;
    const participants = page.members.filter(({ parentDeviceId }) => parentDeviceId === undefined);
    this.members = new Map(participants.map((member) => [member.deviceId, member]));
    this.tiles = new Map();
    this.shared = false;
    this.media = new CallMedia({ muted: page.zoom.silentUnlessAllowed && !page.choices.allowed });
    this.own = new OwnMedia(page.devices, page.sendMedia);
    const post = (text) => page.chat !== 'swallowed' && page.send({ kind: 'chat', text });
    this.chat = new ChatPanel(page.self, post, page.chat !== 'closed');
    this.captions = new Captions(page, () => this.stage);
    this.stage = element('div', { class: 'single-main-container', id: 'video-share-layout' });
    this.footer = element('footer', {
      id: 'wc-footer',
      class: 'footer',
      role: 'region',
      'aria-label': 'Meeting controls',
    });
    this.side = element('div', { class: 'side' });
    showScreen(element('div', { class: 'meeting-app call' }, this.stage, this.side, this.footer));
    late(() => this.buildFooter());
    late(() => {
      for (const member of this.members.values()) this.addTile(member);
    });
    if (page.zoom.tips) late(showTips);
    this.moved = () => this.showFooter();
    document.addEventListener('pointermove', this.moved);
  }

  buildFooter() {
    const { chat } = this.page;
    const button = (label, click, attributes = {}) =>
      element('button', { type: 'button', 'aria-label': label, click, ...attributes }, label);
    this.count = element('div', { class: 'footer-button__number-counter' });
    this.footer.append(
      deviceButton('microphone', ['mute my microphone', 'unmute my microphone'], this.page),
      deviceButton('camera', ['stop my video', 'start my video'], this.page),
      button('open the participants list pane', () => this.openParticipants()),
      this.count,
      ...(chat === 'hidden' ? [] : [button('open the chat panel', () => this.openChat())]),
      button('More meeting control ', () => this.toggleMore()),
      element(
        'div',
        { 'footer-section': 'right' },
        button('Leave', () => this.requestLeave()),
      ),
    );
    this.paintCount();
    this.showFooter();
  }

  /** A react-bootstrap dropdown: its items are links with labels. */
  toggleMore() {
    const open = this.footer.querySelector('.dropdown-menu');
    if (open) return open.remove();
    const { media, page } = this;
    const item = (label, click) =>
      element('a', { class: 'dropdown-item', role: 'menuitem', 'aria-label': label, href: '#', click }, label);
    const toggleVideo = (event) => {
      event.preventDefault();
      media.receiveVideo(!media.videoWanted);
      page.send({ kind: 'incomingVideo', wanted: media.videoWanted });
      this.stage.classList.toggle('without-video', !media.videoWanted);
      this.toggleMore();
    };
    const label = media.videoWanted ? 'Stop Incoming Video' : 'Start Incoming Video';
    const menu = element(
      'div',
      { class: 'dropdown-menu show', role: 'menu' },
      item('Settings', () => undefined),
    );
    if (page.zoom.incomingVideoControl) menu.append(item(label, toggleVideo));
    menu.append(...this.captions.entries(menu));
    this.footer.append(menu);
    const close = (event) => {
      if (event.key !== 'Escape') return;
      document.removeEventListener('keydown', close);
      menu.remove();
    };
    document.addEventListener('keydown', close);
  }

  showFooter() {
    this.footer.classList.remove('hidden');
    clearTimeout(this.hiding);
    this.hiding = setTimeout(() => this.footer.classList.add('hidden'), HIDE_FOOTER_AFTER_MS);
  }

  requestLeave() {
    const leave = element(
      'button',
      {
        type: 'button',
        class: 'leave-meeting-options__btn leave-meeting-options__btn--danger',
        click: this.page.leave,
      },
      'Leave Meeting',
    );
    document.getElementById('screen').append(element('div', { class: 'leave-meeting-options' }, leave));
  }

  openChat() {
    const open = this.side.querySelector('.chat-container');
    if (open) open.remove();
    else if (this.page.chat !== 'stuck') late(() => this.side.append(this.chat.build()));
  }

  openParticipants() {
    const open = this.side.querySelector('[aria-label^="participants"]');
    if (open) open.remove();
    else this.side.prepend(this.participantList());
  }

  participantList() {
    const rows = [...this.members.values()].map((member) =>
      element(
        'div',
        {
          class: 'participants-item__item-layout participants-li',
          role: 'listitem',
          'aria-label': `${member.name},${member.kind === 'phone' ? 'phone' : 'computer'} audio unmuted`,
        },
        element('span', { class: 'participants-item__display-name' }, member.name),
        element('span', { class: 'participants-item__name-label' }, this.labelOf(member)),
      ),
    );
    return element('div', { role: 'list', 'aria-label': 'participants list' }, ...rows);
  }

  labelOf(member) {
    const self = member.deviceId === this.page.self.deviceId;
    if (member.isHost) return self ? '(Host, me)' : '(Host)';
    return self ? '(Me)' : '';
  }

  addTile(member) {
    const known = this.tiles.get(member.deviceId);
    if (known) {
      known.querySelector('.video-avatar__avatar-footer span').textContent = member.name;
      return markDevices(known, member);
    }
    const canvas = member.participantIndex === null || member.camera === false ? null : element('canvas', {});
    if (canvas) this.media.paintInto(member.participantIndex, canvas);
    const player = element('video-player', { class: 'video-player', 'data-user': member.deviceId }, canvas);
    const name = element('div', { class: 'video-avatar__avatar-footer' }, element('span', {}, member.name));
    const tile = element('div', { class: `${this.shared ? SHARING : MAIN} tile` }, player, name);
    markDevices(tile, member);
    this.tiles.set(member.deviceId, tile);
    this.stage.append(tile);
  }

  /** Frames of the signalling that the page itself uses: who is shown as speaking. */
  signalled({ evt, body }) {
    if (body.activeNodeID !== undefined) this.showShared(body.activeNodeID !== 0);
    if (evt !== ACTIVE_SPEAKERS) return;
    const numbers = new Set(Object.values(body));
    for (const [deviceId, tile] of this.tiles) {
      const userId = 16_778_240 + Number(deviceId.split('/').at(-1)) * 1024;
      tile.classList.toggle('speaker-bar-container__video-frame--active', numbers.has(userId));
    }
  }

  /** While a screen is shared, participants have places of another kind beside it. */
  showShared(shared) {
    this.shared = shared;
    for (const tile of this.tiles.values()) tile.classList.replace(shared ? MAIN : SHARING, shared ? SHARING : MAIN);
    this.stage.querySelector('.sharee-container')?.remove();
    if (!shared) return;
    const canvas = element('canvas', {});
    this.media.paintInto(SCREEN, canvas);
    this.stage.prepend(element('div', { class: 'sharee-container' }, canvas));
  }

  memberChanged(member, status) {
    if (member.parentDeviceId !== undefined) return;
    if (status === 'inCall') {
      this.members.set(member.deviceId, member);
      this.addTile(member);
    } else {
      this.members.delete(member.deviceId);
      this.tiles.get(member.deviceId)?.remove();
      this.tiles.delete(member.deviceId);
    }
    this.paintCount();
    this.side.querySelector('[aria-label^="participants"]')?.replaceWith(this.participantList());
  }

  paintCount() {
    if (this.count) this.count.textContent = `${this.members.size} participants`;
  }

  chatArrived(message) {
    this.chat.add(message);
  }

  stop() {
    clearTimeout(this.hiding);
    document.removeEventListener('pointermove', this.moved);
    this.media.stop();
    this.own.stop();
  }
}

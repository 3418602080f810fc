import { answerOffer } from '/page/answer-offer.js';
import { element, late, markDevices, showScreen } from '/page/elements.js';
import { Captions } from './captions.js';
import { ChatPane } from './chat.js';
import { toggles } from './prejoin.js';

const HIDE_CONTROLS_AFTER_MS = 3000;

/** Everything between admission and the end. */
export class Call {
  constructor(page) {
    this.page = page;
    this.members = new Map(page.members.map((member) => [member.deviceId, member]));
    this.tiles = new Map();
    this.streams = new Map();
    this.stage = element('div', { class: 'stage', 'data-tid': 'stage-layout', 'data-test-segment-type': 'central' });
    this.controls = element('div', { class: 'controls', role: 'toolbar', 'aria-label': 'Calling controls' });
    this.captions = new Captions(page, (strip) => this.stage.after(strip));
    this.side = element('div', { class: 'side' });
    this.chat = new ChatPane(page, {
      takesText: page.teams.chat !== 'closed',
      send: (text) => page.teams.chat !== 'swallowed' && page.send({ kind: 'chat', text }),
    });
    this.connection = new RTCPeerConnection({ bundlePolicy: 'max-bundle' });
    this.listen();
    showScreen(element('div', { class: 'call' }, this.controls, this.stage, this.side));
    late(() => this.buildControls());
    late(() => {
      for (const member of this.members.values()) this.addTile(member);
    });
    this.moved = () => this.showControls();
    if (page.teams.controlsHide) document.addEventListener('pointermove', this.moved);
    this.offerGlobals();
  }

  listen() {
    this.connection.addEventListener('datachannel', ({ channel }) => {
      channel.binaryType = 'arraybuffer';
      channel.addEventListener('message', () => undefined);
    });
    this.connection.addEventListener('track', ({ track, streams }) => {
      if (track.kind === 'video') return this.videoArrived(streams[0]);
      const audio = element('audio', { autoplay: true });
      audio.srcObject = streams[0];
      // The double is there and is not played.
      audio.muted = !streams[0].id.includes('mainAudio');
      document.body.append(audio);
      audio.play().catch(() => undefined);
    });
  }

  /** What the real client leaves lying around, and other vendors' bots read. */
  offerGlobals() {
    if (!this.page.teams.globals) return;
    const { members, page } = this;
    const observable = {
      get participants() {
        return [...members.values()].map((member) => ({
          id: page.identities.get(member.deviceId),
          displayName: shownName(member),
          hasAudioSource: (source) => String(source) === member.audioStreamId,
          isServerMuted: false,
        }));
      },
      get callerMri() {
        return page.identities.get(page.self.deviceId);
      },
    };
    if (page.captions.offered !== 'missing') {
      observable.startClosedCaption = () => this.captions.set(true);
      observable.setClosedCaptionsLanguage = (language) => this.captions.choose(language);
    }
    globalThis.callingDebug = { observableCall: observable };
    globalThis.msteamscalling = { deref: () => ({ callingService: { getActiveCall: () => observable } }) };
  }

  buildControls() {
    const { teams, leave } = this.page;
    const button = (id, text, click, attributes = {}) =>
      element('button', { id, 'aria-label': text, click, ...attributes }, text);
    const nothing = () => undefined;
    this.controls.append(
      ...(teams.chat !== 'hidden' ? [button('chat-button', 'Chat', () => this.openChat())] : []),
      button('roster-button', 'People', nothing, { 'data-tid': 'roster-button' }),
      button('raisehands-button', 'Raise', nothing),
      button('reaction-menu-button', 'React', nothing),
      button('view-mode-button', 'View', nothing),
      button('callingButtons-showMoreBtn', 'More', () => this.toggleMenu()),
      ...toggles(this.page),
      button('hangup-button', 'Leave (Ctrl+Shift+H)', leave, {
        'data-tid': 'hangup-main-btn',
        'data-inp': 'hangup-button',
      }),
    );
    this.showControls();
  }

  /** A guest has captions as an item of its own. */
  toggleMenu() {
    const open = document.querySelector('[role="menu"]');
    if (open) return open.remove();
    const menu = element('div', { role: 'menu' }, ...this.captions.items(() => menu.remove()));
    this.controls.append(menu);
  }

  showControls() {
    this.controls.classList.remove('hidden');
    clearTimeout(this.hiding);
    if (!this.page.teams.controlsHide) return;
    this.hiding = setTimeout(() => this.controls.classList.add('hidden'), HIDE_CONTROLS_AFTER_MS);
  }

  openChat() {
    if (this.side.firstChild) return this.side.replaceChildren();
    if (this.page.teams.chat === 'stuck') return;
    late(() => this.side.replaceChildren(this.chat.build()));
  }

  addTile(member) {
    const known = this.tiles.get(member.deviceId);
    if (known) {
      known.tag.textContent = shownName(member);
      if (known.tile.dataset.tid) known.tile.dataset.tid = shownName(member);
      return markDevices(known.tile, member);
    }
    if (member.deviceId === this.page.self.deviceId) return;
    const { outlines, tileNames } = this.page.teams;
    const name = shownName(member);
    const guest = member.participantIndex === null;
    const video = guest ? null : element('video', { autoplay: true, playsinline: true });
    if (video) video.muted = true;
    const outlined = outlines === 'all' || (outlines === 'half' && member.participantIndex % 2 === 0);
    const outline = outlined ? element('div', { 'data-tid': 'voice-level-stream-outline' }) : null;
    const byAttribute = tileNames === 'attribute';
    const attributes = byAttribute ? { 'data-stream-type': 'Video', 'data-tid': name } : {};
    const tag = element('span', byAttribute ? { 'data-tid': 'participant-info-nametag' } : {}, name);
    const tile = element('div', { class: 'tile', role: 'menuitem', ...attributes }, outline, video, tag);
    markDevices(tile, member);
    this.tiles.set(member.deviceId, { tile, tag, video, outline, member });
    this.stage.append(tile);
    const stream = this.streams.get(member.participantIndex);
    if (stream && video) video.srcObject = stream;
  }

  videoArrived(stream) {
    const participantIndex = Number(stream.id.replace('mainVideo-', '')) - 1;
    this.streams.set(participantIndex, stream);
    for (const { member, video } of this.tiles.values()) {
      if (member.participantIndex === participantIndex && video) video.srcObject = stream;
    }
  }

  paintSpeaking(deviceIds) {
    for (const [deviceId, { outline }] of this.tiles) {
      outline?.classList.toggle('vdi-frame-occlusion', deviceIds.includes(deviceId));
    }
  }

  memberChanged(member, status) {
    if (status === 'inCall') {
      this.members.set(member.deviceId, member);
      return this.addTile(member);
    }
    this.members.delete(member.deviceId);
    this.tiles.get(member.deviceId)?.tile.remove();
    this.tiles.delete(member.deviceId);
  }

  chatArrived(message) {
    this.chat.add(message);
  }

  async response(sdp) {
    this.page.send({ kind: 'answer', sdp: await answerOffer(this.connection, sdp, this.page.devices) });
  }

  stop() {
    clearTimeout(this.hiding);
    document.removeEventListener('pointermove', this.moved);
    for (const audio of document.querySelectorAll('audio')) audio.remove();
    this.connection.close();
  }
}

/** Whoever was not signed in is marked. */
function shownName({ name, participantIndex, kind }) {
  return participantIndex === null || kind === 'guest' ? `${name} (Unverified)` : name;
}

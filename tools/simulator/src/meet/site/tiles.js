import { markDevices } from '/page/elements.js';
import { element } from './elements.js';
import { say } from './texts.js';

const TALKING = 0.01;

/** One tile per participant in the call. */
export class Tiles {
  constructor(self, devices) {
    this.self = self;
    devices.listen(() => this.showOwn(devices.track('camera')));
    this.devices = devices;
    this.main = element('main', { role: 'main' });
    this.byDevice = new Map();
    this.streams = new Map();
  }

  add(member) {
    const known = this.byDevice.get(member.deviceId);
    if (known) {
      known.tile.querySelector('.label .notranslate').textContent = member.name;
      return markDevices(known.tile, member);
    }
    const own = member.deviceId === this.self.deviceId;
    const name = element('span', { class: 'notranslate' }, member.name);
    const meter = element('div', { class: 'meter gjg47c', 'data-audio-level': '0' });
    const screen = member.parentDeviceId !== undefined;
    const video =
      own || (member.participantIndex === null && !screen)
        ? null
        : element('video', { autoplay: true, playsinline: true });
    if (video) video.muted = true;
    const tile = element(
      'div',
      {
        class: 'tile',
        'data-participant-id': member.deviceId,
        'data-requested-participant-id': member.deviceId,
        'data-self-name': own ? member.name : null,
      },
      video,
      meter,
      element('div', { class: 'label' }, name, screen ? element('span', {}, ` ${say('presentation')}`) : null),
    );
    markDevices(tile, member);
    this.byDevice.set(member.deviceId, { tile, video, meter, member });
    this.main.append(tile);
    if (own) this.showOwn(this.devices.track('camera'));
    const stream = this.streams.get(member.videoStreamId);
    if (stream) this.show(member.videoStreamId, stream);
  }

  remove(member) {
    const entry = this.byDevice.get(member.deviceId);
    if (entry?.video) entry.video.srcObject = null;
    entry?.tile.remove();
    this.byDevice.delete(member.deviceId);
  }

  /** A camera's stream: its id is the one that the roster names. */
  show(streamId, stream) {
    this.streams.set(streamId, stream);
    for (const { member, video } of this.byDevice.values()) {
      if (member.videoStreamId === streamId && video) video.srcObject = stream;
    }
  }

  /** The camera of this browser itself. */
  showOwn(track) {
    const own = this.byDevice.get(this.self.deviceId);
    if (!own || (own.video?.srcObject?.getVideoTracks()[0] ?? null) === track) return;
    own.video?.remove();
    own.video = track === null ? null : element('video', { autoplay: true, playsinline: true });
    if (own.video === null) return;
    own.video.muted = true;
    own.video.srcObject = new MediaStream([track]);
    own.tile.prepend(own.video);
  }

  setLayout(name) {
    this.main.classList.toggle('spotlight', name === 'Spotlight');
    const [first] = this.byDevice.values();
    if (name === 'Spotlight') first?.tile.classList.add('shown');
  }

  /** `levels`: audio stream id -> 0..1 for those who are heard now. */
  paintLevels(levels) {
    for (const { tile, meter, member } of this.byDevice.values()) {
      const level = levels.get(member.audioStreamId) ?? 0;
      const talks = level > TALKING;
      meter.className = `meter ${talks ? 'Oaajhc' : 'gjg47c'}`;
      meter.setAttribute('data-audio-level', talks ? level.toFixed(2) : '0');
      tile.classList.toggle('talks', talks);
      if (talks && this.main.classList.contains('spotlight')) this.spotlight(tile);
    }
  }

  spotlight(tile) {
    for (const other of this.byDevice.values()) other.tile.classList.toggle('shown', other.tile === tile);
  }
}

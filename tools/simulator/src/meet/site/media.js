import { answerOffer } from '/page/answer-offer.js';
import { element } from './elements.js';

const POLL_MS = 250;

/** The media connection: three audio tracks that carry whoever is loudest, one video track per person. */
export class CallMedia {
  constructor({ send, videoArrived, levels }) {
    this.send = send;
    this.levels = levels;
    this.audioElements = [];
    this.audioReceivers = [];
    this.lastSeen = new Map();
    this.connection = new RTCPeerConnection({ bundlePolicy: 'max-bundle' });
    this.captions = this.connection.createDataChannel('captions', { ordered: true });
    this.connection.addEventListener('datachannel', ({ channel }) => {
      channel.binaryType = 'arraybuffer';
      channel.addEventListener('message', () => undefined);
    });
    this.connection.addEventListener('track', ({ track, streams, receiver }) => {
      if (track.kind === 'video') videoArrived(streams[0].id, streams[0]);
      else this.addAudio(track, receiver);
    });
    this.timer = setInterval(() => this.poll(), POLL_MS);
  }

  addAudio(track, receiver) {
    const audio = element('audio', { autoplay: true });
    audio.srcObject = new MediaStream([track]);
    document.body.append(audio);
    audio.play().catch(() => undefined);
    this.audioElements.push(audio);
    this.audioReceivers.push(receiver);
  }

  async answer(sdp) {
    this.send({ kind: 'answer', sdp: await answerOffer(this.connection, sdp) });
  }

  poll() {
    const levels = new Map();
    for (const receiver of this.audioReceivers) {
      for (const { source, timestamp, audioLevel } of receiver.getContributingSources()) {
        // The list keeps sources for ten seconds, also in a slot the voice has left, so only one that moved since the
        // last look at this slot is heard now.
        const place = `${this.audioReceivers.indexOf(receiver)}/${source}`;
        if (this.lastSeen.get(place) !== timestamp) levels.set(String(source), audioLevel ?? 0);
        this.lastSeen.set(place, timestamp);
      }
    }
    this.levels(levels);
  }

  stop() {
    clearInterval(this.timer);
    for (const audio of this.audioElements) {
      audio.srcObject = null;
      audio.remove();
    }
    this.connection.close();
  }
}

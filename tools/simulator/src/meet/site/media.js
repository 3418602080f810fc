import { answerOffer } from '/page/answer-offer.js';
import { AudioPlayer } from '/page/audio-player.js';
import { element } from './elements.js';

const POLL_MS = 250;
const HEADER_BYTES = 8;
const SAMPLE_RATE = 48_000;

/**
 * The media connection: one video track per participant; audio comes in three tracks that carry whoever is loudest, or as
 * packets that are decoded here and mixed into one track, for which there is no receiver and no element in the page.
 */
export class CallMedia {
  constructor({ send, devices, videoArrived, levels, participants }) {
    this.send = send;
    this.devices = devices;
    this.levels = levels;
    this.participants = participants;
    this.responded = false;
    this.audioElements = [];
    this.audioReceivers = [];
    this.lastSeen = new Map();
    this.decoded = new Map();
    this.mix = null;
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

  async response(sdp) {
    this.responded = true;
    this.send({ kind: 'answer', sdp: await answerOffer(this.connection, sdp, this.devices) });
  }

  /** A packet of somebody's audio, in the stack without tracks. */
  take(buffer) {
    const view = new DataView(buffer);
    const participantIndex = view.getUint8(1);
    this.mix ??= openMix((index, level) => this.decoded.set(index, level));
    this.mix.player.hear(participantIndex, view.getUint32(4), new Uint8Array(buffer, HEADER_BYTES));
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
    for (const { participantIndex, audioStreamId } of this.participants()) {
      const level = this.decoded.get(participantIndex);
      if (level !== undefined) levels.set(audioStreamId, level);
    }
    this.decoded.clear();
    this.levels(levels);
  }

  stop() {
    clearInterval(this.timer);
    for (const audio of this.audioElements) {
      audio.srcObject = null;
      audio.remove();
    }
    this.mix?.stop();
    this.connection.close();
  }
}

/** Everybody's audio in one destination track. */
function openMix(heard) {
  const context = new AudioContext({ sampleRate: SAMPLE_RATE });
  const destination = context.createMediaStreamDestination();
  context.resume().catch(() => undefined);
  const player = new AudioPlayer(context, destination, heard);
  const output = new Audio();
  output.srcObject = destination.stream;
  output.play().catch(() => undefined);
  return {
    player,
    stop: () => {
      player.stop();
      output.srcObject = null;
      context.close().catch(() => undefined);
    },
  };
}

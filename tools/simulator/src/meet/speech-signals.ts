import { SpeechActivity } from '../media/speech-activity.ts';
import type { AudioPacket } from '../media/audio-track.ts';
import type { Member } from '../rooms/members.ts';
import type { HostedRoom } from '../rooms/room-registry.ts';
import { captionFrame, keepAliveFrame, speechFrame } from './speech-frames.ts';

const POLL_INTERVAL_MS = 100;
const REPEAT_EVERY_POLLS = 10;
const KEEP_ALIVE_EVERY_POLLS = 50;

export type SpeechChannels = {
  send: (channel: 'dcrpc' | 'captions', payload: Buffer) => void;
  notifyPage: (message: object) => void;
  now: () => number;
};

/** Tells one browser who speaks on `dcrpc` and, where the room has them, what they say on `captions`. */
export class SpeechSignals {
  readonly #hosted: HostedRoom;
  readonly #channels: SpeechChannels;
  readonly #speechActivity = new SpeechActivity();
  #timer: NodeJS.Timeout | undefined;
  #polls = 0;
  #reported = '';
  #caption: { key: string; words: number } = { key: '', words: 0 };

  constructor(hosted: HostedRoom, channels: SpeechChannels) {
    this.#hosted = hosted;
    this.#channels = channels;
  }

  start(): void {
    this.#timer = setInterval(() => this.#poll(), POLL_INTERVAL_MS);
  }

  hear(participantIndex: number, packet: AudioPacket): void {
    this.#speechActivity.hear(participantIndex, packet.levelDbov, this.#channels.now());
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #poll(): void {
    const { room, options } = this.#hosted;
    this.#polls += 1;
    const participants = room.participants();
    const speaking = new Set(
      this.#speechActivity
        .speaking(this.#channels.now())
        .flatMap((index) => participants[index]?.member.deviceId ?? []),
    );
    const state = [...speaking].toSorted().join();
    if (state !== this.#reported || this.#polls % REPEAT_EVERY_POLLS === 0) {
      this.#channels.send('dcrpc', speechFrame(room.membersInCall(), speaking, this.#polls));
    }
    this.#reported = state;
    if (this.#polls % KEEP_ALIVE_EVERY_POLLS === 0) this.#channels.send('dcrpc', keepAliveFrame(this.#polls));
    if (options.meet.captions) this.#sendCaption(participants.map(({ member }) => member));
  }

  /** A caption is sent again with every new word, until it is final. */
  #sendCaption(participants: readonly Member[]): void {
    const { room, schedule, options } = this.#hosted;
    const elapsedMs = this.#channels.now() - room.clockZero;
    const loopMs = options.loopSeconds * 1000;
    const inLoopMs = elapsedMs % loopMs;
    const index = schedule.findLastIndex(({ startMs }) => startMs <= inLoopMs);
    const sentence = schedule[index];
    const deviceId = participants[sentence?.participantIndex ?? -1]?.deviceId;
    if (sentence === undefined || deviceId === undefined) return;
    const captionId = Math.floor(elapsedMs / loopMs) * schedule.length + index + 1;
    const words = sentence.words.filter(({ startMs }) => startMs <= inLoopMs).length;
    const key = String(captionId);
    if (words === 0 || (this.#caption.key === key && this.#caption.words === words)) return;
    this.#caption = { key, words };
    const text = sentence.sentence.split(' ').slice(0, words).join(' ');
    const final = words === sentence.words.length;
    const caption = { deviceId, captionId, version: words, final, text };
    this.#channels.send('captions', captionFrame(caption));
    this.#channels.notifyPage({ kind: 'caption', ...caption });
  }
}

import { SpeechActivity } from '../media/speech-activity.ts';
import type { AudioPacket } from '../media/audio-track.ts';
import type { HostedRoom } from '../rooms/room-registry.ts';
import { keepAliveFrame, speechFrame } from './speech-frames.ts';

const POLL_INTERVAL_MS = 100;
const REPEAT_EVERY_POLLS = 10;
const KEEP_ALIVE_EVERY_POLLS = 50;

export type SpeechChannels = {
  send: (channel: 'dcrpc', payload: Buffer) => void;
  now: () => number;
};

/** Reports the speakers to one browser on `dcrpc`. */
export class SpeechSignals {
  readonly #hosted: HostedRoom;
  readonly #channels: SpeechChannels;
  readonly #speechActivity = new SpeechActivity();
  #timer: NodeJS.Timeout | undefined;
  #polls = 0;
  #reported = '';

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
    const { room } = this.#hosted;
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
  }
}

import { Voices } from '../media/voices.ts';
import type { SoundPacket } from '../media/sound-track.ts';
import type { Member } from '../rooms/members.ts';
import type { HostedRoom } from '../rooms/room-registry.ts';
import { captionFrame, keepAliveFrame, speechFrame } from './speech-frames.ts';

const LOOK_EVERY_MS = 100;
const REPEAT_EVERY_LOOKS = 10;
const KEEP_ALIVE_EVERY_LOOKS = 50;

export type SpeechChannels = {
  send: (channel: 'dcrpc' | 'captions', payload: Buffer) => void;
  tellPage: (message: object) => void;
  now: () => number;
};

/** Tells one browser who speaks on `dcrpc` and, where the room has them, what they say on `captions`. */
export class SpeechSignals {
  readonly #hosted: HostedRoom;
  readonly #channels: SpeechChannels;
  readonly #voices = new Voices();
  #timer: NodeJS.Timeout | undefined;
  #looks = 0;
  #told = '';
  #caption: { key: string; words: number } = { key: '', words: 0 };

  constructor(hosted: HostedRoom, channels: SpeechChannels) {
    this.#hosted = hosted;
    this.#channels = channels;
  }

  start(): void {
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS);
  }

  hear(personIndex: number, packet: SoundPacket): void {
    this.#voices.hear(personIndex, packet.levelDbov, this.#channels.now());
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const { room, options } = this.#hosted;
    this.#looks += 1;
    const people = room.people();
    const speaking = new Set(
      this.#voices.speaking(this.#channels.now()).flatMap((index) => people[index]?.member.deviceId ?? []),
    );
    const state = [...speaking].toSorted().join();
    if (state !== this.#told || this.#looks % REPEAT_EVERY_LOOKS === 0) {
      this.#channels.send('dcrpc', speechFrame(room.membersInCall(), speaking, this.#looks));
    }
    this.#told = state;
    if (this.#looks % KEEP_ALIVE_EVERY_LOOKS === 0) this.#channels.send('dcrpc', keepAliveFrame(this.#looks));
    if (options.meet.captions) this.#tellCaption(people.map(({ member }) => member));
  }

  /** A caption is sent again with every new word, until it is final. */
  #tellCaption(people: readonly Member[]): void {
    const { room, schedule, options } = this.#hosted;
    const elapsedMs = this.#channels.now() - room.clockZero;
    const loopMs = options.loopSeconds * 1000;
    const inLoopMs = elapsedMs % loopMs;
    const index = schedule.findLastIndex(({ startMs }) => startMs <= inLoopMs);
    const sentence = schedule[index];
    const deviceId = people[sentence?.personIndex ?? -1]?.deviceId;
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
    this.#channels.tellPage({ kind: 'caption', ...caption });
  }
}

import type { SessionSignal } from '@rapporteur/meeting-platforms';
import type { OutboundMessage } from '@rapporteur/outbound-http';
import type { RepeatedWarnings } from './repeated-warnings.ts';
import type { SpeakerFrames } from './speaker-frames.ts';

export interface AudioOutPorts {
  readonly rateHz: number;
  /** False when it is lost. */
  readonly send: (message: OutboundMessage) => boolean;
  readonly isConnected: () => boolean;
  readonly speakers: SpeakerFrames;
  readonly warnings: RepeatedWarnings;
}

const blockSeconds = 0.1;

/** Data for `output_url`. */
export interface OutgoingStream {
  /** Samples per second that `audio` takes. */
  readonly rateHz: number;
  /** The length of the meeting's audio so far. */
  readonly offsetSeconds: number;
  /** Further fields of the handshake. */
  handshake(): object;
  resume(): void;
  hold(): void;
  audio(pcm: Buffer, startMs: number): void;
  onSignal(signal: SessionSignal): void;
  connected(): void;
  lost(): void;
  /** False: the message is not for this stream. */
  take(message: OutboundMessage): boolean;
  /** Sends the remaining data. Resolves within its deadline. */
  finish(): Promise<void>;
}

/** Sends the audio of the meeting and its speakers while it is recorded. Nothing is kept for later. */
export class AudioOut implements OutgoingStream {
  readonly #ports: AudioOutPorts;
  #records = false;
  #blocks = 0;

  constructor(ports: AudioOutPorts) {
    this.#ports = ports;
  }

  get rateHz(): number {
    return this.#ports.rateHz;
  }

  /** The length of the meeting's audio so far, sent or lost. */
  get offsetSeconds(): number {
    return Math.round(this.#blocks * blockSeconds * 10) / 10;
  }

  /** The recording begins, or continues after a pause. */
  resume(): void {
    this.#records = true;
    this.connected();
  }

  hold(): void {
    this.#records = false;
  }

  /** Takes audio of the recording: audio that arrives after a pause began is from before it. */
  audio(pcm: Buffer): void {
    this.#blocks += 1;
    const { send, isConnected, warnings } = this.#ports;
    if (!send(pcm) && isConnected())
      warnings.add('The receiver of the audio does not keep up; what it does not take in time is left out.');
  }

  onSignal(signal: SessionSignal): void {
    if (signal.kind === 'participant') this.#ports.speakers.note(signal);
    if (signal.kind !== 'speaker' || !this.#records) return;
    this.#ports.send(this.#ports.speakers.changed(signal.turn));
  }

  /** To a connection that has received nothing yet. */
  connected(): void {
    const frame = this.#records ? this.#ports.speakers.now() : null;
    if (frame !== null) this.#ports.send(frame);
  }

  handshake(): object {
    return {};
  }

  lost(): void {}

  take(): boolean {
    return false;
  }

  async finish(): Promise<void> {
    this.hold();
  }
}

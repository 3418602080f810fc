import type { SessionSignal } from '@rapporteur/meeting-platforms';
import type { OutboundMessage } from '@rapporteur/outbound-http';
import type { Complaints } from './complaints.ts';
import type { SpeakerFrames } from './speaker-frames.ts';

export interface AudioOutPorts {
  /** False when it is lost. */
  readonly send: (message: OutboundMessage) => boolean;
  readonly isConnected: () => boolean;
  readonly speakers: SpeakerFrames;
  readonly complaints: Complaints;
}

const blockSeconds = 0.1;

/** Sends the audio of the meeting, and who speaks, while it is recorded. Nothing is kept for later. */
export class AudioOut {
  readonly #ports: AudioOutPorts;
  #records = false;
  #blocks = 0;

  constructor(ports: AudioOutPorts) {
    this.#ports = ports;
  }

  /** Of the meeting's audio so far, sent or lost. */
  get offsetSeconds(): number {
    return Math.round(this.#blocks * blockSeconds * 10) / 10;
  }

  /** The recording begins, or goes on after a pause. */
  goOn(): void {
    this.#records = true;
    this.reportSpeaker();
  }

  hold(): void {
    this.#records = false;
  }

  /** Of the recording: what still comes after a pause began is from before it. */
  audio(pcm: Buffer): void {
    this.#blocks += 1;
    const { send, isConnected, complaints } = this.#ports;
    if (!send(pcm) && isConnected())
      complaints.add('The receiver of the audio does not keep up; what it does not take in time is left out.');
  }

  hear(signal: SessionSignal): void {
    if (signal.kind === 'participant') this.#ports.speakers.note(signal);
    if (signal.kind !== 'speaker' || !this.#records) return;
    this.#ports.send(this.#ports.speakers.changed(signal.turn));
  }

  /** To a connection that has heard nothing yet. */
  reportSpeaker(): void {
    const frame = this.#records ? this.#ports.speakers.now() : null;
    if (frame !== null) this.#ports.send(frame);
  }
}

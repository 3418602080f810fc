import type { AudioOwner } from './messages.ts';
import { mixBlock, mixRate } from './audio-mix.page.ts';
import type { ParticipantBlock } from './participant-audio-mixes.page.ts';

/** What is requested; speech takes half as much again. */
const participantBitsPerSecond = 24_000;
/** Of 10. Highest it costs two and a half times as much, and as `voip` almost twice, for a difference that speech at this rate does not have. */
const participantComplexity = 5;
/** More participants than this seldom speak within half a minute; who fell silent longest gives way. */
const encodersMost = 6;
const idleSamples = mixRate * 30;
const failuresMost = 20;

export interface EncodedParticipant {
  readonly participant: AudioOwner;
  readonly timeUs: number;
  readonly durationUs: number;
  readonly isSpoken: boolean;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface ParticipantEncoderPorts {
  deliver(packet: EncodedParticipant): void;
  report(error: unknown): void;
}

interface ParticipantEncoder {
  readonly encoder: AudioEncoder;
  participant: AudioOwner;
  /** Positions of the blocks that went in and did not come out yet: encoders count on where gaps are. */
  readonly within: { readonly position: number; readonly isSpoken: boolean }[];
  /** Blocks that follow on each other and wait to go in at once. */
  waiting: Float32Array[];
  end: number;
}

/** An Opus encoder for each participant who is heard. One block in gives one packet out. */
export class ParticipantEncoders {
  readonly #ports: ParticipantEncoderPorts;
  readonly #encoders = new Map<string, ParticipantEncoder>();
  #failures = 0;

  constructor(ports: ParticipantEncoderPorts) {
    this.#ports = ports;
  }

  /** One block. */
  add({ participant, samples, position, isSpoken }: ParticipantBlock): void {
    const open = this.#openFor(participant);
    if (open === null) return;
    open.participant = participant;
    open.waiting.push(samples);
    open.within.push({ position, isSpoken });
    open.end = position + mixBlock;
  }

  /** Encodes what waits, and lets go of encoders that nobody needs. */
  encode(position: number): void {
    for (const [participantId, open] of this.#encoders) {
      this.#encode(open);
      if (position - open.end > idleSamples) void this.#close(participantId, open);
    }
  }

  /** Resolves when everything was delivered. */
  async finish(): Promise<void> {
    for (const open of this.#encoders.values()) this.#encode(open);
    await Promise.all([...this.#encoders].map(([participantId, open]) => this.#close(participantId, open)));
  }

  #openFor(participant: AudioOwner): ParticipantEncoder | null {
    const known = this.#encoders.get(participant.participantId);
    if (known?.encoder.state === 'configured') return known;
    if (this.#failures > failuresMost) return null;
    if (this.#encoders.size >= encodersMost) {
      const [longest] = [...this.#encoders].toSorted(([, one], [, other]) => one.end - other.end);
      if (longest) {
        this.#encode(longest[1]);
        void this.#close(...longest);
      }
    }
    const open: ParticipantEncoder = {
      encoder: new AudioEncoder({
        output: (chunk) => this.#output(open, chunk),
        error: (error) => {
          this.#failures += 1;
          this.#ports.report(error);
        },
      }),
      participant,
      within: [],
      waiting: [],
      end: 0,
    };
    open.encoder.configure({
      codec: 'opus',
      sampleRate: mixRate,
      numberOfChannels: 1,
      bitrate: participantBitsPerSecond,
      opus: {
        frameDuration: (mixBlock / mixRate) * 1_000_000,
        complexity: participantComplexity,
        application: 'audio',
      },
    } as AudioEncoderConfig);
    this.#encoders.set(participant.participantId, open);
    return open;
  }

  #encode(open: ParticipantEncoder): void {
    if (open.waiting.length === 0) return;
    const blocks = open.waiting;
    open.waiting = [];
    if (open.encoder.state !== 'configured') return;
    const samples = new Float32Array(blocks.length * mixBlock);
    blocks.forEach((block, index) => samples.set(block, index * mixBlock));
    const data = new AudioData({
      format: 'f32',
      sampleRate: mixRate,
      numberOfFrames: samples.length,
      numberOfChannels: 1,
      timestamp: Math.round(((open.end - samples.length) / mixRate) * 1_000_000),
      data: samples,
    });
    open.encoder.encode(data);
    data.close();
  }

  #output(open: ParticipantEncoder, chunk: EncodedAudioChunk): void {
    const block = open.within.shift();
    // More than went in is the encoder's own filling up at its end.
    if (block === undefined) return;
    const bytes = new Uint8Array(chunk.byteLength);
    chunk.copyTo(bytes);
    const inUs = (samples: number): number => Math.round((samples / mixRate) * 1_000_000);
    const { position, isSpoken } = block;
    this.#ports.deliver({
      participant: open.participant,
      timeUs: inUs(position),
      durationUs: inUs(mixBlock),
      isSpoken,
      bytes,
    });
  }

  async #close(participantId: string, open: ParticipantEncoder): Promise<void> {
    if (this.#encoders.get(participantId) === open) this.#encoders.delete(participantId);
    if (open.encoder.state === 'configured')
      await open.encoder.flush().catch((error: unknown) => this.#ports.report(error));
    if (open.encoder.state !== 'closed') open.encoder.close();
  }
}

import { mixBlock, mixRate } from '../mixer/audio-mix.page.ts';
import { chunkBytes, configureOpus, encodeSamples, samplesInUs } from './opus-encoding.page.ts';
import type { ParticipantBlock } from '../mixer/participant-audio-mixes.page.ts';

/** Requested bit rate; speech takes half as much again. */
const participantBitsPerSecond = 24_000;
/** Complexity 10 costs two and a half times as much, `voip` almost twice, without a difference for speech at this rate. */
const opusSettings = { frameDuration: samplesInUs(mixBlock), complexity: 5, application: 'audio' };
/** More participants seldom speak within half a minute; the one that is silent for longest is removed. */
const encodersMost = 6;
const idleSamples = mixRate * 30;
const failuresMost = 20;

export type DeliverPacket = (block: ParticipantBlock, bytes: Uint8Array<ArrayBuffer>) => void;

interface ParticipantEncoder {
  readonly encoder: AudioEncoder;
  /** Blocks that went in and did not come out yet: the encoder's timestamps continue across gaps. */
  readonly within: ParticipantBlock[];
  /** Contiguous blocks that wait to go in together. */
  readonly waiting: Float32Array[];
  end: number;
}

/** An Opus encoder for each audible participant. One block in gives one packet out. */
export class ParticipantEncoders {
  readonly #deliver: DeliverPacket;
  readonly #report: (error: unknown) => void;
  readonly #encoders = new Map<string, ParticipantEncoder>();
  #failures = 0;

  constructor(deliver: DeliverPacket, report: (error: unknown) => void) {
    this.#deliver = deliver;
    this.#report = report;
  }

  add(block: ParticipantBlock, samples: Float32Array): void {
    const open = this.#openFor(block.participant.participantId);
    if (open === null) return;
    open.waiting.push(samples);
    open.within.push(block);
    open.end = block.position + mixBlock;
  }

  /** Encodes waiting blocks, and closes encoders that were idle for long. */
  encode(position: number): void {
    for (const [participantId, open] of this.#encoders) {
      this.#encode(open);
      if (position - open.end > idleSamples) void this.#close(participantId, open);
    }
  }

  /** Resolves when everything is delivered. */
  async finish(): Promise<void> {
    await Promise.all([...this.#encoders].map((one) => this.#close(...one)));
  }

  #openFor(participantId: string): ParticipantEncoder | null {
    const known = this.#encoders.get(participantId);
    if (known?.encoder.state === 'configured') return known;
    if (this.#failures > failuresMost) return null;
    const [longest] = [...this.#encoders].toSorted(([, one], [, other]) => one.end - other.end);
    if (longest && this.#encoders.size >= encodersMost) void this.#close(...longest);
    const within: ParticipantBlock[] = [];
    const encoder = new AudioEncoder({
      output: (chunk) => {
        const block = within.shift();
        // Extra packets at the end only flush the encoder.
        if (block) this.#deliver(block, chunkBytes(chunk));
      },
      error: (error) => {
        this.#failures += 1;
        this.#report(error);
      },
    });
    configureOpus(encoder, participantBitsPerSecond, opusSettings);
    const open = { encoder, within, waiting: [], end: 0 };
    this.#encoders.set(participantId, open);
    return open;
  }

  #encode({ encoder, waiting, end }: ParticipantEncoder): void {
    const blocks = waiting.splice(0);
    if (blocks.length === 0 || encoder.state !== 'configured') return;
    const samples = new Float32Array(blocks.length * mixBlock);
    blocks.forEach((block, index) => samples.set(block, index * mixBlock));
    encodeSamples(encoder, samples, end - samples.length);
  }

  async #close(participantId: string, open: ParticipantEncoder): Promise<void> {
    if (this.#encoders.get(participantId) === open) this.#encoders.delete(participantId);
    this.#encode(open);
    if (open.encoder.state === 'configured') await open.encoder.flush().catch(this.#report);
    if (open.encoder.state !== 'closed') open.encoder.close();
  }
}

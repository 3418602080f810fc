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

interface ParticipantEncoder {
  readonly encoder: AudioEncoder;
  /** Blocks that went in and did not come out yet: encoders count on where gaps are. */
  readonly within: Omit<ParticipantBlock, 'samples'>[];
  /** Blocks that follow on each other and wait to go in at once. */
  waiting: Float32Array[];
  end: number;
}

/** An Opus encoder for each participant who is heard. One block in gives one packet out. */
export class ParticipantEncoders {
  readonly #deliver: (packet: EncodedParticipant) => void;
  readonly #report: (error: unknown) => void;
  readonly #encoders = new Map<string, ParticipantEncoder>();
  #failures = 0;

  constructor(deliver: (packet: EncodedParticipant) => void, report: (error: unknown) => void) {
    this.#deliver = deliver;
    this.#report = report;
  }

  /** One block. */
  add({ samples, ...block }: ParticipantBlock): void {
    const open = this.#openFor(block.participant.participantId);
    open?.waiting.push(samples);
    open?.within.push(block);
    if (open) open.end = block.position + mixBlock;
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
    await Promise.all([...this.#encoders].map(([participantId, open]) => this.#close(participantId, open)));
  }

  #openFor(participantId: string): ParticipantEncoder | null {
    const known = this.#encoders.get(participantId);
    if (known?.encoder.state === 'configured') return known;
    if (this.#failures > failuresMost) return null;
    const [longest] = [...this.#encoders].toSorted(([, one], [, other]) => one.end - other.end);
    if (longest && this.#encoders.size >= encodersMost) void this.#close(...longest);
    const within: ParticipantEncoder['within'] = [];
    const encoder = new AudioEncoder({
      output: (chunk) => this.#output(within.shift(), chunk),
      error: (error) => {
        this.#failures += 1;
        this.#report(error);
      },
    });
    encoder.configure({
      codec: 'opus',
      sampleRate: mixRate,
      numberOfChannels: 1,
      bitrate: participantBitsPerSecond,
      opus: { frameDuration: inUs(mixBlock), complexity: participantComplexity, application: 'audio' },
    } as AudioEncoderConfig);
    const open = { encoder, within, waiting: [], end: 0 };
    this.#encoders.set(participantId, open);
    return open;
  }

  #encode(open: ParticipantEncoder): void {
    const blocks = open.waiting.splice(0);
    if (blocks.length === 0 || open.encoder.state !== 'configured') return;
    const samples = new Float32Array(blocks.length * mixBlock);
    blocks.forEach((block, index) => samples.set(block, index * mixBlock));
    const data = new AudioData({
      format: 'f32',
      sampleRate: mixRate,
      numberOfFrames: samples.length,
      numberOfChannels: 1,
      timestamp: inUs(open.end - samples.length),
      data: samples,
    });
    open.encoder.encode(data);
    data.close();
  }

  /** @param block undefined: more than went in is the encoder's own filling up at its end */
  #output(block: Omit<ParticipantBlock, 'samples'> | undefined, chunk: EncodedAudioChunk): void {
    if (block === undefined) return;
    const bytes = new Uint8Array(chunk.byteLength);
    chunk.copyTo(bytes);
    const { participant, position, isSpoken } = block;
    this.#deliver({ participant, timeUs: inUs(position), durationUs: inUs(mixBlock), isSpoken, bytes });
  }

  async #close(participantId: string, open: ParticipantEncoder): Promise<void> {
    if (this.#encoders.get(participantId) === open) this.#encoders.delete(participantId);
    this.#encode(open);
    if (open.encoder.state === 'configured') await open.encoder.flush().catch(this.#report);
    if (open.encoder.state !== 'closed') open.encoder.close();
  }
}

function inUs(samples: number): number {
  return Math.round((samples / mixRate) * 1_000_000);
}

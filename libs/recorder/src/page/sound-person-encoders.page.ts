import type { SoundPerson } from './messages.ts';
import { mixBlock, mixRate } from './sound-mix.page.ts';
import type { PersonBlock } from './sound-persons.page.ts';

/** What is asked for; speech takes half as much again. */
const personBitsPerSecond = 24_000;
/** Of 10. Highest it costs two and a half times as much, and as `voip` almost twice, for a difference that speech at this rate does not have. */
const personComplexity = 5;
/** More people than this seldom speak within half a minute; who fell silent longest gives way. */
const encodersMost = 6;
const idleSamples = mixRate * 30;
const failuresMost = 20;

export interface EncodedPerson {
  readonly person: SoundPerson;
  readonly timeUs: number;
  readonly durationUs: number;
  readonly isSpoken: boolean;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface PersonEncoderPorts {
  deliver(packet: EncodedPerson): void;
  report(error: unknown): void;
}

interface PersonEncoder {
  readonly encoder: AudioEncoder;
  person: SoundPerson;
  /** Positions of the blocks that went in and did not come out yet: encoders count on where gaps are. */
  readonly within: { readonly position: number; readonly isSpoken: boolean }[];
  /** Blocks that follow on each other and wait to go in at once. */
  waiting: Float32Array[];
  end: number;
}

/** An Opus encoder for each person who is heard. One block in gives one packet out. */
export class PersonEncoders {
  readonly #ports: PersonEncoderPorts;
  readonly #encoders = new Map<string, PersonEncoder>();
  #failures = 0;

  constructor(ports: PersonEncoderPorts) {
    this.#ports = ports;
  }

  /** One block. */
  add({ person, samples, position, isSpoken }: PersonBlock): void {
    const open = this.#openFor(person);
    if (open === null) return;
    open.person = person;
    open.waiting.push(samples);
    open.within.push({ position, isSpoken });
    open.end = position + mixBlock;
  }

  /** Encodes what waits, and lets go of encoders that nobody needs. */
  encode(position: number): void {
    for (const [personId, open] of this.#encoders) {
      this.#encode(open);
      if (position - open.end > idleSamples) void this.#close(personId, open);
    }
  }

  /** Resolves when everything was delivered. */
  async finish(): Promise<void> {
    for (const open of this.#encoders.values()) this.#encode(open);
    await Promise.all([...this.#encoders].map(([personId, open]) => this.#close(personId, open)));
  }

  #openFor(person: SoundPerson): PersonEncoder | null {
    const known = this.#encoders.get(person.personId);
    if (known?.encoder.state === 'configured') return known;
    if (this.#failures > failuresMost) return null;
    if (this.#encoders.size >= encodersMost) {
      const [longest] = [...this.#encoders].toSorted(([, one], [, other]) => one.end - other.end);
      if (longest) {
        this.#encode(longest[1]);
        void this.#close(...longest);
      }
    }
    const open: PersonEncoder = {
      encoder: new AudioEncoder({
        output: (chunk) => this.#output(open, chunk),
        error: (error) => {
          this.#failures += 1;
          this.#ports.report(error);
        },
      }),
      person,
      within: [],
      waiting: [],
      end: 0,
    };
    open.encoder.configure({
      codec: 'opus',
      sampleRate: mixRate,
      numberOfChannels: 1,
      bitrate: personBitsPerSecond,
      opus: { frameDuration: (mixBlock / mixRate) * 1_000_000, complexity: personComplexity, application: 'audio' },
    } as AudioEncoderConfig);
    this.#encoders.set(person.personId, open);
    return open;
  }

  #encode(open: PersonEncoder): void {
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

  #output(open: PersonEncoder, chunk: EncodedAudioChunk): void {
    const block = open.within.shift();
    // More than went in is the encoder's own filling up at its end.
    if (block === undefined) return;
    const bytes = new Uint8Array(chunk.byteLength);
    chunk.copyTo(bytes);
    const inUs = (samples: number): number => Math.round((samples / mixRate) * 1_000_000);
    const { position, isSpoken } = block;
    this.#ports.deliver({ person: open.person, timeUs: inUs(position), durationUs: inUs(mixBlock), isSpoken, bytes });
  }

  async #close(personId: string, open: PersonEncoder): Promise<void> {
    if (this.#encoders.get(personId) === open) this.#encoders.delete(personId);
    if (open.encoder.state === 'configured')
      await open.encoder.flush().catch((error: unknown) => this.#ports.report(error));
    if (open.encoder.state !== 'closed') open.encoder.close();
  }
}

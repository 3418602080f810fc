import { createHash } from 'node:crypto';
import * as z from 'zod';

/** What is really said in an audio file; times are milliseconds from its beginning. */
export const speechTruthSchema = z.strictObject({
  durationMs: z.number().int().nonnegative(),
  words: z.array(
    z.strictObject({
      text: z.string().min(1).max(200),
      startMs: z.number().int().nonnegative(),
      endMs: z.number().int().nonnegative(),
      speaker: z.string().max(200).nullable().default(null),
    }),
  ),
});
export type SpeechTruth = z.infer<typeof speechTruthSchema>;
export type TruthWord = SpeechTruth['words'][number];

const kept = 5_000;
/** What audio of which nothing is known seems to say. */
const unknownAudio: SpeechTruth = {
  durationMs: 3_000,
  words: ['this', 'audio', 'is', 'not', 'known'].map((text, index) => ({
    text,
    startMs: 500 * index,
    endMs: 500 * index + 400,
    speaker: null,
  })),
};

/** Finds what audio of a room says; null: it is of no room. */
export type RecognizeRoom = (audio: Buffer) => Promise<SpeechTruth | null>;

/** What the simulated providers "recognize": what was registered for this very audio, else what the rooms know. */
export class SpeechTruths {
  readonly #byHash = new Map<string, SpeechTruth>();
  readonly #recognizeRoom: RecognizeRoom;

  constructor(recognizeRoom: RecognizeRoom = async () => null) {
    this.#recognizeRoom = recognizeRoom;
  }

  register(sha256: string, truth: SpeechTruth): void {
    this.#byHash.set(sha256, truth);
    const [oldest] = this.#byHash.keys();
    if (this.#byHash.size > kept && oldest !== undefined) this.#byHash.delete(oldest);
  }

  async of(audio: Buffer): Promise<SpeechTruth> {
    const sha256 = createHash('sha256').update(audio).digest('hex');
    const known = this.#byHash.get(sha256);
    if (known !== undefined) return known;
    const recognized = (await this.#recognizeRoom(audio)) ?? unknownAudio;
    this.register(sha256, recognized);
    return recognized;
  }
}

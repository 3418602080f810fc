import { createHash } from 'node:crypto';
import * as z from 'zod';

/** The actual words of an audio file; times are milliseconds from its beginning. */
export const speechTruthSchema = z.strictObject({
  durationMs: z.number().int().nonnegative(),
  words: z.array(
    z.strictObject({
      text: z.string().min(1).max(200),
      startMs: z.number().int().nonnegative(),
      endMs: z.number().int().nonnegative(),
      speaker: z.string().max(200).nullable().default(null),
      /** Omitted: English. */
      language: z.string().max(20).optional(),
    }),
  ),
});
export type SpeechTruth = z.infer<typeof speechTruthSchema>;
export type TruthWord = SpeechTruth['words'][number];

const kept = 5_000;
/** The result for unregistered audio. */
const unknownAudio: SpeechTruth = {
  durationMs: 3_000,
  words: ['this', 'audio', 'is', 'not', 'known'].map((text, index) => ({
    text,
    startMs: 500 * index,
    endMs: 500 * index + 400,
    speaker: null,
  })),
};

/** Returns the words in the audio of a room; null: of no room. */
export type RecognizeRoom = (audio: Buffer) => Promise<SpeechTruth | null>;

/** The results of simulated providers: the words registered for this audio, else those of the rooms. */
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

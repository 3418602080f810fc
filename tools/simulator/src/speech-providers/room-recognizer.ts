import { runProgram } from '../programs.ts';
import type { RoomRegistry } from '../rooms/room-registry.ts';
import type { LiveRecognizer } from './live/live-recognizer.ts';
import { alignEnvelope, binMs, envelopeOf, heardWords, recognizeSpeech, speechRateHz } from './room-speech.ts';
import type { Alignment, RoomSpeech } from './room-speech.ts';
import type { RecognizeRoom, TruthWord } from './speech-truth.ts';

const decodeMs = 120_000;

/** The speech of all rooms together, and of each of their participants alone: providers get both kinds of audio. */
function speechOf(rooms: RoomRegistry): RoomSpeech[] {
  return rooms.all().flatMap(({ schedule, options }) => {
    const loopMs = options.loopSeconds * 1_000;
    const alone = [...new Set(schedule.map(({ participantIndex }) => participantIndex))].map((index) => ({
      loopMs,
      schedule: schedule.filter(({ participantIndex }) => participantIndex === index),
    }));
    return [{ loopMs, schedule }, ...alone];
  });
}

/** Recognizes audio files of rooms that run, or ended some minutes ago. */
export function recognizeIn(rooms: RoomRegistry): RecognizeRoom {
  return async (audio) => {
    const known = speechOf(rooms);
    if (known.length === 0) return null;
    const parameters = `-v error -i pipe:0 -vn -f s16le -ac 1 -ar ${speechRateHz} pipe:1`.split(' ');
    const decoding = runProgram({ program: 'ffmpeg', arguments: parameters, deadlineMs: decodeMs, input: [audio] });
    const pcm = await decoding.catch(() => null);
    return pcm === null ? null : recognizeSpeech(pcm, known);
  };
}

/** Enough to find the position in a room's loop: 6 s of damaged audio sometimes resemble another part of it. */
const leastBins = 10_000 / binMs;
/** Length of audio that is aligned. */
const mostBins = 30_000 / binMs;
const alignEveryBins = 1_000 / binMs;
const bytesPerBin = (speechRateHz * 2 * binMs) / 1_000;
/** Two mentions of one word are no further apart. */
const sameWordMs = 200;

/** Recognizes the speech of a running room. Takes some seconds of speech to identify the room. */
export class RoomRecognizer implements LiveRecognizer {
  readonly #rooms: RoomRegistry;
  #held: Buffer = Buffer.alloc(0);
  #envelope: boolean[] = [];
  /** Session time of the envelope's first bin. */
  #fromMs = 0;
  #alignedBins = 0;
  #alignment: Alignment | null = null;
  #reported: TruthWord[] = [];
  isInWord = false;

  constructor(rooms: RoomRegistry) {
    this.#rooms = rooms;
  }

  take(pcm: Buffer): readonly TruthWord[] {
    const audio = Buffer.concat([this.#held, pcm]);
    const whole = audio.byteLength - (audio.byteLength % bytesPerBin);
    this.#held = Buffer.from(audio.subarray(whole));
    this.#envelope.push(...envelopeOf(audio.subarray(0, whole)));
    this.#alignedBins += whole / bytesPerBin;
    this.#forgetOld();
    if (this.#envelope.length >= leastBins && this.#alignedBins >= alignEveryBins) {
      this.#alignedBins = 0;
      this.#alignment = alignEnvelope(this.#envelope, speechOf(this.#rooms));
    }
    this.isInWord = this.#envelope.at(-1) === true;
    return this.#alignment === null ? [] : this.#newWords(this.#alignment);
  }

  #newWords(alignment: Alignment): TruthWord[] {
    const words = heardWords(this.#envelope, alignment)
      .map((word) => ({ ...word, startMs: word.startMs + this.#fromMs, endMs: word.endMs + this.#fromMs }))
      .filter((word) => !this.#reported.some((reported) => isSame(reported, word)));
    const lastMs = this.#reported.at(-1)?.startMs ?? 0;
    const later = words.filter(({ startMs }) => startMs >= lastMs - sameWordMs);
    this.#reported.push(...later);
    return later;
  }

  #forgetOld(): void {
    const extra = this.#envelope.length - mostBins;
    if (extra <= 0) return;
    this.#envelope.splice(0, extra);
    this.#fromMs += extra * binMs;
    // The alignment is of the envelope's first bin.
    if (this.#alignment !== null) {
      const { speech, offsetMs, score } = this.#alignment;
      this.#alignment = { speech, score, offsetMs: (offsetMs + extra * binMs) % speech.loopMs };
    }
    this.#reported = this.#reported.filter(({ endMs }) => endMs >= this.#fromMs - 1_000);
  }
}

function isSame(one: TruthWord, other: TruthWord): boolean {
  return one.text === other.text && Math.abs(one.startMs - other.startMs) <= sameWordMs;
}

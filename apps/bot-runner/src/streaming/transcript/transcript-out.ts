import type { LiveEngine, LiveTranscription } from '@rapporteur/contracts';
import type { SessionSignal } from '@rapporteur/meeting-platforms';
import type { OutboundMessage } from '@rapporteur/outbound-http';
import { liveSampleRateHz, meanConfidence, textOfWords } from '@rapporteur/speech-to-text';
import type { LabelledWord } from '@rapporteur/speech-to-text';
import type { OutgoingStream } from '../audio-out.ts';
import type { RepeatedWarnings } from '../repeated-warnings.ts';
import type { SpeakerFrames } from '../speaker-frames.ts';
import { LiveTranscriber } from './live-transcriber.ts';
import type { OpenLiveSession, TranscribedUtterance } from './live-transcriber.ts';
import { SpeechAttribution } from './speech-attribution.ts';
import type { SegmentSpeaker } from './speech-attribution.ts';
import { TranscriptFeed } from './transcript-feed.ts';
import type { RunContext } from '../../run-context.ts';

/** A position of the streamed audio on other time lines. */
interface StreamMoment {
  readonly epochMs: number;
  /** Media time of the recording; it does not advance in pauses. */
  readonly mediaMs: number;
}

interface Anchor extends StreamMoment {
  readonly positionMs: number;
}

/** Tolerance between a block's start and the end of the one before. */
const toleranceMs = 150;
const mostAnchors = 2_000;

/** Maps positions in the streamed audio, which has no gaps, to clock time and recording time, which have. */
export class StreamTime {
  readonly #anchors: Anchor[] = [];
  #positionMs = 0;
  #next: StreamMoment | null = null;
  #isAfterPause = false;

  /** All audio so far. */
  get positionMs(): number {
    return this.#positionMs;
  }

  /** The next audio does not continue the previous one, and the recording is paused in between. */
  paused(): void {
    this.#isAfterPause = true;
  }

  /** @param startMs epoch ms of the block's first sample */
  add(startMs: number, lengthMs: number): void {
    const expected = this.#next ?? { epochMs: startMs, mediaMs: 0 };
    const gapMs = startMs - expected.epochMs;
    const isGap = Math.abs(gapMs) > toleranceMs;
    const mediaMs = expected.mediaMs + (isGap && !this.#isAfterPause ? Math.max(0, gapMs) : 0);
    const moment = { epochMs: isGap ? startMs : expected.epochMs, mediaMs };
    if (isGap || this.#next === null) this.#anchors.push({ positionMs: this.#positionMs, ...moment });
    if (this.#anchors.length > mostAnchors) this.#anchors.shift();
    if (isGap) this.#isAfterPause = false;
    this.#positionMs += lengthMs;
    this.#next = { epochMs: moment.epochMs + lengthMs, mediaMs: mediaMs + lengthMs };
  }

  at(positionMs: number): StreamMoment {
    const anchor = this.#anchors.findLast((one) => one.positionMs <= positionMs) ?? this.#anchors[0];
    if (anchor === undefined) return { epochMs: 0, mediaMs: 0 };
    const sinceMs = positionMs - anchor.positionMs;
    return { epochMs: anchor.epochMs + sinceMs, mediaMs: anchor.mediaMs + sinceMs };
  }
}

export interface TranscriptOutDependencies extends Pick<RunContext, 'clock' | 'logger'> {
  readonly botId: string;
  readonly transcription: LiveTranscription;
  readonly openSession: OpenLiveSession;
  readonly send: (message: OutboundMessage) => boolean;
  readonly waitingBytes: () => number;
  readonly speakers: SpeakerFrames;
  readonly warnings: RepeatedWarnings;
}

const blockMs = 100;
/** Time for the last results of the provider, and for the last messages to the receiver. */
const finishMs = 4_000;
const settleMs = 500;
const settleCheckMs = 20;

/** Transcribes the audio of the meeting while it is recorded, and sends the transcript. */
export class TranscriptOut implements OutgoingStream {
  readonly rateHz = liveSampleRateHz;
  readonly #dependencies: TranscriptOutDependencies;
  readonly #sessionId = crypto.randomUUID();
  readonly #time = new StreamTime();
  readonly #feed: TranscriptFeed;
  readonly #attribution: SpeechAttribution;
  readonly #transcriber: LiveTranscriber;

  constructor(dependencies: TranscriptOutDependencies) {
    const { transcription, openSession, clock, logger, botId } = dependencies;
    this.#dependencies = dependencies;
    this.#feed = new TranscriptFeed({ ...dependencies, extra: transcription.extra });
    this.#attribution = new SpeechAttribution(dependencies.speakers, () => clock.now());
    this.#transcriber = new LiveTranscriber({
      engines: transcription.engines,
      idPrefix: this.#sessionId.slice(0, 8),
      openSession,
      clock,
      logger,
      listener: {
        sessionStarted: (engine) => this.#sessionStarted(engine),
        utterance: (utterance) => this.#send(utterance),
        translation: ({ segmentId, language, text, isFinal }) => {
          const data = { bot_id: botId, segment_id: segmentId, language, text, is_final: isFinal };
          if (isFinal) this.#feed.add('translation', data);
          else this.#feed.partial('translation', data);
        },
        problem: (problem) => this.#feed.add('error', { bot_id: botId, ...problem }),
      },
    });
  }

  get offsetSeconds(): number {
    return Math.round(this.#time.positionMs / 100) / 10;
  }

  handshake(): object {
    return { mode: 'transcription', session_id: this.#sessionId, next_sequence: this.#feed.nextSequence };
  }

  resume(): void {}

  hold(): void {
    this.#time.paused();
  }

  audio(pcm: Buffer, startMs: number): void {
    const { positionMs } = this.#time;
    this.#time.add(startMs, blockMs);
    this.#transcriber.take(positionMs, pcm);
  }

  onSignal(signal: SessionSignal): void {
    if (signal.kind === 'participant') this.#dependencies.speakers.note(signal);
    this.#attribution.onSignal(signal);
  }

  connected(): void {
    this.#feed.connected();
  }

  lost(): void {
    this.#feed.lost();
  }

  take(message: OutboundMessage): boolean {
    return this.#feed.take(message);
  }

  async finish(): Promise<void> {
    const { clock } = this.#dependencies;
    await this.#transcriber.finish(finishMs);
    for (let waitedMs = 0; !this.#feed.isSettled && waitedMs < settleMs; waitedMs += settleCheckMs) {
      await clock.sleep(settleCheckMs);
    }
    this.#feed.stop();
  }

  #sessionStarted({ provider, region }: LiveEngine): void {
    this.#attribution.sessionStarted();
    this.#feed.add('session.started', {
      bot_id: this.#dependencies.botId,
      session_id: this.#sessionId,
      provider,
      region,
      sample_rate: this.rateHz,
      started_at: new Date(this.#dependencies.clock.now()).toISOString(),
    });
  }

  #send(utterance: TranscribedUtterance): void {
    const epochMs = (positionMs: number): number => this.#time.at(positionMs).epochMs;
    if (utterance.participant !== undefined)
      return this.#add(utterance, this.#attribution.certain(utterance.participant));
    if (!utterance.isFinal || utterance.words.length === 0) {
      const span = { startMs: epochMs(utterance.startMs), endMs: epochMs(utterance.endMs) };
      const speaker = this.#attribution.mostly(span, utterance.words[0]?.speaker ?? null);
      return this.#add(utterance, speaker);
    }
    // Attribution compares with the platform's signals, which are on the clock.
    const placed = utterance.words.map((word, index) => ({
      ...word,
      startMs: epochMs(word.startMs),
      endMs: epochMs(word.endMs),
      index,
    }));
    const parts = this.#attribution.split(placed);
    for (const [number, part] of parts.entries()) {
      const words = part.words.flatMap(({ index }) => utterance.words.slice(index, index + 1));
      const own = parts.length === 1 ? utterance : { ...utterance, ...partOf(words) };
      const segmentId = number === 0 ? utterance.segmentId : `${utterance.segmentId}-${number + 1}`;
      this.#feed.add('transcript.segment', this.#describe(own, part.speaker, segmentId));
    }
  }

  #add(utterance: TranscribedUtterance, speaker: SegmentSpeaker): void {
    const data = this.#describe(utterance, speaker, utterance.segmentId);
    if (utterance.isFinal) this.#feed.add('transcript.segment', data);
    else this.#feed.partial('transcript.segment', data);
  }

  #describe(utterance: TranscribedUtterance, speaker: SegmentSpeaker, segmentId: string): object {
    const { isFinal, text, language, confidence, words, engine } = utterance;
    const seconds = (positionMs: number): number => Math.round(this.#time.at(positionMs).mediaMs) / 1_000;
    return {
      bot_id: this.#dependencies.botId,
      segment_id: segmentId,
      is_final: isFinal,
      text,
      language,
      speaker,
      start: seconds(utterance.startMs),
      end: seconds(utterance.endMs),
      start_at: new Date(this.#time.at(utterance.startMs).epochMs).toISOString(),
      confidence,
      words: words.map((word) => ({
        word: word.text,
        start: seconds(word.startMs),
        end: seconds(word.endMs),
        confidence: word.confidence,
        ...(word.interpolated === true ? { interpolated: true } : {}),
      })),
      channel: words[0]?.channel ?? 0,
      provider: engine.provider,
    };
  }
}

/** An utterance that consists of these words only. */
function partOf(words: readonly LabelledWord[]) {
  return {
    text: textOfWords(words),
    startMs: words[0]?.startMs ?? 0,
    endMs: Math.max(0, ...words.map(({ endMs }) => endMs)),
    confidence: meanConfidence(words),
    words,
  };
}

import { languagesOf, textOfWords } from '@rapporteur/speech-to-text';
import type { TranscriptUtterance } from '@rapporteur/speech-to-text';
import type { AttributedUtterance, TranscribedPart } from '../attribution/attribute.ts';
import type { SpeakerName } from '../schema/entities.ts';

export interface DocumentFacts {
  readonly botId: string;
  readonly provider: string;
  readonly durationMs: number;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** A transcribed part, and the time from its submission to the end of the transcription. */
export interface TimedPart extends TranscribedPart {
  readonly tookMs: number;
}

/** What is not transcribed: seconds of the recording, of one participant or, with null, of the meeting. */
export interface MissingSpan {
  readonly speaker: string | null;
  readonly speaker_id: number | null;
  readonly original_speaker: string | null;
  readonly start: number;
  readonly end: number;
  readonly reason: string;
}

const seconds = (ms: number): number => Math.round(ms) / 1_000;

/** The artifact `transcription`: the same shape for every provider. */
export function transcriptionDocument(
  facts: DocumentFacts,
  utterances: readonly AttributedUtterance[],
  missing: readonly MissingSpan[],
) {
  return {
    bot_id: facts.botId,
    provider: facts.provider,
    result: {
      utterances: utterances.map((utterance) => ({
        ...utteranceOf(utterance),
        speaker: utterance.speaker,
        speaker_id: utterance.speakerId,
        original_speaker: null as string | null,
        speaker_candidates: utterance.speakerCandidates,
        speaker_voice: utterance.speakerVoice,
        speaker_confidence: utterance.speakerConfidence,
      })),
      languages: languagesOf(utterances),
      total_utterances: utterances.length,
      total_duration: seconds(facts.durationMs),
      ...(missing.length === 0 ? {} : { missing }),
    },
    created_at: facts.createdAt,
  };
}

export type TranscriptionDocument = ReturnType<typeof transcriptionDocument>;
type Named = Pick<MissingSpan, 'speaker' | 'speaker_id' | 'original_speaker'>;

/** The document with these names in place of those in the meeting, which `original_speaker` keeps. */
export function withNames(document: TranscriptionDocument, names: readonly SpeakerName[]): TranscriptionDocument {
  const named = <T extends Named>(entry: T): T => {
    const original = entry.original_speaker ?? entry.speaker;
    const name = nameOf(names, original, entry.speaker_id);
    return { ...entry, speaker: name ?? original, original_speaker: name === null ? null : original };
  };
  const { utterances, missing, ...result } = document.result;
  const parts = {
    utterances: utterances.map(named),
    ...(missing === undefined ? {} : { missing: missing.map(named) }),
  };
  return { ...document, result: { ...result, ...parts } };
}

/** The name given to a speaker; null: none. */
export function nameOf(names: readonly SpeakerName[], original: string | null, id: number | null): string | null {
  return names.find(({ speaker, speakerId }) => speaker === original && speakerId === id)?.name ?? null;
}

/** The artifact `raw_transcription`: one entry per audio file, with the provider's speaker numbers and document. */
export function rawTranscriptionDocument(facts: DocumentFacts, parts: readonly TimedPart[]) {
  return {
    bot_id: facts.botId,
    transcriptions: parts.map(({ participant, transcript, tookMs }) => {
      const labels = [...new Set(transcript.utterances.map(({ speaker }) => speaker))];
      const durationMs = transcript.durationMs ?? facts.durationMs;
      return {
        metadata: {
          audio_duration: seconds(durationMs),
          number_of_distinct_channels: 1 + Math.max(0, ...transcript.utterances.map(({ channel }) => channel)),
          billing_time: seconds(transcript.billedMs ?? durationMs),
          transcription_time: seconds(tookMs),
        },
        transcription: {
          full_transcript: textOfWords(transcript.utterances),
          languages: transcript.languages,
          utterances: transcript.utterances.map((utterance) => ({
            ...utteranceOf(utterance),
            speaker: labels.indexOf(utterance.speaker),
          })),
        },
        participant,
        provider_document: transcript.raw,
      };
    }),
    created_at: facts.createdAt,
  };
}

/** The common fields of an utterance; each document adds its own speaker fields. */
function utteranceOf(utterance: Omit<TranscriptUtterance, 'speaker'>) {
  return {
    text: utterance.text,
    language: utterance.language,
    start: seconds(utterance.startMs),
    end: seconds(utterance.endMs),
    confidence: utterance.confidence,
    channel: utterance.channel,
    words: wordsOf(utterance),
  };
}

function wordsOf({ words }: Pick<TranscriptUtterance, 'words'>) {
  return words.map(({ text, startMs, endMs, confidence, interpolated }) => ({
    word: text,
    start: seconds(startMs),
    end: seconds(endMs),
    confidence,
    ...(interpolated === true ? { interpolated } : {}),
  }));
}

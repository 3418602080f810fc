import type { Transcript, TranscriptUtterance, TranscriptWord } from '@rapporteur/speech-to-text';
import { attributeWord, LabelSpeakers, meanConfidence, splitBySpeaker, TurnIndex } from '@rapporteur/speech-to-text';
import type { PartParticipant } from '../schema/entities.ts';
import type { SpeakerTurn } from './speaker-timeline.ts';

export const unknownSpeaker = 'unknown';

/** An utterance of one speaker, with the confidence of the attribution. */
export interface AttributedUtterance extends Omit<TranscriptUtterance, 'speaker'> {
  readonly speaker: string;
  /** Id in the bot's participants; null for a speaker who is not among them. */
  readonly speakerId: number | null;
  /** 0 to 1; null for `unknown`. */
  readonly speakerConfidence: number | null;
}

export interface TranscribedPart {
  /** The owner of the audio; null: audio of the whole meeting. */
  readonly participant: PartParticipant | null;
  readonly transcript: Transcript;
}

export interface AttributionFacts {
  readonly timeline: readonly SpeakerTurn[];
  readonly participants: readonly { readonly id: number | null; readonly name: string }[];
}

/** The utterances of all parts, sorted by start. Overlapping speech is kept for each of its speakers. */
export function attribute(parts: readonly TranscribedPart[], facts: AttributionFacts): AttributedUtterance[] {
  return parts
    .flatMap((part) =>
      part.participant === null ? byTimeline(part.transcript, facts) : byTrack(part.transcript, part.participant),
    )
    .toSorted((one, other) => one.startMs - other.startMs || one.endMs - other.endMs);
}

function byTrack({ utterances }: Transcript, participant: PartParticipant): AttributedUtterance[] {
  return utterances.map((utterance) => saidBy(utterance, participant));
}

function saidBy(utterance: TranscriptUtterance, { id, name }: PartParticipant): AttributedUtterance {
  return { ...utterance, speaker: name, speakerId: id, speakerConfidence: 1 };
}

function byTimeline(transcript: Transcript, { timeline, participants }: AttributionFacts): AttributedUtterance[] {
  const index = new TurnIndex(timeline);
  const labels = speakersOfLabels(transcript, index);
  return transcript.utterances.flatMap((utterance) => {
    if (utterance.participant !== undefined) return [saidBy(utterance, utterance.participant)];
    const label = labels.speakerOf(utterance.speaker);
    const words = utterance.words.length > 0 ? utterance.words : [wholeUtterance(utterance)];
    const attributed = words.map((word) => ({ word, by: attributeWord(word, index, label) }));
    return splitBySpeaker(attributed).map(({ speaker, own }) => {
      const by = speaker ?? unknownSpeaker;
      const isWhole = own.length === words.length;
      const speakerId = participants.find(({ name }) => name === by)?.id ?? null;
      return {
        ...utterance,
        text: isWhole ? utterance.text : own.map(({ word }) => word.text).join(' '),
        startMs: isWhole ? utterance.startMs : (own[0]?.word.startMs ?? utterance.startMs),
        endMs: isWhole ? utterance.endMs : (own.at(-1)?.word.endMs ?? utterance.endMs),
        confidence: isWhole ? utterance.confidence : meanConfidence(own.map(({ word }) => word)),
        words: utterance.words.length > 0 ? own.map(({ word }) => word) : [],
        speaker: by,
        speakerId,
        speakerConfidence: meanConfidence(own.map((one) => ({ confidence: one.by.confidence }))),
      };
    });
  });
}

function wholeUtterance({ text, startMs, endMs, confidence }: TranscriptUtterance): TranscriptWord {
  return { text, startMs, endMs, confidence };
}

function speakersOfLabels(transcript: Transcript, index: TurnIndex): LabelSpeakers {
  const labels = new LabelSpeakers();
  for (const { speaker: label, words } of transcript.utterances) {
    if (label !== null) for (const word of words) labels.note(label, word, index);
  }
  return labels;
}

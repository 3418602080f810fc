import {
  attributeWord,
  LabelSpeakers,
  meanConfidence,
  splitBySpeaker,
  textOfWords,
  TurnIndex,
} from '@rapporteur/speech-to-text';
import type { Transcript, TranscriptUtterance, TranscriptWord } from '@rapporteur/speech-to-text';
import { z } from 'zod';
import type { PartParticipant } from '../schema/entities.ts';

export const unknownSpeaker = 'unknown';

/** An utterance of one speaker, with the confidence of the attribution. */
export interface AttributedUtterance extends Omit<TranscriptUtterance, 'speaker'> {
  /** Name of the participant, with the voice where the provider distinguishes several: `Room, voice 2`. */
  readonly speaker: string;
  /** Id in the bot's participants; null for a speaker who is not among them, and for one of several. */
  readonly speakerId: number | null;
  /** The participants of that name, where it is one of several between which no source distinguishes; else absent. */
  readonly speakerCandidates?: readonly number[] | undefined;
  /** From 1, where the provider distinguishes several voices of one speaker: people at one microphone; else absent. */
  readonly speakerVoice?: number;
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

/** A speaker without the voice, and the label of the provider. */
interface Said {
  readonly utterance: AttributedUtterance;
  /** Unique in the part; null without one, or where the label is mostly that of another speaker. */
  readonly label: string | null;
}

type Speaker = Pick<AttributedUtterance, 'speaker' | 'speakerId' | 'speakerCandidates'>;
const unidentified: Speaker = { speaker: unknownSpeaker, speakerId: null };

/** The utterances of all parts, sorted by start. Overlapping speech is kept for each of its speakers. */
export function attribute(parts: readonly TranscribedPart[], facts: AttributionFacts): AttributedUtterance[] {
  const said = parts.flatMap((part, index) => {
    const { transcript, participant } = part;
    const own = participant === null ? byTimeline(transcript, facts) : byTrack(transcript, participant);
    return own.map(({ utterance, label }): Said => ({ utterance, label: label === null ? null : `${index}:${label}` }));
  });
  return numberVoice(
    said.toSorted(({ utterance: one }, { utterance: other }) => one.startMs - other.startMs || one.endMs - other.endMs),
  );
}

function byTrack({ utterances }: Transcript, { id, name }: PartParticipant): Said[] {
  return utterances.map((utterance) => ({
    utterance: { ...utterance, speaker: name, speakerId: id, speakerConfidence: 1 },
    label: utterance.speaker,
  }));
}

function byTimeline(transcript: Transcript, facts: AttributionFacts): Said[] {
  const { turns, speakers } = identified(facts);
  const index = new TurnIndex(turns);
  const labels = speakersOfLabels(transcript, index);
  return transcript.utterances.flatMap((utterance): Said[] => {
    const { speaker: label, participant } = utterance;
    if (participant !== undefined) {
      const { id, name, candidates } = participant;
      const by = { speaker: name, speakerId: id, speakerCandidates: candidates, speakerConfidence: 1 };
      return [{ utterance: { ...utterance, ...by }, label: null }];
    }
    const labelled = labels.speakerOf(label);
    const words = utterance.words.length > 0 ? utterance.words : [wholeUtterance(utterance)];
    const attributed = words.map((word) => ({ word, by: attributeWord(word, index, labelled) }));
    return splitBySpeaker(attributed).map(({ speaker, own }) => {
      const isWhole = own.length === words.length;
      const part = {
        ...utterance,
        text: isWhole ? utterance.text : textOfWords(own.map(({ word }) => word)),
        startMs: isWhole ? utterance.startMs : (own[0]?.word.startMs ?? utterance.startMs),
        endMs: isWhole ? utterance.endMs : (own.at(-1)?.word.endMs ?? utterance.endMs),
        confidence: isWhole ? utterance.confidence : meanConfidence(own.map(({ word }) => word)),
        words: utterance.words.length > 0 ? own.map(({ word }) => word) : [],
        ...(speakers.get(speaker ?? '') ?? unidentified),
        speakerConfidence: meanConfidence(own.map((one) => ({ confidence: one.by.confidence }))),
      };
      return { utterance: part, label: speaker === labelled ? label : null };
    });
  });
}

/** The turns with keys that are equal for one speaker only, and the speakers by key. */
function identified({ timeline, participants }: AttributionFacts) {
  const speakers = new Map<string, Speaker>();
  const idsOfName = Map.groupBy(participants, ({ name }) => name);
  const turns = timeline.map((turn) => {
    const { speaker, startMs, endMs } = turn;
    // A line without an id names a participant where only one has that name.
    const ids = (idsOfName.get(speaker) ?? []).flatMap(({ id }) => id ?? []);
    const speakerId = turn.speakerId === undefined && ids.length === 1 ? ids[0]! : (turn.speakerId ?? null);
    const speakerCandidates = turn.candidates ?? (turn.speakerId === undefined && ids.length > 1 ? ids : undefined);
    const by = { speaker, speakerId, speakerCandidates };
    const key = keyOf(by);
    if (!speakers.has(key)) speakers.set(key, by);
    return { speaker: key, startMs, endMs };
  });
  return { turns, speakers };
}

function keyOf({ speaker, speakerId, speakerCandidates }: Speaker): string {
  return JSON.stringify(speakerId ?? [speaker, ...(speakerCandidates ?? [])]);
}

/** Less of a speaker's speech is a mistake of the provider rather than another voice. */
const leastShareOfVoice = 0.05;

/** Numbers the voices of each speaker whose speech has several labels, in the order of their first speech. */
function numberVoice(said: readonly Said[]): AttributedUtterance[] {
  const labels = new Map<string, Map<string, number>>();
  for (const { utterance, label } of said) {
    if (label === null) continue;
    const key = keyOf(utterance);
    const spoken = labels.get(key) ?? new Map<string, number>();
    labels.set(key, spoken);
    spoken.set(label, (spoken.get(label) ?? 0) + utterance.endMs - utterance.startMs);
  }
  const distinct = new Map<string, string[]>();
  for (const [key, spoken] of labels) {
    const leastMs = leastShareOfVoice * [...spoken.values()].reduce((sum, ms) => sum + ms, 0);
    distinct.set(
      key,
      [...spoken].flatMap(([label, ms]) => (ms >= leastMs ? [label] : [])),
    );
  }
  return said.map(({ utterance, label }) => {
    const own = distinct.get(keyOf(utterance)) ?? [];
    const place = label === null || own.length < 2 ? -1 : own.indexOf(label);
    if (place === -1) return utterance;
    const { speaker } = utterance;
    const shown = speaker === unknownSpeaker ? speaker : `${speaker}, voice ${place + 1}`;
    return { ...utterance, speaker: shown, speakerVoice: place + 1 };
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

/** A speaker's turn, from the platform: a line of the diarization artifact. */
export interface SpeakerTurn {
  /** The name, which several participants may have. */
  readonly speaker: string;
  /** Id in the bot's participants; null: unknown, or one of `candidates`; absent: the line names no participant. */
  readonly speakerId?: number | null | undefined;
  readonly candidates?: readonly number[] | undefined;
  readonly startMs: number;
  readonly endMs: number;
}

const line = z.object({
  speaker: z.string(),
  speaker_id: z.int().nullable().optional(),
  speaker_candidates: z.array(z.int()).optional(),
  start_time: z.number(),
  end_time: z.number(),
});

/** Reads the diarization artifact (JSON Lines, seconds); invalid lines are skipped. */
export function readTimeline(text: string): SpeakerTurn[] {
  return text.split('\n').flatMap((written) => {
    if (written.trim() === '') return [];
    const read = line.safeParse(parseOrNull(written));
    if (!read.success) return [];
    const { speaker, speaker_id: speakerId, speaker_candidates: candidates, start_time, end_time } = read.data;
    const [startMs, endMs] = [Math.round(start_time * 1_000), Math.round(end_time * 1_000)];
    return [{ speaker, speakerId, candidates, startMs, endMs }];
  });
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

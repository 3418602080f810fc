import { integrityReport } from '@rapporteur/contracts';
import type { Artifact } from '@rapporteur/contracts';
import { batchLimitsOf, speechSpans } from '@rapporteur/speech-to-text';
import type { BatchLimits, BatchProviderName, Span } from '@rapporteur/speech-to-text';
import type { SpeakerTurn } from '../attribution/attribute.ts';
import { canCut } from '../audio/part-audio.ts';
import type { TranscriptionRequest } from '../schema/entities.ts';
import type { NewPart } from './jobs.store.ts';

interface Facts {
  readonly timeline: readonly SpeakerTurn[];
  /** The integrity report; null: there is none. */
  readonly integrity: string | null;
}

type Request = Pick<TranscriptionRequest, 'artifacts' | 'choice' | 'durationMs'>;

/**
 * The audio of each participant who spoke, where it covers what was said; else the audio of the whole meeting. What is
 * longer than the provider takes is cut where no participant speaks. The meeting's own captions are one file; without
 * them there is no part.
 */
export function planParts({ artifacts, choice, durationMs }: Request, facts: Facts): NewPart[] {
  if (choice.provider === 'meeting_captions') {
    return artifacts.filter(({ kind }) => kind === 'captions').map((captions) => partOf(captions, null));
  }
  const own = artifacts.filter(
    ({ kind, participant }) =>
      kind === 'participant_audio' && participant !== undefined && participant.speechSeconds > 0,
  );
  const limits = batchLimitsOf(choice.provider as BatchProviderName);
  const mixed = mixedAudioOf(artifacts, durationMs, limits);
  const files = mixed === undefined || (own.length > 0 && covers(own, facts)) ? own : [mixed];
  return files.flatMap((file) => {
    const owner = file.participant;
    const part = partOf(file, owner === undefined ? null : { id: owner.id, name: owner.name });
    const count = canCut(file.contentType) ? partsNeeded(file, durationMs, limits) : 1;
    if (count === 1) return [part];
    return cutSpans({ startMs: 0, endMs: durationMs }, count, facts.timeline).map(({ startMs, endMs }) => ({
      ...part,
      fromMs: startMs,
      toMs: endMs,
    }));
  });
}

const tolerance = 0.05;
const toleranceMs = 5_000;

/**
 * True when the participants' own files hold nearly all speech. What several of them share a track for, what belongs to
 * none of them (a shared screen), and what was said while no track was recorded is in the mixed audio only.
 */
function covers(own: readonly Artifact[], { timeline, integrity }: Facts): boolean {
  const report = integrityReport.shape.participantAudio.safeParse(participantAudioIn(integrity));
  const { sharedMs, unownedMs } = (report.success ? report.data : undefined) ?? {};
  if (sharedMs == null || unownedMs == null) return false;
  const ownMs = own.reduce((sum, { participant }) => sum + (participant?.speechSeconds ?? 0) * 1_000, 0);
  const saidMs = speechSpans(timeline).reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  const mostMs = toleranceMs + tolerance * ownMs;
  return sharedMs + unownedMs <= mostMs && saidMs - ownMs <= mostMs;
}

function participantAudioIn(integrity: string | null): unknown {
  try {
    return (JSON.parse(integrity ?? 'null') as { participantAudio?: unknown } | null)?.participantAudio;
  } catch {
    return undefined;
  }
}

/** The smaller file, if it exists and need not be cut. */
function mixedAudioOf(artifacts: readonly Artifact[], durationMs: number, limits: BatchLimits): Artifact | undefined {
  const found = (['audio_m4a', 'audio'] as const).flatMap((kind) => artifacts.find((one) => one.kind === kind) ?? []);
  return found.find((one) => canCut(one.contentType) || partsNeeded(one, durationMs, limits) === 1) ?? found[0];
}

/** Below the limits: a cut is moved to a pause, and a part has a header of its own. */
const usedShare = 0.9;

function partsNeeded({ bytes }: Artifact, durationMs: number, { minutes, bytes: mostBytes }: BatchLimits): number {
  const isWhole = durationMs <= minutes * 60_000 && bytes <= mostBytes;
  return isWhole ? 1 : Math.ceil(Math.max(durationMs / (minutes * 60_000), bytes / mostBytes) / usedShare);
}

/** Equal spans, whose borders are moved into pauses of the speech where there are some. */
export function cutSpans({ startMs, endMs }: Span, count: number, speech: readonly Span[]): Span[] {
  const lengthMs = (endMs - startMs) / count;
  const borders = Array.from({ length: count - 1 }, (_, index) => {
    const wanted = startMs + lengthMs * (index + 1);
    return Math.round(pauseNear(wanted, lengthMs * (1 - usedShare) * 0.5, speech));
  });
  return [...borders, endMs].map((end, index) => ({ startMs: borders[index - 1] ?? startMs, endMs: end }));
}

/** The middle of the nearest pause within some distance; without one the place itself. */
function pauseNear(wanted: number, distanceMs: number, speech: readonly Span[]): number {
  const spans = speechSpans(speech);
  const middles = [{ endMs: 0 }, ...spans].map(({ endMs }, index) => {
    const next = spans[index]?.startMs ?? Infinity;
    // A pause around the wanted place needs no other one.
    return endMs <= wanted && wanted <= next ? wanted : (endMs + Math.min(next, endMs + distanceMs)) / 2;
  });
  const near = middles.filter((one) => Math.abs(one - wanted) <= distanceMs);
  return near.toSorted((one, other) => Math.abs(one - wanted) - Math.abs(other - wanted))[0] ?? wanted;
}

function partOf({ key, contentType }: Artifact, participant: NewPart['participant']): NewPart {
  return { audioKey: key, contentType, participant, fromMs: null, toMs: null };
}

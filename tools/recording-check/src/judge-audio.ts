import { median, quantile } from './judge-frames.ts';

/** Signals that occur every second. */
export interface Beats {
  readonly found: number;
  /** Seconds without one, between the file's beginning and end. */
  readonly missing: number;
  /** found / (found + missing), 0..1. */
  readonly share: number;
}

/** A beat that the file's edge cuts is neither found nor missing: this much of it may be there. */
const cutBeatMs = 150;

/** @param times in ms. A step of a second and a half or more misses one beat or more, wherever in the second they fall */
export function judgeBeats(allTimes: readonly number[], durationMs: number): Beats {
  const times = allTimes.filter((time) => time <= durationMs);
  const edges = [0, ...times, durationMs];
  let missing = 0;
  edges.slice(1).forEach((time, index) => {
    const step = time - (edges[index] ?? 0);
    const isEdge = index === 0 || index === edges.length - 2;
    missing += isEdge ? Math.max(0, Math.floor((step - cutBeatMs) / 1_000)) : Math.max(0, Math.round(step / 1_000) - 1);
  });
  const found = times.length;
  return { found, missing, share: found + missing > 0 ? found / (found + missing) : 0 };
}

export interface AudioOffset {
  /** Positive: the audio is late. Null without pairs. */
  readonly medianMs: number | null;
  /** The percentile of the amount, whatever its sign. */
  readonly p95Ms: number | null;
  readonly pairs: number;
}

const pairWithinMs = 450;

/** Offset of each beep from its flash. */
export function judgeOffset(flashesMs: readonly number[], beepsMs: readonly number[]): AudioOffset {
  const offsets = flashesMs.flatMap((flash) => {
    const nearest = beepsMs.map((beep) => beep - flash).sort((left, right) => Math.abs(left) - Math.abs(right))[0];
    return nearest !== undefined && Math.abs(nearest) <= pairWithinMs ? [nearest] : [];
  });
  const round = (value: number | null): number | null => (value === null ? null : Math.round(value));
  return {
    medianMs: round(median(offsets)),
    p95Ms: round(quantile(offsets.map(Math.abs), 0.95)),
    pairs: offsets.length,
  };
}

const silenceRms = 0.001;
const silenceStepMs = 50;

/** Spans of at least `shortestMs` below -60 dBFS. */
export function findSilences(
  samples: Float32Array,
  sampleRate: number,
  shortestMs: number,
): { startMs: number; endMs: number }[] {
  const step = (sampleRate * silenceStepMs) / 1_000;
  const spans: { startMs: number; endMs: number }[] = [];
  for (let at = 0; at < samples.length; at += step) {
    const window = samples.subarray(at, at + step);
    const power = window.reduce((sum, sample) => sum + sample * sample, 0) / window.length;
    if (Math.sqrt(power) >= silenceRms) continue;
    const startMs = (at / sampleRate) * 1_000;
    const last = spans.at(-1);
    if (last && last.endMs === startMs) last.endMs += silenceStepMs;
    else spans.push({ startMs, endMs: startMs + silenceStepMs });
  }
  return spans.filter((span) => span.endMs - span.startMs >= shortestMs);
}

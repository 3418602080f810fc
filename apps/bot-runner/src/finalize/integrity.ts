import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reportLimits } from '@rapporteur/contracts';
import { uploadKinds } from '@rapporteur/contracts';
import type {
  Artifact,
  GapReason,
  IntegrityReport,
  MissingVideoReason,
  RecordingQuality,
  ResourceUsage,
  UploadsByKind,
} from '@rapporteur/contracts';
import type { IntegrityReport as RecordedIntegrity } from '@rapporteur/recorder';
import type { ArtifactFile } from './artifact-file.ts';

/** The resource usage of one run; not `complete` when it was killed and this is its last record. */
export type RunResourceUsage = IntegrityReport['resourceUsage']['runs'][number];

/** The integrity report on a recording whose other files are stored. */
export function integrityOf(
  recorded: RecordedIntegrity,
  stored: readonly Artifact[],
  runs: readonly RunResourceUsage[],
  eventsLost = 0,
): IntegrityReport {
  const known = <T>(values: readonly (T | null)[]): T[] => values.filter((value) => value !== null);
  const cpu = known(runs.map(({ cpuMs }) => cpuMs));
  const memory = known(runs.map(({ peakMemoryBytes }) => peakMemoryBytes));
  const requests = runs.flatMap(({ uploadRequests }) => uploadRequests ?? []);
  const uploads = runs.flatMap((run) => run.uploads ?? []);
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return {
    ...recorded,
    ...(eventsLost === 0 ? {} : { eventsLost }),
    files: stored.map(({ kind, bytes, sha256, participant }) => ({
      kind,
      bytes,
      sha256,
      ...(participant ? { participantId: participant.id } : {}),
    })),
    resourceUsage: {
      ...recorded.resourceUsage,
      cpuMs: cpu.length === runs.length ? sum(cpu) : null,
      peakMemoryBytes: memory.length === 0 ? null : Math.max(...memory),
      uploadedBytes: sum(runs.map(({ uploadedBytes }) => uploadedBytes)),
      ...(requests.length === runs.length ? { uploadRequests: sum(requests) } : {}),
      ...(uploads.length === runs.length ? { uploads: sumByKind(uploads) } : {}),
      runs: [...runs],
    },
  };
}

function sumByKind(uploads: readonly UploadsByKind[]): UploadsByKind {
  const entries = uploadKinds.flatMap((kind) => {
    const of = uploads.flatMap((byKind) => byKind[kind] ?? []);
    const bytes = of.reduce((total, one) => total + one.bytes, 0);
    const requests = of.reduce((total, one) => total + one.requests, 0);
    return of.length === 0 ? [] : [[kind, { bytes, requests }] as const];
  });
  return Object.fromEntries(entries);
}

export function resourceUsageOf({ resourceUsage }: IntegrityReport): ResourceUsage {
  const { cpuMs, peakMemoryBytes, uploadedBytes, uploadRequests } = resourceUsage;
  return { cpuMs, peakMemoryBytes, uploadedBytes, ...(uploadRequests === undefined ? {} : { uploadRequests }) };
}

const firstChoices: ReadonlySet<string> = new Set(['chosen', 'pinned']);

export function qualityOf(report: IntegrityReport): RecordingQuality {
  const { gapMs, gaps, captureStrategies, mode, videoMissing, audioImpaired, degradations } = report;
  const video = lossOf<MissingVideoReason>(videoMissing ?? []);
  const switches = captureStrategies.flatMap((attempt) => attempt?.switches ?? []);
  const strategySwitches = switches
    .filter(({ from, reason }) => from !== null && !firstChoices.has(reason))
    .map(({ media, reason }) => ({ media, reason }));
  return {
    gapMs: wholeMs(gapMs),
    gapReason: lossOf<GapReason>(gaps).reason,
    strategySwitches: strategySwitches.slice(0, reportLimits.strategySwitches),
    videoMissingMs: videoMissing && wholeMs(video.ms),
    videoMissingReason: mode === 'audio_only' ? 'audio_only' : video.reason,
    audioImpairedMs: audioImpaired && wholeMs(impairedMs(audioImpaired)),
    degradedMs: degradations && wholeMs(lossOf(degradations).ms),
  };
}

/** Spans of one measurement, a second, are packets that arrive late: every meeting has some. */
const shortestImpairedMs = 3_000;
/** Batches and samples begin at times of their own: spans this close to one another are one. */
const betweenMs = 500;

/** The length of what is impaired for longer; spans of several reasons overlap. */
function impairedMs(spans: readonly { readonly startMs: number; readonly endMs: number }[]): number {
  const joined: { startMs: number; endMs: number }[] = [];
  for (const { startMs, endMs } of spans.toSorted((one, other) => one.startMs - other.startMs)) {
    const last = joined.at(-1);
    if (last !== undefined && startMs <= last.endMs + betweenMs) last.endMs = Math.max(last.endMs, endMs);
    else joined.push({ startMs, endMs });
  }
  const lengths = joined.map(({ startMs, endMs }) => endMs - startMs);
  return lengths.reduce((total, ms) => (ms < shortestImpairedMs ? total : total + ms), 0);
}

function wholeMs(ms: number): number {
  return Math.max(0, Math.round(ms));
}

/** The length of all spans, and the reason of most of it. */
function lossOf<Reason extends string>(
  spans: readonly { readonly startMs: number; readonly endMs: number; readonly reason: Reason }[],
): { readonly ms: number; readonly reason: Reason | null } {
  const byReason = new Map<Reason, number>();
  for (const { startMs, endMs, reason } of spans) byReason.set(reason, (byReason.get(reason) ?? 0) + endMs - startMs);
  const [longest] = [...byReason].sort(([, a], [, b]) => b - a);
  return { ms: [...byReason.values()].reduce((total, ms) => total + ms, 0), reason: longest?.[0] ?? null };
}

/** Writes the report to a folder, from which it is stored. */
export async function writeIntegrity(report: IntegrityReport, folder: string): Promise<ArtifactFile> {
  const file = join(folder, 'integrity.json');
  await writeFile(file, JSON.stringify(report), { mode: 0o600 });
  return { kind: 'integrity', content: { file }, key: 'artifacts/integrity.json', contentType: 'application/json' };
}

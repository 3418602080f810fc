import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reportLimits } from '@rapporteur/contracts';
import type { Artifact, IntegrityReport, RecordingQuality, Spent } from '@rapporteur/contracts';
import type { IntegrityReport as RecordedIntegrity } from '@rapporteur/recorder';
import type { ArtifactFile } from './build-artifacts.ts';

/** What one run spent; not `complete` when it died and this is the last that it told. */
export type RunSpent = IntegrityReport['spent']['runs'][number];

/** The report on a recording whose other files are stored. */
export function integrityOf(
  recorded: RecordedIntegrity,
  stored: readonly Artifact[],
  runs: readonly RunSpent[],
): IntegrityReport {
  const known = <T>(values: readonly (T | null)[]): T[] => values.filter((value) => value !== null);
  const cpu = known(runs.map(({ cpuMs }) => cpuMs));
  const memory = known(runs.map(({ peakMemoryBytes }) => peakMemoryBytes));
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return {
    ...copied(recorded),
    files: stored.map(({ kind, bytes, sha256, participant }) => ({
      kind,
      bytes,
      sha256,
      ...(participant ? { participantId: participant.id } : {}),
    })),
    spent: {
      ...recorded.spent,
      cpuMs: cpu.length === runs.length ? sum(cpu) : null,
      peakMemoryBytes: memory.length === 0 ? null : Math.max(...memory),
      uploadedBytes: sum(runs.map(({ uploadedBytes }) => uploadedBytes)),
      runs: [...runs],
    },
  };
}

/** The contract's lists may be changed by whoever reads them, the recorder's may not. */
function copied(recorded: RecordedIntegrity) {
  return {
    ...recorded,
    ways: recorded.ways.map((attempt) => attempt && { ...attempt, changes: [...attempt.changes] }),
    gaps: [...recorded.gaps],
    pauses: [...recorded.pauses],
    missingSequences: recorded.missingSequences.map(({ attempt, sequences }) => ({
      attempt,
      sequences: [...sequences],
    })),
  };
}

export function resourceUsageOf({ spent }: IntegrityReport): Spent {
  const { cpuMs, peakMemoryBytes, uploadedBytes } = spent;
  return { cpuMs, peakMemoryBytes, uploadedBytes };
}

const firstChoices: ReadonlySet<string> = new Set(['chosen', 'pinned']);

export function qualityOf({ gapMs, ways }: IntegrityReport): RecordingQuality {
  const changes = ways.flatMap((attempt) => attempt?.changes ?? []);
  const strategySwitches = changes
    .filter(({ from, reason }) => from !== null && !firstChoices.has(reason))
    .map(({ part, reason }) => ({ part, reason }));
  return {
    gapMs: Math.max(0, Math.round(gapMs)),
    strategySwitches: strategySwitches.slice(0, reportLimits.strategySwitches),
  };
}

/** Leaves the report in a folder, to be stored. */
export async function writeIntegrity(report: IntegrityReport, folder: string): Promise<ArtifactFile> {
  const file = join(folder, 'integrity.json');
  await writeFile(file, JSON.stringify(report));
  return { kind: 'integrity', content: { file }, key: 'artifacts/integrity.json', contentType: 'application/json' };
}

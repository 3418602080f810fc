import { join } from 'node:path';
import type { Artifact, IntegrityReport } from '@rapporteur/contracts';
import { NothingToFinish } from '@rapporteur/recorder';
import type { GrantStore } from '../upload/grant-store.ts';
import { UploadQueue } from '../upload/upload-queue.ts';
import { buildArtifacts, captionsFile, completeIncrementalArtifacts, NothingRecorded } from './build-artifacts.ts';
import type { BuiltArtifacts } from './build-artifacts.ts';
import type { ArtifactFile } from './artifact-file.ts';
import { collectAttempts } from './collect-attempts.ts';
import type { AttemptMaterial } from './collect-attempts.ts';
import type { InCallFiles } from './in-call-files.ts';
import { integrityOf, qualityOf, resourceUsageOf, writeIntegrity } from './integrity.ts';
import type { RunResourceUsage } from './integrity.ts';
import type { RunContext } from '../run-context.ts';

export interface FinalizePorts extends Pick<
  RunContext,
  'workFolder' | 'ffmpegPath' | 'platform' | 'mode' | 'report' | 'clock' | 'logger'
> {
  readonly store: GrantStore;
  /** Whether each participant's audio is stored separately. */
  readonly participantAudio: boolean;
  /** False when no earlier run can have left anything in the store. */
  readonly earlierRuns: boolean;
  /** The files and facts of the recording in this run; null in a run that did not attend. */
  readonly inCall: InCallFiles | null;
  /** The resource usage of this run until now. */
  resourceUsage(): RunResourceUsage;
  readonly signal: AbortSignal;
}

/** stored, lost: reported so. given-up: another run must finish; nothing was reported. */
export type Finalized =
  | { readonly outcome: 'stored'; readonly artifacts: readonly Artifact[] }
  | { readonly outcome: 'lost' | 'given-up' };

/** After a longer outage of the storage another run finishes; the fragments may be readable by then. */
const storeTimeoutMs = 30 * 60_000;
const captionsTimeoutMs = 60_000;

/**
 * Makes artifacts of all fragments of all attempts, stores them and reports them, or reports that there are none. Any
 * other failure is not reported as a loss: another run retries.
 */
export async function finalize(ports: FinalizePorts): Promise<Finalized> {
  const { report, logger } = ports;
  let attempts: readonly AttemptMaterial[] = [];
  try {
    const { workFolder, store, clock, signal, earlierRuns } = ports;
    const incremental = await finishInCall(ports);
    if (incremental !== null) return { outcome: 'stored', artifacts: incremental };
    signal.throwIfAborted();
    attempts = await collectAttempts({
      workFolder,
      store: earlierRuns ? store : null,
      timeoutMs: storeTimeoutMs,
      clock,
      logger,
      signal,
    });
    const built = await buildArtifacts({
      attempts,
      attempt: ports.resourceUsage().attempt,
      platform: ports.platform,
      mode: ports.mode,
      workFolder,
      folder: artifactFolder(workFolder),
      ffmpegPath: ports.ffmpegPath,
      participantAudio: ports.participantAudio,
      logger,
    });
    const stored = await storeBuilt(ports, built);
    if (stored === null) return { outcome: 'given-up' };
    reportStored(report, built, stored);
    return { outcome: 'stored', artifacts: stored.artifacts };
  } catch (error) {
    // A report of loss is final; a full disk or an outage of the storage is not: the fragments still exist.
    if (ports.signal.aborted || !provesLoss(error)) {
      logger.warn({ err: error }, 'The recording was not finished here; another run may do it.');
      return { outcome: 'given-up' };
    }
    logger.error({ err: error }, 'Nothing of the recording can be turned into files.');
    const artifacts = await storeCaptions(ports, attempts);
    report({ kind: 'recording-lost', message: error.message, ...(artifacts.length === 0 ? {} : { artifacts }) });
    return { outcome: 'lost' };
  }
}

/** What the meeting's captions say is kept although nothing of the recording is left. */
async function storeCaptions(ports: FinalizePorts, attempts: readonly AttemptMaterial[]): Promise<Artifact[]> {
  const { inCall, clock, logger, resourceUsage, workFolder } = ports;
  const own = inCall === null ? null : resourceUsage().attempt;
  const stories = attempts
    .filter(({ attempt }) => attempt !== own)
    .map(({ events }) => ({ events, endsAtMs: clock.now() }));
  if (inCall !== null) stories.push({ events: inCall.events, endsAtMs: clock.now() });
  try {
    const file = await captionsFile(stories, artifactFolder(workFolder));
    return (file && (await storeArtifacts(ports, [file], captionsTimeoutMs))) ?? [];
  } catch (error) {
    logger.warn({ err: error }, 'The captions of a lost recording could not be stored.');
    return [];
  }
}

function provesLoss(error: unknown): error is NothingRecorded | NothingToFinish {
  return error instanceof NothingRecorded || error instanceof NothingToFinish;
}

function artifactFolder(workFolder: string): string {
  return join(workFolder, 'artifacts');
}

/** Null when the artifacts have to be made of the fragments; the attempt loses no data. */
async function finishInCall(ports: FinalizePorts): Promise<Artifact[] | null> {
  const { inCall, logger, workFolder, platform, participantAudio, report, signal } = ports;
  const material = inCall?.material ?? null;
  if (inCall === null || material === null) return null;
  try {
    const folder = artifactFolder(workFolder);
    const built = await completeIncrementalArtifacts({ inCall, material, platform, folder, participantAudio, logger });
    const stored = built && (await storeBuilt(ports, built));
    if (stored) reportStored(report, built, stored);
    return stored?.artifacts ?? null;
  } catch (error) {
    if (!signal.aborted) logger.warn({ err: error }, 'The artifacts are made of the fragments instead.');
    return null;
  } finally {
    await inCall.close();
  }
}

interface StoredRecording {
  readonly artifacts: Artifact[];
  readonly integrity: IntegrityReport;
}

/** The report comes last, as it names what is stored. */
async function storeBuilt(ports: FinalizePorts, built: BuiltArtifacts): Promise<StoredRecording | null> {
  const stored = await storeArtifacts(ports, built.files);
  if (stored === null) return null;
  const report = integrityOf(built.integrity, stored, [...built.otherRuns, ports.resourceUsage()], built.eventsLost);
  const reported = await storeArtifacts(ports, [await writeIntegrity(report, artifactFolder(ports.workFolder))]);
  return reported && { artifacts: [...stored, ...reported], integrity: report };
}

/** Null when they could not be stored: the grant is refused, or this process is stopping. */
async function storeArtifacts(
  { store, clock, logger, signal, inCall }: FinalizePorts,
  files: readonly ArtifactFile[],
  timeoutMs = storeTimeoutMs,
): Promise<Artifact[] | null> {
  const queue = new UploadQueue({ store, clock, logger });
  const giveUp = (): void => {
    void queue.close();
    void inCall?.close();
  };
  signal.addEventListener('abort', giveUp, { once: true });
  const late = setTimeout(giveUp, timeoutMs);
  const receipts = await Promise.all(
    files.map(async ({ content, key, contentType }) =>
      'incremental' in content
        ? await inCall?.store(content.incremental)
        : await queue.add({ key, content, contentType }),
    ),
  );
  clearTimeout(late);
  signal.removeEventListener('abort', giveUp);
  await queue.close();
  const artifacts = files.flatMap(({ kind, key, contentType, participant }, index) => {
    const receipt = receipts[index];
    return receipt == null ? [] : [{ kind, key, contentType, ...receipt, ...(participant ? { participant } : {}) }];
  });
  return artifacts.length === files.length ? artifacts : null;
}

function reportStored(
  report: FinalizePorts['report'],
  built: BuiltArtifacts,
  { artifacts, integrity }: StoredRecording,
): void {
  const { durationMs, participants, speakers } = built;
  report({
    kind: 'recording-stored',
    artifacts,
    durationMs: Math.round(durationMs),
    participants: [...participants],
    speakers: [...speakers],
    resourceUsage: resourceUsageOf(integrity),
    quality: qualityOf(integrity),
  });
}

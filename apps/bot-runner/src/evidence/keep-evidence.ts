import type { MeetingSession } from '@rapporteur/meeting-platforms';
import type { Logger } from '@rapporteur/service-runtime/process';
import type { CodedEnd } from '../attendance/end-codes.ts';
import type { UploadQueue } from '../upload/upload-queue.ts';

export interface EvidenceOptions {
  readonly session: Pick<MeetingSession, 'evidence'>;
  readonly uploads: UploadQueue;
  readonly attempt: number;
  readonly logger: Logger;
  /** False: the page may show what nobody shall see. */
  readonly withVideo: boolean;
}

/**
 * Takes down what the page shows at the moment of a failure: video, title, host, the rule that matched, when each
 * step was, the end of the console. Uploads it and gives what belongs into the report.
 */
export async function keepEvidence(
  { session, uploads, attempt, logger, withVideo }: EvidenceOptions,
  end: CodedEnd,
): Promise<Record<string, unknown>> {
  const { screenshotPng: video, ...facts } = await session.evidence();
  const screenshotPng = withVideo ? video : null;
  const folder = `evidence/${String(attempt).padStart(4, '0')}/`;
  const described = { code: end.code, ...facts };
  void uploads.add({
    key: `${folder}evidence.json`,
    content: { bytes: Buffer.from(JSON.stringify(described, null, 2)) },
    contentType: 'application/json',
  });
  if (screenshotPng !== null) {
    void uploads.add({ key: `${folder}screenshot.png`, content: { bytes: screenshotPng }, contentType: 'image/png' });
  }
  logger.warn({ evidence: described }, `Evidence for ${end.code} is kept.`);
  const { rule, state, title, host, steps } = facts;
  return { rule, state, title, host, steps, folder, screenshot: screenshotPng !== null };
}

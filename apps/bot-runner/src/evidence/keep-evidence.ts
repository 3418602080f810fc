import type { MeetingVisit } from '@rapporteur/meeting-platforms';
import type { Logger } from '@rapporteur/service-runtime/process';
import type { CodedEnd } from '../attendance/end-codes.ts';
import type { UploadQueue } from '../upload/upload-queue.ts';

export interface EvidenceOptions {
  readonly visit: Pick<MeetingVisit, 'evidence'>;
  readonly uploads: UploadQueue;
  readonly attempt: number;
  readonly logger: Logger;
  /** False: the page may show what nobody shall see. */
  readonly withPicture: boolean;
}

/**
 * Takes down what the page shows at the moment of a failure: picture, title, host, the rule that matched, when each
 * step was, the end of the console. Uploads it and gives what belongs into the report.
 */
export async function keepEvidence(
  { visit, uploads, attempt, logger, withPicture }: EvidenceOptions,
  end: CodedEnd,
): Promise<Record<string, unknown>> {
  const { screenshotPng: picture, ...facts } = await visit.evidence();
  const screenshotPng = withPicture ? picture : null;
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

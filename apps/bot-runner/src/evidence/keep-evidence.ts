import type { PageStructure } from '@rapporteur/contracts';
import type { MeetingSession } from '@rapporteur/meeting-platforms';
import { pageShape } from '@rapporteur/meeting-platforms/page-packs';
import type { CodedEnd } from '../attendance/end-codes.ts';
import type { UploadQueue } from '../upload/upload-queue.ts';
import type { RunContext } from '../run-context.ts';

export interface EvidenceOptions extends Pick<RunContext, 'platform' | 'logger'> {
  readonly session: Pick<MeetingSession, 'evidence'>;
  readonly uploads: UploadQueue;
  readonly attempt: number;
  /** False: the page may show a frame that must not be stored. */
  readonly withVideo: boolean;
}

/**
 * Captures the state of the page at a failure: video, title, host, matching rule, time of each step, page pack and its
 * matches, last console lines, and the structure of a page through which the bot did not get in. Uploads it and returns
 * the part for the report.
 */
export async function keepEvidence(
  { session, platform, uploads, attempt, logger, withVideo }: EvidenceOptions,
  end: CodedEnd,
): Promise<Record<string, unknown>> {
  const { screenshotPng: video, pageMarkup, ...facts } = await session.evidence();
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
  if (pageMarkup !== null) {
    const structure: PageStructure = {
      format: 1,
      platform,
      taken_at: new Date().toISOString(),
      host: facts.host,
      rule: facts.rule,
      page_pack_version: facts.pagePackVersion,
      ...pageMarkup,
    };
    const bytes = Buffer.from(JSON.stringify(structure, null, 2));
    void uploads.add({ key: `${folder}page.json`, content: { bytes }, contentType: 'application/json' });
  }
  logger.warn({ evidence: described }, `Evidence for ${end.code} is kept.`);
  const { rule, said, state, title, host, steps, pagePackVersion, matchedCandidates } = facts;
  const shape = pageMarkup === null ? null : pageShape(pageMarkup.html);
  const kept = { folder, screenshot: screenshotPng !== null, page: pageMarkup !== null, shape };
  return { rule, said, state, title, host, steps, pagePackVersion, matchedCandidates, ...kept };
}

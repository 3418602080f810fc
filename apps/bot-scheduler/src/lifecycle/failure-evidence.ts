import { storableText } from '@rapporteur/database';
import { z } from 'zod';
import type { FailureEvidenceRow } from '../schema/bot-entity.ts';

const longestText = 256;
const mostSteps = 200;
/** The range that `Date` can represent. */
const mostMs = 8.64e15;

const text = z.string().transform((value) => storableText(value.slice(0, longestText)));
const optionalText = text
  .nullish()
  .transform((value) => value ?? null)
  .catch(null);
const step = z.object({ step: text, atMs: z.number().min(0).max(mostMs) });
const reported = z.object({
  rule: optionalText,
  state: optionalText,
  title: optionalText,
  host: optionalText,
  said: optionalText,
  shape: optionalText,
  folder: optionalText,
  steps: z
    .array(z.unknown())
    .catch([])
    .transform((steps) => steps.slice(0, mostSteps).flatMap((each) => step.safeParse(each).data ?? [])),
});

/** The part of a runner's evidence that is kept with the bot. An unreadable member is null; null: no evidence. */
export function failureEvidenceOf(evidence: Readonly<Record<string, unknown>> | undefined): FailureEvidenceRow | null {
  return evidence === undefined ? null : reported.parse(evidence);
}

import { z } from 'zod';
import { instant, teamId } from '../shapes.ts';
import { defineEvent } from './envelope.ts';

const checkStatus = z.enum(['pass', 'warn', 'fail', 'skipped']);

/** One check of a workspace; the names are those of the public schema `WorkspaceVerification`. */
const verificationCheck = z.object({ name: z.string(), status: checkStatus, message: z.string().nullable() });

/** The data of the public webhook `meet_workspace.verification_changed`. */
export const verificationChange = z.object({
  workspace_id: z.uuid(),
  domain: z.string(),
  name: z.string(),
  ok: z.boolean(),
  /** Null: it is the first verification. */
  previous_ok: z.boolean().nullable(),
  checked_at: instant,
  /** Checks whose status differs from the previous verification. */
  changed_checks: z.array(z.string()),
  checks: z.array(verificationCheck),
});
export type VerificationChange = z.infer<typeof verificationChange>;

/** The verification of a Meet workspace has another result than the one before it. */
export const verificationChanged = defineEvent(
  'logins.v1.verification-changed',
  ['delivery'],
  z.object({ teamId, change: verificationChange }),
);

export const loginEvents = [verificationChanged] as const;

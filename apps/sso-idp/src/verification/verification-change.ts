import type { VerificationChange } from '@rapporteur/contracts';
import type { Verification, WorkspaceRow } from '../schema/login-entities.ts';

type Subject = Pick<WorkspaceRow, 'workspace_id' | 'domain' | 'name'>;

/**
 * The event about a verification; null: same result as the previous one. A check that was skipped in one of the two is
 * not a change: a test sign-in runs on request only.
 */
export function verificationChangeOf(
  { workspace_id, domain, name }: Subject,
  previous: Verification | null,
  current: Verification,
): VerificationChange | null {
  const before = new Map(previous?.checks.map((check) => [check.name, check.status]));
  const changed = current.checks.filter((check) => {
    const status = before.get(check.name) ?? 'skipped';
    return status !== 'skipped' && check.status !== 'skipped' && status !== check.status;
  });
  if (previous !== null && previous.ok === current.ok && changed.length === 0) return null;
  return {
    workspace_id,
    domain,
    name,
    ok: current.ok,
    previous_ok: previous?.ok ?? null,
    checked_at: current.checked_at,
    changed_checks: changed.map((check) => check.name),
    checks: [...current.checks],
  };
}

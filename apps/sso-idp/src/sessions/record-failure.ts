import type { SignInCommand } from '@rapporteur/contracts';
import { updateRows } from '@rapporteur/database';
import type { Executor } from '@rapporteur/database';
import { logins, workspaces } from '../schema/login-entities.ts';
import type { FailureData, LoginRow } from '../schema/login-entities.ts';

type FailedCommand = SignInCommand & { readonly failed: NonNullable<SignInCommand['failed']> };

/** Failures caused by the workspace's configuration; all others are the login's own. */
const workspaceCodes: readonly string[] = ['MEET_LOGIN_FAILED_SAML_REJECTED'];
/** Microsoft's pages may be slow; a timeout does not show that the login is wrong. */
const harmlessCodes: readonly string[] = ['TEAMS_LOGIN_FAILED_TIMEOUT'];

/** Stores why a sign-in failed with the workspace or the login, and whether that became invalid. */
export async function recordFailure(
  executor: Executor,
  login: Pick<LoginRow, 'credential_id' | 'workspace_id'>,
  { command, at }: { readonly command: FailedCommand; readonly at: Date },
): Promise<'workspace' | 'login' | null> {
  const { failed } = command;
  const lastError = { last_error_message: failed.message, last_error_at: at };
  const whole = { ...lastError, state: 'invalid' as const, failure_data: failureData(command, at) };
  if (workspaceCodes.includes(failed.code)) {
    await updateRows(executor, workspaces, { where: { workspace_id: login.workspace_id }, columns: whole });
    return 'workspace';
  }
  const harmless = failed.unknownPage || harmlessCodes.includes(failed.code);
  const columns = harmless ? lastError : whole;
  await updateRows(executor, logins, { where: { credential_id: login.credential_id }, columns });
  return harmless ? null : 'login';
}

function failureData({ botId, attempt, meetingUrlHost, failed }: FailedCommand, at: Date): FailureData {
  return {
    code: failed.code,
    bot_id: botId,
    meeting_url_host: meetingUrlHost,
    occurred_at: at.toISOString(),
    attempt,
    idp_status: failed.idpStatus,
    idp_sub_status: failed.idpSubStatus,
    final_url_host: failed.finalUrlHost,
    screenshot_url: null,
  };
}

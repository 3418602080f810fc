import { signInTicketCookie, internalCalls } from '@rapporteur/contracts';
import type { SignInCredentials, SignInCommand, SignInReply } from '@rapporteur/contracts';
import { updateRows } from '@rapporteur/database';
import type { Database, Executor } from '@rapporteur/database';
import { addToLog, serveCall } from '@rapporteur/service-runtime';
import type { Logger, InternalAuth } from '@rapporteur/service-runtime';
import { Router } from 'express';
import type { LoginSecrets } from '../logins/login-secrets.ts';
import type { SsoAddresses } from '../logins/workspace-shape.ts';
import { findAnyWorkspace } from '../logins/workspaces.store.ts';
import { logins, workspaces } from '../schema/login-entities.ts';
import type { LoginRow, WorkspaceRow, FailureData } from '../schema/login-entities.ts';
import type { LoginPool } from './login-pool.ts';
import { findLoginOfSession } from './sessions.store.ts';
import { issueTicket } from './sign-in-tickets.store.ts';

export interface IssueSignInDependencies {
  readonly database: Database;
  readonly secrets: LoginSecrets;
  readonly addresses: SsoAddresses;
  readonly pool: Pick<LoginPool, 'replace' | 'reserve'>;
  /** Epoch ms. */
  readonly now: () => number;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Maximum number of logins tried for one bot. */
const mostLogins = 20;

/**
 * The sign-in data of a bot. A login that failed, or that became invalid since it was reserved, is replaced from its
 * pool.
 */
export async function issueSignIn(dependencies: IssueSignInDependencies, command: SignInCommand): Promise<SignInReply> {
  const { database, pool } = dependencies;
  const { botId, teamId, selector } = command;
  const unavailable = await settleFailure(dependencies, command);
  if (unavailable !== null) return unavailable;
  for (let tried = 0; tried < mostLogins; tried += 1) {
    const login = await findLoginOfSession(database, botId);
    if (login === null) {
      const reserved = await pool.reserve({ botId, teamId, selector });
      if (reserved.outcome === 'unavailable') return reserved;
      continue;
    }
    const workspace = await findAnyWorkspace(database, login.workspace_id);
    if (workspace !== null && login.state === 'active' && workspace.state === 'active') {
      return { outcome: 'credentials', credentials: await credentialsOf(dependencies, botId, { login, workspace }) };
    }
    if (!(await pool.replace(botId, teamId, login.credential_id))) return poolExhausted;
  }
  return poolExhausted;
}

const poolExhausted = { outcome: 'unavailable', message: 'No other login of the pool is active and free.' } as const;

/** Marks the failed login and reserves another. Null: continue. */
async function settleFailure(
  dependencies: IssueSignInDependencies,
  command: SignInCommand,
): Promise<SignInReply | null> {
  const { database, pool, now, logger } = dependencies;
  const { failed, botId, teamId } = command;
  if (failed === null) return null;
  const login = await findLoginOfSession(database, botId);
  // A report repeated after another login was assigned.
  if (login === null || login.credential_id !== failed.credentialId) return null;
  const invalid = await recordFailure(database, login, { command: { ...command, failed }, at: new Date(now()) });
  const facts = {
    teamId,
    botId,
    credentialId: login.credential_id,
    workspaceId: login.workspace_id,
    code: failed.code,
  };
  logger.warn({ ...facts, invalid }, 'A bot could not sign in.');
  return (await pool.replace(botId, teamId, login.credential_id)) ? null : poolExhausted;
}

async function credentialsOf(
  { database, secrets, addresses, now }: IssueSignInDependencies,
  botId: string,
  { login, workspace }: { readonly login: LoginRow; readonly workspace: WorkspaceRow },
): Promise<SignInCredentials> {
  const { credential_id: credentialId, email } = login;
  if (login.platform === 'teams') {
    return { platform: 'teams', credentialId, email, password: secrets.password(login) ?? '' };
  }
  const ticket = await issueTicket(database, { botId, credentialId, at: new Date(now()) });
  const { domain } = workspace;
  return {
    platform: 'meet',
    credentialId,
    email,
    domain,
    signInUrl: addresses.signInUrl,
    ticketCookie: signInTicketCookie,
    ticket,
  };
}

type FailedCommand = SignInCommand & { readonly failed: NonNullable<SignInCommand['failed']> };

/** Failures caused by the workspace's configuration; all others are the login's own. */
const workspaceCodes: readonly string[] = ['MEET_LOGIN_FAILED_SAML_REJECTED'];
/** Microsoft's pages may be slow; a timeout does not show that the login is wrong. */
const transientCodes: readonly string[] = ['TEAMS_LOGIN_FAILED_TIMEOUT'];

/** Stores why a sign-in failed with the workspace or the login, and whether that became invalid. */
async function recordFailure(
  executor: Executor,
  login: Pick<LoginRow, 'credential_id' | 'workspace_id'>,
  { command, at }: { readonly command: FailedCommand; readonly at: Date },
): Promise<'workspace' | 'login' | null> {
  const { failed } = command;
  const lastError = { last_error_message: failed.message, last_error_at: at };
  const invalidated = { ...lastError, state: 'invalid' as const, failure_data: failureData(command, at) };
  if (workspaceCodes.includes(failed.code)) {
    await updateRows(executor, workspaces, { where: { workspace_id: login.workspace_id }, columns: invalidated });
    return 'workspace';
  }
  const isTransient = failed.unknownPage || transientCodes.includes(failed.code);
  const columns = isTransient ? lastError : invalidated;
  await updateRows(executor, logins, { where: { credential_id: login.credential_id }, columns });
  return isTransient ? null : 'login';
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

interface SessionRoutesDependencies extends IssueSignInDependencies {
  readonly pool: LoginPool;
}

/** bot-scheduler's requests for its bots. */
export function sessionRoutes(auth: InternalAuth, dependencies: SessionRoutesDependencies): Router {
  const { pool } = dependencies;
  const { reserve, availability, release, signIn } = internalCalls.logins;
  return Router().use(
    serveCall(auth, reserve, async (body, request) => {
      const reply = await pool.reserve(body);
      const credentialId = reply.outcome === 'reserved' ? reply.credentialId : null;
      addToLog(request, { outcome: reply.outcome, credentialId });
      return reply;
    }),
    serveCall(auth, availability, ({ teamId, selector }) => pool.availability(teamId, selector)),
    serveCall(auth, release, async ({ botId }) => {
      await pool.release(botId);
      return { success: true as const };
    }),
    serveCall(auth, signIn, async (command, request) => {
      const reply = await issueSignIn(dependencies, command);
      const credentialId = reply.outcome === 'credentials' ? reply.credentials.credentialId : null;
      addToLog(request, { outcome: reply.outcome, credentialId });
      return reply;
    }),
  );
}

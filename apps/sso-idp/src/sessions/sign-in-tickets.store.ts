import { createHash, randomBytes } from 'node:crypto';
import type { Executor } from '@rapporteur/database';
import { findAnyWorkspace } from '../logins/workspaces.store.ts';
import type { LoginRow, WorkspaceRow } from '../schema/login-entities.ts';

/** A runner uses its ticket at once, after the browser has loaded the service provider's pages. */
const ticketLifetimeMs = 120_000;
/** Longer than a request is accepted after its issue. */
const requestsKeptMs = 24 * 3_600_000;

const hashOf = (ticket: string) => createHash('sha256').update(ticket).digest('hex');

/** Issues a ticket for one assertion; only its hash is stored. */
export async function issueTicket(
  executor: Executor,
  { botId, credentialId, at }: { readonly botId: string; readonly credentialId: string; readonly at: Date },
): Promise<string> {
  const ticket = randomBytes(32).toString('base64url');
  await executor.query(
    'insert into sign_in_tickets (ticket_hash, bot_id, credential_id, expires_at) values ($1, $2, $3, $4)',
    [hashOf(ticket), botId, credentialId, new Date(at.getTime() + ticketLifetimeMs)],
  );
  return ticket;
}

export interface FoundTicket {
  readonly bot_id: string;
  readonly login: LoginRow;
  readonly workspace: WorkspaceRow;
}

/** Null for a ticket that is unknown, used or expired, or whose bot does not hold the login any more. */
export async function findTicket(executor: Executor, ticket: string, at: Date): Promise<FoundTicket | null> {
  if (!/^[\w-]{43}$/.test(ticket)) return null;
  const [login] = await executor.query<LoginRow & { readonly bot_id: string }>(
    `select logins.*, ticket.bot_id from sign_in_tickets ticket
       join login_sessions session on session.bot_id = ticket.bot_id and session.credential_id = ticket.credential_id
       join logins on logins.credential_id = ticket.credential_id
     where ticket.ticket_hash = $1 and ticket.used_at is null and ticket.expires_at > $2`,
    [hashOf(ticket), at],
  );
  const workspace = login === undefined ? null : await findAnyWorkspace(executor, login.workspace_id);
  return login === undefined || workspace === null ? null : { bot_id: login.bot_id, login, workspace };
}

export type TicketOutcome = 'taken' | 'ticket-used' | 'request-used';

/**
 * Uses a ticket and a request atomically. Of two concurrent sign-ins with one ticket only one succeeds; the outcome of
 * the other states which of the two was used.
 */
export async function takeTicket(
  executor: Executor,
  { ticket, requestHash, at }: { readonly ticket: string; readonly requestHash: string; readonly at: Date },
): Promise<TicketOutcome> {
  const taken = await executor.query(
    `with request as (
       insert into saml_requests (request_hash, received_at) values ($2, $3) on conflict do nothing returning 1)
     update sign_in_tickets set used_at = $3
     where ticket_hash = $1 and used_at is null and exists (select 1 from request) returning 1`,
    [hashOf(ticket), requestHash, at],
  );
  if (taken.length > 0) return 'taken';
  const unused = await executor.query('select 1 from sign_in_tickets where ticket_hash = $1 and used_at is null', [
    hashOf(ticket),
  ]);
  return unused.length > 0 ? 'request-used' : 'ticket-used';
}

export async function deleteOldTickets(executor: Executor, at: Date): Promise<void> {
  const before = new Date(at.getTime() - requestsKeptMs);
  await executor.query('delete from sign_in_tickets where expires_at < $1', [before]);
  await executor.query('delete from saml_requests where received_at < $1', [before]);
}

import type { BotInvocation, UploadGrantRequest } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import type { BotRow, LaunchTicketRow, LeaseRow } from '../schema/rows.ts';
import type { UploadGrant } from '../storage/storage-client.ts';
import { hashTicket } from './claim-runs.store.ts';
import { alphaOf } from './alpha-invocation.ts';
import type { AlphaParts } from './alpha-invocation.ts';
import { writeInvocation } from './invocation.ts';
import type { InvocationSettings } from './invocation.ts';

export interface RedeemParts {
  readonly database: Database;
  readonly grantUpload: (request: UploadGrantRequest) => Promise<UploadGrant>;
  /** Bus credentials for one bot, or null where the bus asks for none. */
  readonly busCredentials: (botId: string, lifetimeSeconds: number) => Promise<string | null>;
  readonly settings: InvocationSettings;
  readonly alpha: Pick<AlphaParts, 'box' | 'sdk'>;
  readonly now: () => number;
}

/** Longer than the longest waiting, recording and saving together: 0.5 h + 6 h and room to spare. */
const grantLifetimeMs = 9 * 3_600_000;

/**
 * Turns a launch ticket into the one document a runner gets. A ticket works once: of two that come with it, one gets the
 * document and the other TICKET_GONE. Throws UNAVAILABLE when storage does not answer; the ticket then stays good.
 */
export async function redeemTicket(parts: RedeemParts, ticket: string): Promise<BotInvocation> {
  const hash = hashTicket(ticket);
  const at = new Date(parts.now());
  const { bot, lease } = await readTicket(parts.database, hash, at);
  const expiresAt = new Date(at.getTime() + grantLifetimeMs).toISOString();
  const storage = await parts.grantUpload({ botId: bot.id, teamId: bot.team_id, fencing: lease.fencing, expiresAt });
  const credentials = await parts.busCredentials(bot.id, grantLifetimeMs / 1_000);
  const { database } = parts;
  const alpha = lease.mode === 'attend' ? await alphaOf({ database, ...parts.alpha }, bot, at.getTime()) : null;
  await takeTicket(database, hash, at);
  return writeInvocation(parts.settings, { bot, lease, storage, credentials, alpha });
}

async function readTicket(database: Database, hash: string, at: Date): Promise<{ bot: BotRow; lease: LeaseRow }> {
  const [row] = await database.query<{ bot: string; attempt: number } & Pick<LaunchTicketRow, 'expires_at'>>(
    `select bot_id as bot, attempt, expires_at from launch_tickets where ticket_hash = $1 and redeemed_at is null and expires_at > $2`,
    [hash, at],
  );
  if (row === undefined) throw fail('TICKET_GONE');
  const [bot] = await database.query<BotRow>('select * from bots where id = $1', [row.bot]);
  const [lease] = await database.query<LeaseRow>(
    `select * from leases where bot_id = $1 and attempt = $2 and state = 'launching'`,
    [row.bot, row.attempt],
  );
  if (bot === undefined || lease === undefined) throw fail('TICKET_GONE');
  return { bot, lease };
}

async function takeTicket(database: Database, hash: string, at: Date): Promise<void> {
  const taken = await database.query(
    `with ticket as (
       update launch_tickets set redeemed_at = $2 where ticket_hash = $1 and redeemed_at is null returning bot_id, attempt)
     update leases set state = 'held', renewed_at = $2 from ticket
     where leases.bot_id = ticket.bot_id and leases.attempt = ticket.attempt and state = 'launching' returning 1`,
    [hash, at],
  );
  if (taken.length === 0) throw fail('TICKET_GONE');
}

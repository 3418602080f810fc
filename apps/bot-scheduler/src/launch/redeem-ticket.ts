import { createHash } from 'node:crypto';
import type { BotInvocation, PagePackOverlay, ZoomInvocation } from '@rapporteur/contracts';
import type { Database, Executor } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { findRecordingSince } from '../lifecycle/bots.store.ts';
import type { BotRow } from '../schema/bot-entity.ts';
import type { LeaseRow } from '../schema/run-entities.ts';
import type { StorageClient } from '../service-clients.ts';
import { liveTranscriptionOf } from '../transcription/live-engines.ts';
import type { LiveSettings } from '../transcription/live-engines.ts';
import { findPagePack } from '../page-packs/accept-page-packs.ts';
import { readSecrets } from '../credentials/bot-secrets.store.ts';
import type { SecretField } from '../credentials/split-secrets.ts';
import { chosenCredential } from '../credentials/credential-refusal.ts';
import type { CredentialFields } from '../credentials/credential-refusal.ts';
import { signSdkSignature } from '../credentials/sdk-signature.ts';
import type { SdkCredentials } from '../credentials/sdk-signature.ts';
import type { Context } from '../schema/context.ts';
import { hashTicket } from './runs.store.ts';
import { writeInvocation } from './invocation.ts';
import type { InvocationSettings } from './invocation.ts';

export interface RedeemDependencies extends Pick<Context, 'database' | 'now'> {
  readonly grantUpload: StorageClient['grantUpload'];
  /** Bus credentials for one bot, or null where the bus requires none. */
  readonly busCredentials: (botId: string, lifetimeSeconds: number) => Promise<string | null>;
  readonly settings: InvocationSettings;
  readonly zoom: Pick<ZoomDependencies, 'box' | 'sdk'>;
  readonly live: LiveSettings;
}

/** Longer than the maximum of waiting, recording and saving together: 0.5 h + 6 h and a margin. */
const grantLifetimeMs = 9 * 3_600_000;

/** A ticket and the process that redeems it. */
export interface Redeemer {
  readonly ticket: string;
  /** Identifies one process of a runner, which may repeat its request. */
  readonly runner: string;
}

/**
 * Exchanges a launch ticket for the runner's only document. Until its first lease renewal the same runner may repeat
 * the request, in case a response was lost, and gets the same document with new credentials for the same rights; any
 * other runner gets TICKET_GONE. Throws UNAVAILABLE when storage does not respond; the ticket then stays valid.
 */
export async function redeemTicket(
  dependencies: RedeemDependencies,
  { ticket, runner }: Redeemer,
): Promise<BotInvocation> {
  const by = [hashTicket(ticket), new Date(dependencies.now()), runner] as const;
  const at = by[1];
  const { bot, lease } = await readTicket(dependencies.database, by);
  const expiresAt = new Date(at.getTime() + grantLifetimeMs).toISOString();
  const storage = await dependencies.grantUpload({
    botId: bot.id,
    teamId: bot.team_id,
    fencing: lease.fencing,
    expiresAt,
  });
  const credentials = await dependencies.busCredentials(bot.id, grantLifetimeMs / 1_000);
  const { database } = dependencies;
  const zoom = lease.mode === 'attend' ? await zoomOf({ database, ...dependencies.zoom }, bot, at.getTime()) : null;
  const rejoins = lease.mode === 'attend' && bot.rejoins + bot.moves > 0;
  const recordingSince = rejoins ? await findRecordingSince(database, bot.id) : null;
  const { box } = dependencies.zoom;
  const liveTranscription =
    lease.mode === 'attend' ? await liveTranscriptionOf({ database, box, live: dependencies.live }, bot) : null;
  const pagePack = lease.mode === 'attend' ? await choosePagePack(database, bot) : null;
  const otherBotNames = lease.mode === 'attend' ? await findOtherBotNames(database, bot) : [];
  await takeTicket(database, by);
  return writeInvocation(dependencies.settings, {
    bot,
    lease,
    storage,
    credentials,
    zoom,
    recordingSince,
    liveTranscription,
    pagePack,
    otherBotNames,
  });
}

/** Names of the team's bots that are in the same meeting now: no bot stays because of another. */
async function findOtherBotNames(database: Database, { id, team_id, canonical_url }: BotRow): Promise<string[]> {
  const others = await database.query<{ bot_name: string }>(
    `select distinct bot_name from bots
     where team_id = $1 and canonical_url = $2 and id <> $3 and ended_at is null and phase <> 'queued' limit 50`,
    [team_id, canonical_url, id],
  );
  return others.map(({ bot_name }) => bot_name);
}

/** The ticket's hash, the time, and the runner. */
type TicketParameters = readonly [string, Date, string];

/** Until the first renewal, `renewed_at` of a lease is the time at which its ticket was redeemed. */
const mayRedeem = `(redeemed_at is null and expires_at > $2 and state = 'launching'
  or redeemed_by = $3 and state = 'held' and renewed_at = redeemed_at)`;

async function readTicket(database: Database, by: TicketParameters): Promise<{ bot: BotRow; lease: LeaseRow }> {
  const [lease] = await database.query<LeaseRow>(
    `select leases.* from launch_tickets join leases using (bot_id, attempt) where ticket_hash = $1 and ${mayRedeem}`,
    by,
  );
  if (lease === undefined) throw fail('TICKET_GONE');
  const [bot] = await database.query<BotRow>('select * from bots where id = $1', [lease.bot_id]);
  if (bot === undefined) throw fail('TICKET_GONE');
  return { bot, lease };
}

async function takeTicket(database: Database, by: TicketParameters): Promise<void> {
  await database.transaction(async (transaction) => {
    const [found] = await transaction.query<{ bot_id: string; attempt: number }>(
      `select bot_id, attempt from launch_tickets join leases using (bot_id, attempt)
       where ticket_hash = $1 and ${mayRedeem} for no key update`,
      by,
    );
    if (found === undefined) throw fail('TICKET_GONE');
    await transaction.query(`update launch_tickets set redeemed_at = $2, redeemed_by = $3 where ticket_hash = $1`, by);
    await transaction.query(`update leases set state = 'held', renewed_at = $3 where bot_id = $1 and attempt = $2`, [
      found.bot_id,
      found.attempt,
      by[1],
    ]);
  });
}

/** The overlay for one bot; null: the built-in pack alone. Every replica, and every run of the bot, gets the same. */
export async function choosePagePack(
  executor: Executor,
  { id, meeting_platform }: Pick<BotRow, 'id' | 'meeting_platform'>,
): Promise<PagePackOverlay | null> {
  const row = await findPagePack(executor, meeting_platform);
  if (row === null) return null;
  if (row.suspended_at !== null) return row.previous_overlay;
  return isInShare(id, row.overlay?.share ?? 100) ? row.overlay : row.previous_overlay;
}

/** @param percent 1 to 100. A bot within a share is also within every larger one. */
export function isInShare(botId: string, percent: number): boolean {
  return createHash('sha256').update(botId).digest().readUInt32BE(0) % 100 < percent;
}

interface ZoomDependencies extends Pick<Context, 'database' | 'box'> {
  /** The deployment's own SDK app; null: none. */
  readonly sdk: SdkCredentials | null;
}

interface KnownRequest {
  readonly alpha_config?:
    | (CredentialFields & { readonly obf_token_url?: string; readonly zak_token_url?: string })
    | null;
}

const secretFields = ['obf_token', 'alpha_sdk_id', 'alpha_sdk_pwd'] as const satisfies readonly SecretField[];

const nothing = { obfToken: null, obfTokenUrl: null, zakTokenUrl: null, storedCredential: false, sdk: null } as const;

/** The credentials that a Zoom bot joins with, or null for a guest. */
export async function zoomOf(
  dependencies: ZoomDependencies,
  bot: BotRow,
  nowMs: number,
): Promise<ZoomInvocation | null> {
  if (bot.meeting_platform !== 'zoom') return null;
  const { alpha_config: config } = bot.request as KnownRequest;
  // Its token is bound to its own app, whose signature is requested at the join.
  if (chosenCredential(bot.team_id, config) !== null) return { ...nothing, storedCredential: true, extra: bot.extra };
  const {
    obf_token: obfToken = null,
    alpha_sdk_id: ownKey = null,
    alpha_sdk_pwd: ownSecret = null,
  } = await readSecrets(dependencies, { teamId: bot.team_id, botId: bot.id }, secretFields);
  const obfTokenUrl = config?.obf_token_url ?? null;
  const zakTokenUrl = config?.zak_token_url ?? null;
  if ([obfToken, obfTokenUrl, zakTokenUrl, ownKey].every((given) => given === null)) return null;
  const own = ownKey === null || ownSecret === null ? null : { key: ownKey, secret: ownSecret };
  const credentials = own ?? dependencies.sdk;
  const sdk = credentials && {
    key: credentials.key,
    signature: await signSdkSignature(credentials, bot.meeting_id, nowMs),
  };
  return { ...nothing, obfToken, obfTokenUrl, zakTokenUrl, extra: bot.extra, sdk };
}

import { teamChanged, tokensGranted } from '@rapporteur/contracts';
import { stopTogether } from '@rapporteur/event-bus';
import type { Bus, Inbox } from '@rapporteur/event-bus';
import type { Executor } from '@rapporteur/database';
import { creditTokens } from './token-accounts.store.ts';

/**
 * Maintains this service's copy of teams and their limits, and credits granted tokens, from the events of api-gateway.
 */
export async function consumeIdentity(dependencies: {
  readonly bus: Pick<Bus, 'consume'>;
  readonly inbox: Inbox;
}): Promise<{ stop(): Promise<void> }> {
  const { bus, inbox } = dependencies;
  const teams = await bus.consume({
    consumer: 'bot-scheduler',
    subject: teamChanged.type,
    handle: inbox.handle(teamChanged, (transaction, { data }) => saveTeam(transaction, data)),
  });
  const tokens = await bus.consume({
    consumer: 'bot-scheduler',
    subject: tokensGranted.type,
    handle: inbox.handle(tokensGranted, (transaction, { data, occurredAt }) =>
      creditTokens(transaction, { ...data, at: new Date(occurredAt) }),
    ),
  });
  return stopTogether([teams, tokens]);
}

interface TeamCopy {
  readonly teamId: string;
  readonly version: number;
  readonly name: string;
  readonly plan: {
    readonly name: string;
    readonly dailyBotCap: number;
    readonly retentionDays: number;
    readonly byokTranscription?: boolean;
  };
}

/** Stores the newest version of a team's limits, and creates the team's account if it has none. */
export async function saveTeam(transaction: Executor, { teamId, version, name, plan }: TeamCopy): Promise<void> {
  await transaction.query(
    `insert into team_limits (team_id, version, name, plan_name, daily_bot_cap, retention_days, byok_transcription)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (team_id) do update set version = excluded.version, name = excluded.name, plan_name = excluded.plan_name,
       daily_bot_cap = excluded.daily_bot_cap, retention_days = excluded.retention_days,
       byok_transcription = excluded.byok_transcription
     where team_limits.version < excluded.version`,
    [teamId, version, name, plan.name, plan.dailyBotCap, plan.retentionDays, plan.byokTranscription ?? true],
  );
  await transaction.query(
    `insert into token_accounts (team_id, balance, reserved) values ($1, 0, 0) on conflict (team_id) do nothing`,
    [teamId],
  );
}

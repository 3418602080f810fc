import { randomUUID } from 'node:crypto';
import { reservedTokensPerBot } from '@rapporteur/bot-lifecycle';
import { botQueued } from '@rapporteur/contracts';
import type { RunnerConfiguration } from '@rapporteur/contracts';
import type { Database, Executor } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { parseMeetingLink } from '@rapporteur/meeting-links';
import type { MeetingLink } from '@rapporteur/meeting-links';
import { writeStep } from '../lifecycle/move-bot.ts';
import type { EventSink } from '../lifecycle/move-bot.ts';
import { insertBot, lockAccount } from './admission.store.ts';
import type { LockedAccount, NewBot } from './admission.store.ts';
import type { CreateBotBody } from './create-bot-body.ts';
import { findUnsupported } from './unsupported-settings.ts';

export interface AdmissionParts {
  readonly database: Database;
  readonly events: EventSink & { ring(): void };
  /** Epoch ms. */
  readonly now: () => number;
  /** Hosts of links that stand for a simulated meeting; empty: there is no simulator. */
  readonly simulatorLinkHosts: readonly string[];
}

/**
 * Takes a new bot in, or throws the failure to answer with. The checks on the team (cap, tokens, duplicate) hold under
 * any number of parallel requests: they run one after another per team. A refused bot leaves nothing behind.
 */
export async function admitBot(parts: AdmissionParts, teamId: string, body: CreateBotBody): Promise<{ botId: string }> {
  const link = readLink(parts, body.meeting_url);
  const unsupported = findUnsupported(body, link);
  if (unsupported !== null) throw unsupported;
  const bot = newBot({ teamId, body, link, at: new Date(parts.now()) });
  await parts.database.transaction(async (transaction) => {
    await insertAdmitted(transaction, bot, { singleBot: !body.allow_multiple_bots });
    const step = { code: 'queued' } as const;
    await writeStep(
      { transaction, events: parts.events },
      { id: bot.id, team_id: teamId, extra: bot.extra },
      { step, sequence: 1, at: bot.createdAt },
    );
    await parts.events.add(transaction, botQueued, { botId: bot.id, teamId });
  });
  parts.events.ring();
  return { botId: bot.id };
}

function readLink(parts: AdmissionParts, meetingUrl: string): MeetingLink {
  const { simulatorLinkHosts: linkHosts } = parts;
  const answer = parseMeetingLink(meetingUrl, linkHosts.length === 0 ? {} : { simulator: { linkHosts } });
  if (answer.accepted) return answer.link;
  throw fail('INVALID_MEETING_URL', { message: `/body/meeting_url: ${answer.reason}`, details: '/body/meeting_url' });
}

interface NewBotParts {
  readonly teamId: string;
  readonly body: CreateBotBody;
  readonly link: MeetingLink;
  readonly at: Date;
}

function newBot({ teamId, body, link, at }: NewBotParts): NewBot {
  return {
    id: randomUUID(),
    teamId,
    createdAt: at,
    meetingUrl: body.meeting_url,
    link,
    configuration: runnerConfigurationOf(body),
    extra: body.extra,
    reservedTokens: reservedTokensPerBot,
  };
}

/** Only what a runner needs is kept: secrets of features that are off are not ours to store. */
function runnerConfigurationOf(body: CreateBotBody): RunnerConfiguration {
  const { bot_name, meeting_url, recording_mode, entry_message, ignored_participant_names, timeout_config } = body;
  return { bot_name, meeting_url, recording_mode, entry_message, ignored_participant_names, timeout_config };
}

const duplicateWindowMs = 5 * 60_000;
const capWindowMs = 24 * 3_600_000;

async function insertAdmitted(
  transaction: Executor,
  bot: NewBot,
  { singleBot }: { singleBot: boolean },
): Promise<void> {
  const account = await lockAccount(transaction, bot.teamId);
  if (account === null) {
    throw fail('UNAVAILABLE', {
      message: 'This team is not known to the scheduler yet. Try again in a moment.',
      retryAfterSeconds: 1,
    });
  }
  const outcome = await insertBot(transaction, bot, {
    dailyBotCap: account.dailyBotCap,
    capSince: new Date(bot.createdAt.getTime() - capWindowMs),
    duplicateSince: singleBot ? new Date(bot.createdAt.getTime() - duplicateWindowMs) : null,
  });
  switch (outcome.verdict) {
    case 'admitted':
      return;
    case 'cap':
      throw capReached(account, outcome.oldestCounted, bot.createdAt);
    case 'tokens':
      throw fail('INSUFFICIENT_TOKENS', {
        message: `A bot reserves ${reservedTokensPerBot} tokens and the team has ${account.available} left that are not reserved.`,
      });
    case 'duplicate':
      throw fail('BOT_ALREADY_EXISTS', {
        message:
          'A bot was already sent to this meeting in the last 5 minutes. Set allow_multiple_bots to true to send another.',
      });
  }
}

function capReached(account: LockedAccount, oldestCounted: Date | null, at: Date) {
  const freeAtMs = (oldestCounted?.getTime() ?? at.getTime()) + capWindowMs;
  return fail('DAILY_BOT_CAP_REACHED', {
    message: `The team's plan allows ${account.dailyBotCap} bots in 24 hours, and that many were created.`,
    retryAfterSeconds: Math.max(1, Math.ceil((freeAtMs - at.getTime()) / 1_000)),
  });
}

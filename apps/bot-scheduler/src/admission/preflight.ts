import { reservedTokensFor } from '@rapporteur/bot-lifecycle';
import { platforms } from '@rapporteur/contracts';
import { fail, Failure } from '@rapporteur/failures';
import type { MeetingLink } from '@rapporteur/meeting-links';
import { isBatchProvider, isLiveProvider, unknownParameters } from '@rapporteur/speech-to-text/settings';
import type { Router } from 'express';
import { addToLog, readInput, servePublic } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import type { Executor } from '@rapporteur/database';
import { createBotBody } from '../schema/create-bot-body.ts';
import type { CreateBotBody } from '../schema/create-bot-body.ts';
import type { TranscriberClient } from '../service-clients.ts';
import { providerOf } from '../transcription/engines.ts';
import { loginUnavailable, wantedLogin } from '../credentials/wanted-login.ts';
import { findCredentialRefusal } from '../credentials/credential-refusal.ts';
import { refuseLongRetention } from '../credentials/own-retention.ts';
import { metersOf } from '../credentials/bot-meters.ts';
import type { Context } from '../schema/context.ts';
import { refusalOf } from './admit-bot.ts';
import type { Verdict } from './admission.store.ts';
import { findBrokenRule, findForeignSettings, timeoutsWithoutEffect } from './body-rules.ts';
import { duplicateRuleOf, findUnusable, readLink, runnerConfigurationOf, transcriptionKeyOf } from './prepare-bot.ts';
import type { PrepareDependencies, DuplicateRule } from './prepare-bot.ts';

export interface PreflightDependencies extends PrepareDependencies, Pick<Context, 'database' | 'now'> {
  readonly findProviderProblem: TranscriberClient['findProviderProblem'];
}

interface Check {
  readonly name: 'meeting_url' | 'platform' | 'features' | 'daily_bot_cap' | 'tokens' | 'duplicate' | 'credential';
  readonly status: 'pass' | 'warn' | 'fail';
  /** The error code that creating the bot would return; null: none. */
  readonly code: string | null;
  readonly message: string | null;
}

/**
 * The results of creating this bot now. Creates and locks nothing. Checks that depend on the meeting are omitted when
 * the link is invalid. Throws VALIDATION for an invalid body, UNAVAILABLE for an unknown team.
 */
export async function preflight(dependencies: PreflightDependencies, teamId: string, body: CreateBotBody) {
  const broken = findBrokenRule(body);
  if (broken !== null) throw broken;
  await refuseLongRetention(dependencies.database, teamId, body.retention_hours);
  const link = readLink(dependencies, body.meeting_url);
  const meeting = link instanceof Failure ? null : link;
  const at = new Date(dependencies.now());
  const teamStatus = await readStatus(dependencies.database, {
    teamId,
    at,
    canonicalUrl: meeting?.canonicalUrl ?? null,
    duplicates: duplicateRuleOf(body),
  });
  if (teamStatus === null) throw refuse('unknown-team', null, at) ?? fail('UNAVAILABLE');
  const reserved = reservedTokensFor(
    metersOf({
      configuration: runnerConfigurationOf(body),
      transcriptionKey: transcriptionKeyOf(body, (body.transcription_config?.api_key ?? null) !== null),
    }),
  );
  const checks: Check[] = [
    judge('meeting_url', link instanceof Failure ? link : null),
    ...(meeting === null ? [] : [judgePlatform(body, meeting)]),
    await judgeFeatures(dependencies, body),
    judge('daily_bot_cap', teamStatus.used >= teamStatus.cap ? refuse('cap', teamStatus, at) : null),
    judge('tokens', teamStatus.availableTokens < reserved ? refuse('tokens', teamStatus, at, reserved) : null),
    ...(meeting === null
      ? []
      : [judge('duplicate', teamStatus.duplicate ? refuse('duplicate', teamStatus, at) : null)]),
    await judgeCredential(dependencies, teamId, body),
  ];
  return {
    ready: checks.every(({ status }) => status !== 'fail'),
    checks,
    not_checked: [...(meeting === null ? [] : [unseenMeeting]), ...unseenParts(body)],
    meeting: meeting && {
      platform: meeting.platform,
      meeting_id: meeting.meetingId,
      canonical_url: meeting.canonicalUrl,
    },
    daily_bots: { used: teamStatus.used, cap: teamStatus.cap },
    tokens: { available: teamStatus.availableTokens, reserved_per_bot: reserved },
  };
}

interface Unchecked {
  readonly name: 'meeting' | 'provider_key' | 'callback';
  readonly message: string;
}

const unseenMeeting: Unchecked = {
  name: 'meeting',
  message: 'Whether the meeting exists, has begun and admits the bot shows when the bot joins.',
};

/** Parts of a body that only a running bot can check. */
function unseenParts(body: CreateBotBody): Unchecked[] {
  const ownKeys = [body.transcription_config?.api_key, body.streaming_config?.transcription?.api_key];
  const hasOwnKey = ownKeys.some((key) => typeof key === 'string');
  const message = 'Whether the transcription provider accepts your key shows when it is used.';
  return [
    ...(hasOwnKey ? [{ name: 'provider_key', message } as const] : []),
    ...(body.callback_enabled
      ? [{ name: 'callback', message: 'Whether the callback address responds shows when the bot has ended.' } as const]
      : []),
  ];
}

function judge(name: Check['name'], failure: Failure | null): Check {
  if (failure === null) return { name, status: 'pass', code: null, message: null };
  return { name, status: 'fail', code: failure.entry.wireCode, message: failure.message };
}

async function judgeFeatures(dependencies: PreflightDependencies, body: CreateBotBody): Promise<Check> {
  const { transcription_config, streaming_config } = body;
  const failure = findUnusable(dependencies, body);
  const warn = (message: string): Check => ({ name: 'features', status: 'warn', code: null, message });
  const unknown = [transcription_config, streaming_config?.transcription ?? null].flatMap((config) => {
    const [provider, custom_params] = [config?.provider ?? '', config?.custom_params ?? null];
    return isBatchProvider(provider) || isLiveProvider(provider) ? unknownParameters(provider, custom_params) : [];
  });
  if (failure === null && unknown.length > 0)
    return warn(
      `These custom_params are passed to the provider as they are: ${unknown.join(', ')}. Whether it takes them shows when it is used.`,
    );
  const isOfDeployment = body.transcription_enabled && (transcription_config?.api_key ?? null) === null;
  const provider = providerOf(dependencies.engines ?? [], transcription_config);
  const problem = failure === null && isOfDeployment ? await dependencies.findProviderProblem(provider) : null;
  return problem === null
    ? judge('features', failure)
    : warn(`${problem} Recordings wait for it and keep their audio.`);
}

function judgePlatform(body: CreateBotBody, meeting: MeetingLink): Check {
  const failure = findForeignSettings(body, meeting);
  const unused = timeoutsWithoutEffect(body.timeout_config, meeting.platform);
  if (failure !== null || unused.length === 0) return judge('platform', failure);
  const message = `On ${platforms[meeting.platform].title} these settings have no effect: ${unused.join(', ')}.`;
  return { name: 'platform', status: 'warn', code: null, message };
}

async function judgeCredential(
  dependencies: PreflightDependencies,
  teamId: string,
  body: CreateBotBody,
): Promise<Check> {
  const unusable = await findCredentialRefusal(dependencies.zoom, teamId, body, 'now');
  const wanted = wantedLogin(body);
  if (unusable !== null || wanted === null) return judge('credential', unusable);
  const free = await dependencies.logins?.availability({ teamId, selector: wanted.selector });
  if (free?.outcome === 'available') return judge('credential', null);
  const failure = loginUnavailable(wanted, free?.message ?? 'This deployment stores no logins.');
  if (wanted.fallback === 'fail') return judge('credential', failure);
  const message = `${free?.message ?? 'This deployment stores no logins.'} The bot would join anonymously, as the fallback says.`;
  return { name: 'credential', status: 'warn', code: failure.entry.wireCode, message };
}

function refuse(verdict: Verdict, teamStatus: TeamStatus | null, at: Date, reservedTokens = 0): Failure | null {
  const { cap = 0, availableTokens = 0 } = teamStatus ?? {};
  return refusalOf(
    { verdict, cap, available: String(availableTokens), freeAt: null },
    { at, legacy: null, reservedTokens },
  );
}

/** The API of the preflight. */
export function preflightRoutes(auth: InternalAuth, dependencies: PreflightDependencies): Router {
  return servePublic(auth, {
    preflightBot: async ({ teamId, body, request }) => {
      const data = await preflight(dependencies, teamId, readInput(createBotBody, body));
      addToLog(request, { ready: data.ready });
      return { data };
    },
  });
}

/** Current usage of a team's limits. Takes no locks: a later creation may see other values. */
interface TeamStatus {
  readonly cap: number;
  /** Bots created in the last 24 hours. */
  readonly used: number;
  readonly availableTokens: number;
  /** A bot of the team makes another one for this meeting a duplicate. */
  readonly duplicate: boolean;
}

interface StatusRequest {
  readonly teamId: string;
  readonly at: Date;
  readonly canonicalUrl: string | null;
  readonly duplicates: DuplicateRule;
}

/** Null while this service has no copy of the team. */
async function readStatus(executor: Executor, internalRequest: StatusRequest): Promise<TeamStatus | null> {
  const { teamId, at, canonicalUrl, duplicates } = internalRequest;
  const [row] = await executor.query<TeamStatus>(
    `select limits.daily_bot_cap as cap, (account.balance - account.reserved)::float8 as "availableTokens",
       (account.bot_count - coalesce((
         select team_number from bots where team_id = $1 and admitted_at <= $2::timestamptz - interval '24 hours'
           and team_number is not null order by admitted_at desc limit 1), 0))::int as used,
       $3::text <> 'allowed' and exists (
         select 1 from bots where team_id = $1 and canonical_url = $4 and admitted_at > $2::timestamptz - interval '5 minutes'
           and team_number is not null) as duplicate
     from token_accounts account join team_limits limits using (team_id) where team_id = $1`,
    [teamId, at, duplicates, canonicalUrl],
  );
  return row ?? null;
}

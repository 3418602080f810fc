import { randomUUID } from 'node:crypto';
import type { Executor } from '@rapporteur/database';
import { loginPlatforms } from '@rapporteur/contracts';
import type { MatchedCandidates, RunnerConfiguration } from '@rapporteur/contracts';
import { isFinal } from '@rapporteur/bot-lifecycle';
import { prepareBot } from '../admission/prepare-bot.ts';
import type { PrepareDependencies } from '../admission/prepare-bot.ts';
import { forgetData } from '../data-deletion/forget-data.ts';
import type { BotRow } from '../schema/bot-entity.ts';
import type { CanaryRunRow } from '../schema/entities.ts';
import type { Context } from '../schema/context.ts';
import { insertUncountedBot } from '../admission/admission.store.ts';
import { createBotBody } from '../schema/create-bot-body.ts';
import {
  claimDueCanaries,
  confirmSoon,
  endCanaryRun,
  findBusyPlatforms,
  findOpenRuns,
  findOutcomeBefore,
  insertCanaryRun,
  postponeCanary,
} from './canaries.store.ts';
import type { Canary } from './read-canaries.ts';
import { judgeCanary } from './judge-canary.ts';
import type { Judgement } from './judge-canary.ts';

export interface CanaryDependencies extends Pick<Context, 'database' | 'events' | 'notifyRuns' | 'now' | 'logger'> {
  readonly preparing: PrepareDependencies;
  readonly canaries: readonly Canary[];
  /** How long a canary stays in its call, or in a waiting room that is shown. */
  readonly stayMs: number;
  readonly elementsOf: (platform: BotRow['meeting_platform']) => ReadonlySet<string>;
  readonly leave: (botId: string, teamId: string) => Promise<unknown>;
  /** In the transaction that stores a run's end. */
  readonly onEnded: (transaction: Executor, run: EndedCanaryRun) => Promise<void>;
  /** After the commit. */
  readonly onCounted: (run: EndedCanaryRun) => void;
}

export interface EndedCanaryRun extends Judgement {
  readonly botId: string;
  readonly canary: string;
  readonly platform: BotRow['meeting_platform'];
}

/** Until then chat and captions are waited for. */
const mostInCallMs = 90_000;
/** From its start, for a canary that neither waits nor is in its call. */
const joinDeadlineMs = 180_000;
/** From its start; a canary that has not ended by then is judged as it is. */
const deadlineMs = 360_000;

/** One round: starts due canaries, has those that have seen enough leave, and judges those that ended. */
export async function runCanaries(dependencies: CanaryDependencies): Promise<void> {
  await startDue(dependencies);
  for (const run of await findOpenRuns(dependencies.database)) {
    const bot = await findBot(dependencies.database, run.bot_id);
    if (bot.end_code !== null || dependencies.now() - run.started_at.getTime() > deadlineMs)
      await finish(dependencies, run, bot);
    else if (bot.leave_requested_at === null && hasSeenEnough(bot, run, dependencies))
      await dependencies.leave(bot.id, canaryTeamId);
  }
}

/** One per platform at a time. */
async function startDue(dependencies: CanaryDependencies): Promise<void> {
  const { database, events, notifyRuns, canaries, preparing, logger } = dependencies;
  const at = new Date(dependencies.now());
  const started: { readonly canary: Canary; readonly botId: string; readonly events: readonly string[] }[] = [];
  await database.transaction(async (transaction) => {
    const due = await claimDueCanaries(transaction, at);
    if (due.length === 0) return;
    const busy = await findBusyPlatforms(transaction);
    for (const name of due) {
      const canary = canaries.find((one) => one.name === name);
      if (canary === undefined || busy.has(canary.platform)) continue;
      busy.add(canary.platform);
      const bot = await insertCanaryBot(transaction, preparing, { canary, at });
      await insertCanaryRun(transaction, { botId: bot.botId, canary, at });
      await postponeCanary(transaction, canary, at);
      started.push({ canary, ...bot });
    }
  });
  for (const { canary, botId, events: ids } of started) {
    logger.info({ canary: canary.name, botId, teamId: canaryTeamId }, 'A canary was sent to its meeting.');
    events.notify(ids);
  }
  if (started.length > 0) notifyRuns();
}

async function findBot(executor: Executor, botId: string): Promise<BotRow> {
  const [bot] = await executor.query<BotRow>('select * from bots where id = $1', [botId]);
  if (bot === undefined) throw new Error(`The bot ${botId} of a canary is gone.`);
  return bot;
}

function hasSeenEnough(bot: BotRow, run: CanaryRunRow, { now, stayMs, canaries }: CanaryDependencies): boolean {
  const expect = canaries.find(({ name }) => name === run.canary)?.expect;
  const sinceMs = now() - bot.phase_since.getTime();
  if (expect === undefined) return true;
  if (bot.joined_at === null) {
    if (isWaiting(bot)) return sinceMs >= stayMs;
    return now() - run.started_at.getTime() >= joinDeadlineMs;
  }
  if (expect.reach === 'lobby') return true;
  const inCallMs = now() - bot.joined_at.getTime();
  if (inCallMs >= mostInCallMs) return true;
  const settled = (!expect.chat || bot.chat_available !== null) && (!expect.captions || bot.captions !== null);
  return inCallMs >= stayMs && settled && bot.status === 'in_call_recording';
}

const isWaiting = ({ status }: BotRow): boolean => status === 'in_waiting_room' || status === 'in_waiting_for_host';

async function finish(dependencies: CanaryDependencies, run: CanaryRunRow, bot: BotRow): Promise<void> {
  const { database, canaries, elementsOf, onEnded, onCounted, logger } = dependencies;
  const configured = canaries.find(({ name }) => name === run.canary);
  // Its configuration is gone: nothing is expected of it any more.
  const expected = configured?.expect ?? { reach: 'lobby', roster: false, audio: 'any', chat: false, captions: false };
  const at = new Date(dependencies.now());
  const ended = await database.transaction(async (transaction) => {
    const facts = await factsOf(transaction, bot, elementsOf(bot.meeting_platform));
    const judgement = judgeCanary(expected, facts, await candidatesBefore(transaction, run));
    if (!(await endCanaryRun(transaction, bot.id, judgement, at))) return null;
    const isFirstFailure = judgement.outcome === 'failed' && (await findOutcomeBefore(transaction, run)) !== 'failed';
    if (isFirstFailure && configured !== undefined) await confirmSoon(transaction, configured, at);
    const { bot_id: botId, canary, platform } = run;
    const endedRun = { botId, canary, platform, ...judgement };
    await onEnded(transaction, endedRun);
    return endedRun;
  });
  if (ended === null) return;
  onCounted(ended);
  const { outcome, result, failedStep, canary, platform } = ended;
  const facts = { canary, platform, botId: bot.id, outcome, failedStep, pagePack: result.page_pack_version };
  if (outcome === 'passed') logger.info(facts, `The canary ${canary} passed.`);
  else logger.warn({ ...facts, steps: result.steps }, `The canary ${canary}: ${result.message}`);
}

async function factsOf(executor: Executor, bot: BotRow, elements: ReadonlySet<string>) {
  const [row] = await executor.query<{ waited: boolean; unknown: boolean | null }>(
    `select count(*) > 0 as waited, bool_or(delay_reason = 'page_not_recognised') as unknown
     from bot_history where bot_id = $1 and code in ('in_waiting_room', 'in_waiting_for_host')`,
    [bot.id],
  );
  return {
    launched: bot.attempt > 0,
    withLogin: bot.configuration.login !== null,
    endCode: bot.end_code,
    endMessage: bot.end_message,
    waited: row?.waited ?? false,
    waitingRecognised: row?.unknown !== true,
    joined: bot.joined_at !== null,
    chatAvailable: bot.chat_available,
    captions: bot.captions,
    observed: bot.observed,
    matched: bot.matched_candidates ?? {},
    elements,
    pagePackVersion: bot.page_pack_version,
  };
}

async function candidatesBefore(executor: Executor, { canary }: CanaryRunRow): Promise<MatchedCandidates> {
  const [row] = await executor.query<{ matched_candidates: MatchedCandidates | null }>(
    `select bots.matched_candidates from canary_runs join bots on bots.id = canary_runs.bot_id
     where canary = $1 and outcome = 'passed' order by canary_runs.started_at desc limit 1`,
    [canary],
  );
  return row?.matched_candidates ?? {};
}

/**
 * Deletes what a canary that did not fail stored; of one that failed its evidence is kept for a while.
 */
export async function forgetCanaryData(
  { database, events, now }: Pick<CanaryDependencies, 'database' | 'events' | 'now'>,
  evidenceKeptMs: number,
): Promise<void> {
  const at = new Date(now());
  const rows = await database.query<Pick<BotRow, 'id' | 'phase'>>(
    `select bots.id, bots.phase from bots join canary_runs on canary_runs.bot_id = bots.id
     where bots.team_id = $1 and bots.ended_at is not null and data_forgotten_at is null
       and (outcome <> 'failed' or bots.ended_at < $2) limit 100`,
    [canaryTeamId, new Date(at.getTime() - evidenceKeptMs)],
  );
  for (const { id, phase } of rows) {
    if (!isFinal(phase)) continue;
    const place = { botId: id, teamId: canaryTeamId };
    await database.transaction((transaction) => forgetData(transaction, place, { events, at }));
  }
  if (rows.length > 0) events.notify();
}

/**
 * The team of canaries' bots. No key belongs to it: its bots are in no list, count toward no limit, and have no webhooks.
 */
export const canaryTeamId = '00000000-0000-4000-8000-00000000ca4a';

/** Kept for looking at a failed canary. */
export const evidenceKeptDays = 7;

const notAssignedYet = '00000000-0000-0000-0000-000000000000';
const waitingRoomSeconds = 600;

/** Creates the bot of one run, like any other. Returns its id and events. */
async function insertCanaryBot(
  transaction: Executor,
  dependencies: PrepareDependencies,
  { canary, at }: { readonly canary: Canary; readonly at: Date },
): Promise<{ readonly botId: string; readonly events: readonly string[] }> {
  const { login, platform } = canary;
  const { team_id: _team, ...selector } = login ?? {};
  const timeout_config = { waiting_room_timeout: waitingRoomSeconds, max_recording_duration: waitingRoomSeconds };
  const body = createBotBody.parse({
    bot_name: 'Rapporteur canary',
    meeting_url: canary.link,
    recording_mode: 'audio_only',
    timeout_config,
    ...(login === undefined ? {} : { [`${platform}_config`]: selector }),
  });
  const prepared = prepareBot(dependencies, body);
  const botId = randomUUID();
  const events = await insertUncountedBot(transaction, {
    ...prepared,
    // Read for their own sake: no transcript is made of them.
    configuration: {
      ...prepared.configuration,
      captions: canary.expect.captions ? { language: null } : null,
      login: loginOf(canary),
    },
    id: botId,
    teamId: canaryTeamId,
    at,
    callback: null,
    apiKeyId: null,
    created: null,
    joinAt: null,
    reservedTokens: 0,
    secrets: [],
  });
  return { botId, events };
}

/** Its runner asks for the login itself; which one it is given is stored then. */
function loginOf({ login, platform }: Canary): RunnerConfiguration['login'] {
  const signsIn = loginPlatforms.find((name) => name === platform);
  if (login === undefined || signsIn === undefined) return null;
  return { platform: signsIn, credentialId: login.credential_id ?? notAssignedYet };
}

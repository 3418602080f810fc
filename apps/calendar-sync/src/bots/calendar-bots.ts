import { isDeepStrictEqual } from 'node:util';
import type { CalendarBotResult } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import type { CalendarPlace, Sealing } from '../sealing.ts';
import type { ApplyDependencies } from './apply-bots.ts';
import { applyDueBots } from './apply-bots.ts';
import { insertBotConfig, readBotConfigs } from './bot-configs.store.ts';
import type { BotConfig } from './bot-configs.store.ts';
import { lockTeam } from './decide-bots.ts';
import type { SchedulerClient } from './scheduler-client.ts';
import { loadTarget } from './target-events.ts';
import type { BotTarget, TargetEvent, TargetWish } from './target-events.ts';
import { lateJoinMs } from './wanted-bot.ts';

export interface CalendarBotDependencies extends ApplyDependencies {
  readonly scheduler: SchedulerClient;
  readonly sealing: Sealing;
  /** Notifies the worker that bots are to be applied. */
  readonly onDecided: () => void;
}

export interface BotOutcome {
  readonly data: readonly { readonly event_id: string }[];
  readonly errors: readonly EventError[];
}

export interface EventError {
  readonly event_id: string;
  readonly code: string;
  readonly message: string;
  readonly details: string | null;
}

const lockedBeforeMs = 4 * 60_000;

/** Schedules a bot on one event, or on a series and all of its future occurrences. */
export async function scheduleCalendarBots(
  dependencies: CalendarBotDependencies,
  place: CalendarPlace,
  wish: TargetWish & { readonly bot: BotConfig },
): Promise<BotOutcome> {
  const target = await loadTarget(dependencies.database, place, wish, dependencies.clock.now());
  const refusals = await refusalsOf(dependencies, place.teamId, { events: target.events, configOf: () => wish.bot });
  const accepted = target.events.filter(({ event_id }) => !refusals.has(event_id));
  // A series without a future occurrence may still get one.
  const isUseless = accepted.length === 0 && (!wish.allOccurrences || [...refusals.values()].some(isConfigError));
  if (isUseless) return { data: [], errors: [...refusals.values()] };
  await change(dependencies, place, target, async (transaction, at) => {
    const configId = await insertBotConfig(transaction, dependencies.sealing, {
      teamId: place.teamId,
      body: wish.bot,
      at,
    });
    if (wish.allOccurrences) await setSeries(transaction, target.seriesId, { configId, isExcluded: false });
    const own = wish.allOccurrences ? null : configId;
    await setEvents(transaction, accepted, { configId: own, isExcluded: false });
    const configErrors = target.events.filter(({ event_id }) => isConfigError(refusals.get(event_id)));
    await setEvents(transaction, configErrors, { configId: null, isExcluded: true });
  });
  return { data: accepted.map(({ event_id }) => ({ event_id })), errors: [...refusals.values()] };
}

/** Changes the configuration of scheduled bots. Throws BOT_STATUS inside the lock window and where there is no bot. */
export async function changeCalendarBots(
  dependencies: CalendarBotDependencies,
  place: CalendarPlace,
  wish: TargetWish & { readonly bot: BotConfig },
): Promise<BotOutcome> {
  const target = await loadTarget(dependencies.database, place, wish, dependencies.clock.now());
  const scheduled = target.events.filter(({ config_id }) => config_id !== null);
  if (scheduled.length === 0 && (!wish.allOccurrences || target.seriesConfigId === null)) throw noBot();
  const { open, errors: locked } = splitLocked(scheduled, dependencies.clock.now());
  if (scheduled.length > 0 && open.length === 0) throw tooLate();
  const ids = [...open.map(({ config_id }) => config_id), target.seriesConfigId].filter((id) => id !== null);
  const configs = await readBotConfigs(dependencies.database, dependencies.sealing, ids);
  const merged = (configId: string | null): BotConfig => ({ ...configs.get(configId ?? ''), ...wish.bot });
  const configOf = ({ config_id }: TargetEvent): BotConfig => merged(config_id);
  const refusals = await refusalsOf(dependencies, place.teamId, { events: open, configOf });
  const accepted = open.filter(({ event_id }) => !refusals.has(event_id));
  if (accepted.length > 0 || open.length === 0) {
    await change(dependencies, place, target, async (transaction, at) => {
      const written = new Map<string, string>();
      const store = async (from: string): Promise<string> => {
        const known = written.get(from);
        if (known !== undefined) return known;
        const entry = { teamId: place.teamId, body: merged(from), at };
        const configId = await insertBotConfig(transaction, dependencies.sealing, entry);
        written.set(from, configId);
        return configId;
      };
      const inheritsSeries = (event: TargetEvent): boolean =>
        wish.allOccurrences && event.bot_config_id === null && event.config_id === target.seriesConfigId;
      if (wish.allOccurrences && target.seriesConfigId !== null) {
        const configId = await store(target.seriesConfigId);
        await setSeries(transaction, target.seriesId, { configId, isExcluded: false });
        // Events that cannot be changed keep their configuration.
        const kept = [
          ...scheduled.filter((event) => !open.includes(event)),
          ...open.filter((one) => refusals.has(one.event_id)),
        ];
        for (const event of kept.filter(inheritsSeries))
          await setEvents(transaction, [event], { configId: event.config_id, isExcluded: false });
      }
      for (const event of accepted.filter((one) => !inheritsSeries(one)))
        await setEvents(transaction, [event], { configId: await store(event.config_id ?? ''), isExcluded: false });
    });
  }
  return { data: accepted.map(({ event_id }) => ({ event_id })), errors: [...locked, ...refusals.values()] };
}

/** Cancels bots. Throws BOT_STATUS inside the lock window and where there is no bot. */
export async function cancelCalendarBots(
  dependencies: CalendarBotDependencies,
  place: CalendarPlace,
  wish: TargetWish,
): Promise<BotOutcome> {
  const target = await loadTarget(dependencies.database, place, wish, dependencies.clock.now());
  const scheduled = target.events.filter(({ config_id }) => config_id !== null);
  if (scheduled.length === 0 && (!wish.allOccurrences || target.seriesConfigId === null)) throw noBot();
  const { open, errors } = splitLocked(scheduled, dependencies.clock.now());
  if (scheduled.length > 0 && open.length === 0) throw tooLate();
  await change(dependencies, place, target, async (transaction) => {
    if (wish.allOccurrences) {
      await setSeries(transaction, target.seriesId, { configId: null, isExcluded: true });
      const locked = scheduled.filter((event) => !open.includes(event));
      for (const event of locked)
        await setEvents(transaction, [event], { configId: event.config_id, isExcluded: false });
    }
    await setEvents(transaction, open, { configId: null, isExcluded: !wish.allOccurrences });
  });
  return { data: open.map(({ event_id }) => ({ event_id })), errors };
}

function noBot() {
  return fail('BOT_STATUS', { message: 'No bot is scheduled on this event. Schedule one with POST.' });
}

function tooLate() {
  return fail('BOT_STATUS', {
    message: 'The bot joins in less than 4 minutes, or has joined: it can no longer be changed or cancelled here.',
  });
}

function splitLocked(events: readonly TargetEvent[], nowMs: number) {
  const isLocked = ({ start_at, has_bot }: TargetEvent): boolean =>
    has_bot && start_at.getTime() - lockedBeforeMs <= nowMs;
  const errors = events.filter(isLocked).map(({ event_id }): EventError => {
    const message = 'The bot joins in less than 4 minutes and can no longer be changed.';
    return { event_id, code: 'BOT_STATUS', message, details: null };
  });
  return { open: events.filter((event) => !isLocked(event)), errors };
}

const eventCodes = new Set(['EVENT_CANCELLED', 'EVENT_ALL_DAY', 'EVENT_IN_PAST', 'NO_MEETING_URL', 'BOT_STATUS']);

/** The error concerns the request, not the event. */
function isConfigError(error: EventError | undefined): boolean {
  return error !== undefined && !eventCodes.has(error.code);
}

interface Checked {
  readonly events: readonly TargetEvent[];
  readonly configOf: (event: TargetEvent) => BotConfig;
}

/** Why events get no bot: a property of the event, or bot-scheduler's refusal of the configuration. */
async function refusalsOf(
  { scheduler, clock }: CalendarBotDependencies,
  teamId: string,
  { events, configOf }: Checked,
): Promise<Map<string, EventError>> {
  const refusals = new Map<string, EventError>();
  const requests: { body: BotConfig; eventIds: string[] }[] = [];
  for (const event of events) {
    const problem = problemOf(event, clock.now());
    if (problem !== null) {
      refusals.set(event.event_id, { event_id: event.event_id, ...problem, details: null });
      continue;
    }
    const body = { ...configOf(event), meeting_url: event.meeting_url };
    const same = requests.find((internalRequest) => isDeepStrictEqual(internalRequest.body, body));
    if (same === undefined) requests.push({ body, eventIds: [event.event_id] });
    else same.eventIds.push(event.event_id);
  }
  const requested = requests.slice(0, 100);
  const responses: readonly CalendarBotResult['error'][] =
    requested.length === 0
      ? []
      : await scheduler.check(
          teamId,
          requested.map(({ body }) => body),
        );
  for (const [index, error] of responses.entries()) {
    if (error === null) continue;
    for (const event_id of requested[index]?.eventIds ?? []) refusals.set(event_id, { event_id, ...error });
  }
  return refusals;
}

function problemOf(event: TargetEvent, nowMs: number): { code: string; message: string } | null {
  if (event.status === 'cancelled') return { code: 'EVENT_CANCELLED', message: 'The event is cancelled.' };
  if (event.is_all_day) {
    return { code: 'EVENT_ALL_DAY', message: 'An all-day event says no time at which a bot could join.' };
  }
  if (event.start_at.getTime() + lateJoinMs <= nowMs) return { code: 'EVENT_IN_PAST', message: 'The event has begun.' };
  if (event.meeting_url === null)
    return {
      code: 'NO_MEETING_URL',
      message:
        event.notices.find(({ code }) => code === 'MEETING_LINK_UNUSABLE')?.message ??
        'The event holds no link to a meeting on Zoom, Google Meet or Microsoft Teams.',
    };
  if (event.has_bot && event.start_at.getTime() - lockedBeforeMs <= nowMs)
    return { code: 'BOT_STATUS', message: 'The bot joins in less than 4 minutes and can no longer be changed.' };
  return null;
}

type Change = (transaction: Executor, at: Date) => Promise<void>;

async function change(
  dependencies: CalendarBotDependencies,
  { teamId }: CalendarPlace,
  target: BotTarget,
  work: Change,
): Promise<void> {
  const { database, clock, decideBots, onDecided } = dependencies;
  const ids = target.events.map(({ event_id }) => event_id);
  await database.transaction(async (transaction) => {
    await lockTeam(transaction, teamId);
    await work(transaction, new Date(clock.now()));
    await decideBots(transaction, teamId, ids);
  });
  const bots = await database.query<{ bot_id: string }>(
    'select bot_id from wanted_bots where team_id = $1 and event_id = any($2::uuid[]) and next_attempt_at is not null',
    [teamId, ids],
  );
  await applyDueBots(
    dependencies,
    bots.map(({ bot_id }) => bot_id),
  );
  onDecided();
}

interface Setting {
  readonly configId: string | null;
  readonly isExcluded: boolean;
}

async function setSeries(executor: Executor, seriesId: string, { configId, isExcluded }: Setting): Promise<void> {
  await executor.query('update series set bot_config_id = $2, bot_excluded = $3 where series_id = $1', [
    seriesId,
    configId,
    isExcluded,
  ]);
}

async function setEvents(
  executor: Executor,
  events: readonly Pick<TargetEvent, 'event_id'>[],
  { configId, isExcluded }: Setting,
): Promise<void> {
  await executor.query('update events set bot_config_id = $2, bot_excluded = $3 where event_id = any($1::uuid[])', [
    events.map(({ event_id }) => event_id),
    configId,
    isExcluded,
  ]);
}

import { isDeepStrictEqual } from 'node:util';
import type { CalendarBotResult } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import type { Router } from 'express';
import { addToLog, invalid, servePublic } from '@rapporteur/service-runtime';
import type { BodyOf, InternalAuth } from '@rapporteur/service-runtime';
import { calendarPlaceOf } from '../sealing.ts';
import type { CalendarPlace, Sealing } from '../sealing.ts';
import { isBotOfEventSql } from '../notices/write-notices.ts';
import type { RuleRow } from '../schema/entities.ts';
import { applyDueBots } from './apply-bots.ts';
import type { ApplyDependencies, SchedulerClient } from './apply-bots.ts';
import { insertBotConfig, readBotConfigs } from './bot-configs.store.ts';
import type { BotConfig } from './bot-configs.store.ts';
import { teamTransaction } from './team-transaction.ts';
import type { TeamTransaction } from './team-transaction.ts';
import { wantingEventSql } from './decide-bots.ts';
import { findWanted } from './wanted-bot.ts';
import type { WantingEvent } from './wanted-bot.ts';

const nilUuid = '00000000-0000-0000-0000-000000000000';

/** The API of bots on the events of a calendar. */
export function calendarBotRoutes(auth: InternalAuth, dependencies: CalendarBotDependencies): Router {
  return servePublic(auth, {
    createCalendarBots: async ({ body, request, ...call }) => {
      const outcome = await scheduleCalendarBots(dependencies, calendarPlaceOf(call), readTargetBody(body));
      addToLog(request, countsOf(outcome));
      return outcome;
    },
    updateCalendarBots: ({ body, ...call }) =>
      changeCalendarBots(dependencies, calendarPlaceOf(call), readTargetBody(body)),
    deleteCalendarBots: ({ body, ...call }) =>
      cancelCalendarBots(dependencies, calendarPlaceOf(call), readTargetBody(body)),
  });
}

/** Throws VALIDATION for a body that names no event. */
function readTargetBody({
  series_id,
  all_occurrences: allOccurrences,
  event_id: eventId = null,
  ...bot
}: BodyOf<'updateCalendarBots'>): TargetBody & { readonly bot: BotConfig } {
  const seriesId = series_id === nilUuid ? null : series_id;
  if (!allOccurrences && eventId === null)
    throw invalid('event_id', 'It is needed unless all_occurrences is true: which event?');
  if (seriesId === null && eventId === null)
    throw invalid('series_id', 'Without an event_id it is needed: which series?');
  return { seriesId, allOccurrences, eventId, bot };
}

function countsOf({ data, errors }: BotOutcome) {
  return { scheduled: data.length, refused: errors.length };
}

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
  body: TargetBody & { readonly bot: BotConfig },
): Promise<BotOutcome> {
  return await changeBots(dependencies, place, body, {
    checks: ({ target }) => ({ events: target.events, configOf: () => body.bot }),
    work: async ({ transaction, target, refusals, at }) => {
      const accepted = target.events.filter(({ event_id }) => !refusals.has(event_id));
      const errors = [...refusals.values()];
      // A series without a future occurrence may still get one.
      if (accepted.length === 0 && (!body.allOccurrences || errors.some(isConfigError))) return { data: [], errors };
      const entry = { teamId: place.teamId, body: body.bot, at };
      const configId = await insertBotConfig(transaction, dependencies.sealing, entry);
      if (body.allOccurrences) await setSeries(transaction, target.seriesId, { configId, isExcluded: false });
      const own = body.allOccurrences ? null : configId;
      await setEvents(transaction, accepted, { configId: own, isExcluded: false });
      // The series has no bot on an occurrence that is declined later; those that are declined now are asked for.
      const declined = accepted.filter(({ own_response }) => own_response === 'declined');
      await setEvents(transaction, declined, { configId, isExcluded: false });
      const configErrors = target.events.filter(({ event_id }) => isConfigError(refusals.get(event_id)));
      await setEvents(transaction, configErrors, { configId: null, isExcluded: true });
      return { data: idsOf(accepted), errors };
    },
  });
}

/** Changes the configuration of scheduled bots. Throws BOT_STATUS inside the lock window and where there is no bot. */
export async function changeCalendarBots(
  dependencies: CalendarBotDependencies,
  place: CalendarPlace,
  body: TargetBody & { readonly bot: BotConfig },
): Promise<BotOutcome> {
  const { sealing, clock } = dependencies;
  const merged = (configs: Reading['configs'], id: string | null) => ({ ...configs.get(id ?? ''), ...body.bot });
  return await changeBots(dependencies, place, body, {
    checks: ({ target, configs }) => ({
      events: splitTarget(target, body, clock.now()).open,
      configOf: ({ config_id }) => merged(configs, config_id),
    }),
    work: async ({ transaction, target, configs, refusals, at }) => {
      const { scheduled, open, errors: locked } = splitTarget(target, body, at.getTime());
      const accepted = open.filter(({ event_id }) => !refusals.has(event_id));
      const outcome = { data: idsOf(accepted), errors: [...locked, ...refusals.values()] };
      if (accepted.length === 0 && open.length > 0) return outcome;
      const written = new Map<string, string>();
      const store = async (from: string): Promise<string> => {
        const known = written.get(from);
        if (known !== undefined) return known;
        const entry = { teamId: place.teamId, body: merged(configs, from), at };
        const configId = await insertBotConfig(transaction, sealing, entry);
        written.set(from, configId);
        return configId;
      };
      const inheritsSeries = (event: TargetEvent): boolean =>
        body.allOccurrences && event.bot_config_id === null && event.config_id === target.seriesConfigId;
      if (body.allOccurrences && target.seriesConfigId !== null) {
        const configId = await store(target.seriesConfigId);
        await setSeries(transaction, target.seriesId, { configId, isExcluded: false });
        // Events that cannot be changed keep their configuration.
        const kept = scheduled.filter((event) => !accepted.includes(event) && inheritsSeries(event));
        await setEvents(transaction, kept, { configId: target.seriesConfigId, isExcluded: false });
      }
      for (const event of accepted.filter((one) => !inheritsSeries(one)))
        await setEvents(transaction, [event], { configId: await store(event.config_id ?? ''), isExcluded: false });
      return outcome;
    },
  });
}

/** Cancels bots. Throws BOT_STATUS inside the lock window and where there is no bot. */
export async function cancelCalendarBots(
  dependencies: CalendarBotDependencies,
  place: CalendarPlace,
  body: TargetBody,
): Promise<BotOutcome> {
  return await changeBots(dependencies, place, body, {
    checks: () => ({ events: [], configOf: () => ({}) }),
    work: async ({ transaction, target, at }) => {
      const { scheduled, open, errors } = splitTarget(target, body, at.getTime());
      if (body.allOccurrences) {
        await setSeries(transaction, target.seriesId, { configId: null, isExcluded: true });
        for (const event of scheduled.filter((one) => !open.includes(one)))
          await setEvents(transaction, [event], { configId: event.config_id, isExcluded: false });
      }
      await setEvents(transaction, open, { configId: null, isExcluded: !body.allOccurrences });
      return { data: idsOf(open), errors };
    },
  });
}

const idsOf = (events: readonly TargetEvent[]) => events.map(({ event_id }) => ({ event_id }));

/** The scheduled events of a change, and those of them that may still be changed. Throws BOT_STATUS for none. */
function splitTarget(target: BotTarget, body: TargetBody, nowMs: number) {
  const scheduled = target.events.filter(({ config_id }) => config_id !== null);
  if (scheduled.length === 0 && (!body.allOccurrences || target.seriesConfigId === null))
    throw fail('BOT_STATUS', { message: 'No bot is scheduled on this event. Schedule one with POST.' });
  const split = splitLocked(scheduled, nowMs);
  if (scheduled.length > 0 && split.open.length === 0)
    throw fail('BOT_STATUS', {
      message: 'The bot joins in less than 4 minutes, or has joined: it can no longer be changed or cancelled here.',
    });
  return { scheduled, ...split };
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

interface Reading {
  readonly target: BotTarget;
  /** Configurations of the target's bots, by id. */
  readonly configs: ReadonlyMap<string, BotConfig>;
}

interface Changing extends Reading {
  readonly transaction: TeamTransaction;
  readonly refusals: ReadonlyMap<string, EventError>;
  readonly at: Date;
}

interface BotRequest {
  /** The events for which bot-scheduler is to check a configuration. */
  readonly checks: (reading: Reading) => Checked;
  /** Writes the change. */
  readonly work: (changing: Changing) => Promise<BotOutcome>;
}

/** Bodies that bot-scheduler has checked. */
type KnownChecks = { readonly body: BotConfig; readonly error: CalendarBotResult['error'] }[];

/** Per request: further bodies are checked when they are applied. */
const mostChecks = 100;
const mostAttempts = 5;

/**
 * Bot-scheduler checks the configurations before the transaction, which reads the target again under the team's lock:
 * what a sync or another request changed meanwhile is checked in a further attempt.
 */
async function changeBots(
  dependencies: CalendarBotDependencies,
  place: CalendarPlace,
  body: TargetBody,
  { checks, work }: BotRequest,
): Promise<BotOutcome> {
  const { database, sealing, clock, decideBots, onDecided } = dependencies;
  const read = async (executor: Executor): Promise<Reading> => {
    const target = await loadTarget(executor, place, body, clock.now());
    const ids = [...target.events.map(({ config_id }) => config_id), target.seriesConfigId].filter((id) => id !== null);
    return { target, configs: await readBotConfigs(executor, sealing, ids) };
  };
  const known: KnownChecks = [];
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    await checkBodies(dependencies, place.teamId, { known, checked: checks(await read(database)) });
    const done = await teamTransaction(database, place.teamId, async (transaction) => {
      const reading = await read(transaction);
      const refusals = refusalsOf(checks(reading), known, clock.now());
      if (refusals === null) return null;
      const outcome = await work({ ...reading, transaction, refusals, at: new Date(clock.now()) });
      const ids = reading.target.events.map(({ event_id }) => event_id);
      await decideBots(transaction, place.teamId, ids);
      return { outcome, ids };
    });
    if (done === null) continue;
    const bots = await database.query<{ bot_id: string }>(
      'select bot_id from wanted_bots where team_id = $1 and event_id = any($2::uuid[]) and next_attempt_at is not null',
      [place.teamId, done.ids],
    );
    const ids = bots.map(({ bot_id }) => bot_id);
    await applyDueBots(dependencies, ids);
    onDecided();
    return done.outcome;
  }
  throw fail('UNAVAILABLE', { message: 'The calendar is changing at the moment. Try again in a moment.' });
}

interface Checking {
  readonly known: KnownChecks;
  readonly checked: Checked;
}

async function checkBodies(
  { scheduler, clock }: CalendarBotDependencies,
  teamId: string,
  { known, checked: { events, configOf } }: Checking,
): Promise<void> {
  const bodies: BotConfig[] = [];
  for (const event of events) {
    if (problemOf(event, clock.now()) !== null) continue;
    const body = bodyOf(event, configOf);
    const isNew = ![...known.map((one) => one.body), ...bodies].some((one) => isDeepStrictEqual(one, body));
    if (isNew && known.length + bodies.length < mostChecks) bodies.push(body);
  }
  if (bodies.length === 0) return;
  const { errors } = await scheduler.check({ teamId, bodies });
  for (const [index, body] of bodies.entries()) known.push({ body, error: errors[index] ?? null });
}

const bodyOf = (event: TargetEvent, configOf: Checked['configOf']): BotConfig => ({
  ...configOf(event),
  meeting_url: event.meeting_url,
});

/**
 * Why events get no bot: a property of the event, or bot-scheduler's refusal of the configuration. Null: a
 * configuration is not checked yet.
 */
function refusalsOf(
  { events, configOf }: Checked,
  known: KnownChecks,
  nowMs: number,
): ReadonlyMap<string, EventError> | null {
  const refusals = new Map<string, EventError>();
  for (const event of events) {
    const { event_id } = event;
    const problem = problemOf(event, nowMs);
    const body = bodyOf(event, configOf);
    const check = problem === null ? known.find((one) => isDeepStrictEqual(one.body, body)) : undefined;
    if (problem !== null) refusals.set(event_id, { event_id, ...problem, details: null });
    else if (check === undefined && known.length < mostChecks) return null;
    else if (check !== undefined && check.error !== null) refusals.set(event_id, { event_id, ...check.error });
  }
  return refusals;
}

function problemOf(event: TargetEvent, nowMs: number): { code: string; message: string } | null {
  if (event.status === 'cancelled') return { code: 'EVENT_CANCELLED', message: 'The event is cancelled.' };
  if (event.is_all_day) {
    return { code: 'EVENT_ALL_DAY', message: 'An all-day event has no time at which a bot could join.' };
  }
  if (event.end_at.getTime() <= nowMs) return { code: 'EVENT_IN_PAST', message: 'The event is over.' };
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

interface Setting {
  readonly configId: string | null;
  readonly isExcluded: boolean;
}

async function setSeries(
  transaction: TeamTransaction,
  seriesId: string,
  { configId, isExcluded }: Setting,
): Promise<void> {
  await transaction.query('update series set bot_config_id = $2, bot_excluded = $3 where series_id = $1', [
    seriesId,
    configId,
    isExcluded,
  ]);
}

async function setEvents(
  transaction: TeamTransaction,
  events: readonly Pick<TargetEvent, 'event_id'>[],
  { configId, isExcluded }: Setting,
): Promise<void> {
  await transaction.query('update events set bot_config_id = $2, bot_excluded = $3 where event_id = any($1::uuid[])', [
    events.map(({ event_id }) => event_id),
    configId,
    isExcluded,
  ]);
}

interface TargetBody {
  /** Null: the series of the event. */
  readonly seriesId: string | null;
  readonly allOccurrences: boolean;
  /** Required unless all occurrences of a series are meant. */
  readonly eventId: string | null;
}

type TargetEvent = WantingEvent & {
  /** The configuration of its bot; null: none is wanted. */
  readonly config_id: string | null;
  readonly has_bot: boolean;
};

interface BotTarget {
  readonly seriesId: string;
  readonly seriesConfigId: string | null;
  /** One event, or the future occurrences of a series. */
  readonly events: readonly TargetEvent[];
}

/** Throws CALENDAR_NOT_FOUND, CALENDAR_SERIES_NOT_FOUND and CALENDAR_EVENT_NOT_FOUND. */
async function loadTarget(
  executor: Executor,
  { teamId, calendarId }: CalendarPlace,
  body: TargetBody,
  nowMs: number,
): Promise<BotTarget> {
  const [series] = await executor.query<{
    calendar_id: string;
    series_id: string | null;
    bot_config_id: string | null;
  }>(
    `select connection.calendar_id, series.series_id, series.bot_config_id from connections connection
       left join series on series.calendar_id = connection.calendar_id and series.series_id = coalesce($3, (
         select event.series_id from events event where event.calendar_id = connection.calendar_id and event.event_id = $4))
     where connection.team_id = $1 and connection.calendar_id = $2 and connection.deleted_at is null`,
    [teamId, calendarId, body.seriesId, body.eventId],
  );
  if (series === undefined) throw fail('CALENDAR_NOT_FOUND');
  if (series.series_id === null)
    throw fail(body.seriesId === null ? 'CALENDAR_EVENT_NOT_FOUND' : 'CALENDAR_SERIES_NOT_FOUND');
  const events = await executor.query<WantingEvent & { has_bot: boolean }>(
    `select wanting.*, exists (select 1 from wanted_bots bot where ${isBotOfEventSql} and bot.state = 'wanted') as has_bot
       from (${wantingEventSql}) wanting join events event using (event_id) where wanting.series_id = $1
       and case when $2::uuid is null then wanting.end_at > $3 and wanting.status <> 'cancelled'
         else wanting.event_id = $2 end order by wanting.start_at, wanting.event_id`,
    [series.series_id, body.allOccurrences ? null : body.eventId, new Date(nowMs)],
  );
  if (!body.allOccurrences && events.length === 0) throw fail('CALENDAR_EVENT_NOT_FOUND');
  const rules = await executor.query<RuleRow>(
    'select * from rules where team_id = $1 and enabled order by created_at, rule_id',
    [teamId],
  );
  return {
    seriesId: series.series_id,
    seriesConfigId: series.bot_config_id,
    events: events.map((event) => ({ ...event, config_id: findWanted(event, rules)?.configId ?? null })),
  };
}

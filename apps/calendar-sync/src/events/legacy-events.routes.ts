import { Router } from 'express';
import type { Executor } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { dateTime, idOf, pageOf, readInput, readPlace, teamOf } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { z } from 'zod';
import { readBotConfigs } from '../bots/bot-configs.store.ts';
import type { BotConfig } from '../bots/bot-configs.store.ts';
import { findWanted } from '../bots/wanted-bot.ts';
import type { WantingEvent } from '../bots/wanted-bot.ts';
import { describeConnection } from '../connections/connection-shape.ts';
import type { ConnectionRow, EventRow, RuleRow, SeriesRow } from '../schema/entities.ts';
import type { Sealing } from '../sealing.ts';

export interface LegacyDependencies {
  readonly database: Executor;
  readonly sealing: Sealing;
}

const pageRows = 100;
const mostCalendars = 10_000;
const listQuery = z.object({
  calendar_id: z.uuid(),
  cursor: z.string().optional(),
  attendee_email: z.string().optional(),
  organizer_email: z.string().optional(),
  start_date_gte: dateTime.optional(),
  start_date_lte: dateTime.optional(),
  updated_at_gte: dateTime.optional(),
  status: z.enum(['upcoming', 'past', 'all']).default('upcoming'),
});

type WholeEvent = EventRow & WantingEvent & Pick<SeriesRow, 'event_type'> & { readonly provider_series_id: string };
type Keyed = WholeEvent & { readonly key_at: string };

const wholeSql = `select event.*, series.event_type, series.provider_series_id, series.bot_config_id as series_config_id,
    series.bot_excluded as series_excluded, connection.account_email,
    settings.own_domains, settings.one_bot_per,
    to_char(event.start_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as key_at
  from events event join series on series.series_id = event.series_id
    join connections connection on connection.calendar_id = event.calendar_id and connection.deleted_at is null
    left join team_settings settings on settings.team_id = event.team_id
  where event.team_id = $1`;

/** Events with all data of the legacy API, which the gateway translates: whole rows and bot configurations. */
export function legacyRoutes(auth: InternalAuth, dependencies: LegacyDependencies): Router {
  const router = Router();
  const gatewayOnly = auth.require(['api-gateway']);
  router.get('/internal/v1/calendars', gatewayOnly, async (request, response) => {
    const rows = await dependencies.database.query<ConnectionRow>(
      `select * from connections where team_id = $1 and deleted_at is null
       order by created_at desc, calendar_id desc limit ${mostCalendars}`,
      [teamOf(request)],
    );
    response.json({ success: true, data: rows.map((row) => describeConnection(row, null)) });
  });
  const root = '/internal/v1/calendar-events';
  router.get(root, gatewayOnly, async (request, response) => {
    const teamId = teamOf(request);
    const filters = readInput(listQuery, request.query);
    const from = filters.cursor === undefined ? null : readPlace(filters.cursor);
    const found = await dependencies.database.query<Keyed>(
      `${wholeSql} and event.calendar_id = $2 and ($3::timestamptz is null or (event.start_at, event.event_id) > ($3, $4::uuid))
         and ($5::timestamptz is null or event.start_at >= $5) and ($6::timestamptz is null or event.start_at <= $6)
         and ($7::timestamptz is null or event.updated_at >= $7)
         and ($8::text is null or event.organizer_email ilike $8)
         and ($9::jsonb is null or event.attendees @> $9::jsonb)
         and case $10 when 'upcoming' then event.end_at >= now() when 'past' then event.end_at < now() else true end
       order by event.start_at, event.event_id limit ${pageRows + 1}`,
      [
        teamId,
        filters.calendar_id,
        from?.at ?? null,
        from?.id ?? null,
        filters.start_date_gte ?? null,
        filters.start_date_lte ?? null,
        filters.updated_at_gte ?? null,
        filters.organizer_email?.replaceAll(/[\\%_]/g, String.raw`\$&`) ?? null,
        filters.attendee_email === undefined ? null : JSON.stringify([{ email: filters.attendee_email }]),
        filters.status,
      ],
    );
    await refuseUnknown(dependencies, teamId, filters.calendar_id);
    const placeOf = (row: Keyed) => ({ at: row.key_at, id: row.event_id });
    const { rows, cursor } = pageOf(found, { limit: pageRows, from, placeOf });
    response.json({ success: true, data: await describe(dependencies, teamId, rows), cursor });
  });
  router.get(`${root}/:event_id`, gatewayOnly, async (request, response) => {
    const teamId = teamOf(request);
    const id = idOf(request, 'event_id', 'CALENDAR_EVENT_NOT_FOUND');
    const rows = await dependencies.database.query<Keyed>(`${wholeSql} and event.event_id = $2`, [teamId, id]);
    if (rows.length === 0) throw fail('CALENDAR_EVENT_NOT_FOUND');
    const [event] = await describe(dependencies, teamId, rows);
    response.json({ success: true, data: event });
  });
  return router;
}

async function refuseUnknown({ database }: LegacyDependencies, teamId: string, calendarId: string): Promise<void> {
  const [known] = await database.query(
    'select 1 from connections where team_id = $1 and calendar_id = $2 and deleted_at is null',
    [teamId, calendarId],
  );
  if (known === undefined) throw fail('CALENDAR_NOT_FOUND');
}

async function describe({ database, sealing }: LegacyDependencies, teamId: string, rows: readonly WholeEvent[]) {
  const rules = await database.query<RuleRow>(
    'select * from rules where team_id = $1 and enabled order by created_at, rule_id',
    [teamId],
  );
  const wanted = new Map(rows.map((row) => [row.event_id, findWanted(row, rules)?.configId ?? null]));
  const ids = [...wanted.values()].filter((id) => id !== null);
  const configs = await readBotConfigs(database, sealing, ids);
  return rows.map((row) => {
    const config = configs.get(wanted.get(row.event_id) ?? '');
    return {
      event_id: row.event_id,
      calendar_id: row.calendar_id,
      series_id: row.series_id,
      event_type: row.event_type,
      title: row.title,
      meeting_url: row.meeting_url,
      start_time: row.start_at.toISOString(),
      end_time: row.end_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
      provider_event_id: row.provider_event_id,
      provider_series_id: row.event_type === 'recurring' ? row.provider_series_id : null,
      is_organizer: row.is_organizer,
      is_cancelled: row.status === 'cancelled',
      attendees: (row.attendees ?? []).map(({ email, name }) => ({ email, name })),
      raw: row.raw ?? {},
      bot: config === undefined ? null : withoutSecrets(config),
    };
  });
}

/** Keys of speech-to-text providers, callback secrets and tokens are removed. */
function withoutSecrets(config: BotConfig): BotConfig {
  const {
    callback_config: _callback,
    alpha_config: _alpha,
    transcription_config: transcription,
    legacy,
    ...shown
  } = config;
  const provider = (transcription as { provider?: string } | null | undefined)?.provider ?? null;
  const settings = legacy as { webhook_url?: string | null; deduplication_key?: string | null } | null | undefined;
  return {
    ...shown,
    speech_to_text_provider: config['transcription_enabled'] === true ? provider : null,
    webhook_url: settings?.webhook_url ?? null,
    deduplication_key: settings?.deduplication_key ?? null,
  };
}

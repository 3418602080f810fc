import type { Executor } from '@rapporteur/database';
import { pageOf } from '@rapporteur/service-runtime';
import type { Page, PageCursor, QueryOf } from '@rapporteur/service-runtime';
import { contains } from '../reading/list-filters.ts';
import { readBotCursor } from '../reading/list-cursor.ts';
import type { ScheduledBotRow } from '../schema/entities.ts';
import { describeZoom } from '../reading/describe-zoom.ts';
import { scheduleBotBody } from './schedule-bot.ts';

type ListQuery = QueryOf<'listScheduledBots'>;

export type ScheduledListRow = Omit<ScheduledBotRow, 'request' | 'link' | 'legacy'>;

/** One page of a team's scheduled bots, the earliest join time first. Throws VALIDATION for a cursor of another list. */
export async function listScheduled(
  executor: Executor,
  teamId: string,
  filters: ListQuery,
): Promise<Page<ScheduledListRow> & { readonly total: number }> {
  const all = conditions(teamId, filters, null);
  const [counted] = await executor.query<{ total: number }>(
    `select count(*)::int as total from scheduled_bots where ${all.where.join(' and ')}`,
    all.parameters,
  );
  const at = filters.cursor === undefined ? null : readBotCursor(filters.cursor);
  const { where, parameters } = conditions(teamId, filters, at);
  const found = await executor.query<ScheduledListRow>(
    `select id, team_id, created_at, updated_at, join_at, state, cancelled_at, spawned_at, bot_name, meeting_url,
       meeting_platform, extra, deduplication_key
     from scheduled_bots where ${where.join(' and ')}
     order by ${at?.backward === true ? 'join_at desc, id desc' : 'join_at, id'} limit ${filters.limit + 1}`,
    parameters,
  );
  const page = pageOf(found, {
    limit: filters.limit,
    from: at,
    placeOf: ({ join_at, id }) => ({ at: join_at.toISOString(), id }),
  });
  return { ...page, total: counted?.total ?? 0 };
}

interface Conditions {
  readonly where: readonly string[];
  readonly parameters: readonly unknown[];
}

function conditions(teamId: string, query: ListQuery, at: PageCursor | null): Conditions {
  const where: string[] = ['team_id = $1'];
  const parameters: unknown[] = [teamId];
  const add = (condition: (parameter: string) => string, value: unknown): void => {
    if (value === undefined) return;
    parameters.push(value);
    where.push(condition(`$${parameters.length}`));
  };
  add((value) => `id::text ilike ${value}`, contains(query.bot_id));
  add((value) => `bot_name ilike ${value}`, contains(query.bot_name));
  add((value) => `meeting_url ilike ${value}`, contains(query.meeting_url));
  add((value) => `join_at >= ${value}`, query.scheduled_after);
  add((value) => `join_at <= ${value}`, query.scheduled_before);
  add((value) => `state = any(${value})`, query.status?.split(','));
  add((value) => `meeting_platform = any(${value})`, query.meeting_platform?.split(','));
  for (const pair of query.extra?.split(',') ?? []) {
    const colon = pair.indexOf(':');
    parameters.push(pair.slice(0, colon), pair.slice(colon + 1));
    where.push(`extra->>$${parameters.length - 1}::text = $${parameters.length}`);
  }
  if (at !== null) {
    parameters.push(at.at, at.id);
    const operator = at.backward ? '<' : '>';
    where.push(`(join_at, id) ${operator} ($${parameters.length - 1}, $${parameters.length})`);
  }
  return { where, parameters };
}

/** One item of GET /v2/bots/scheduled. */
export function describeListItem(row: Omit<ScheduledBotRow, 'request' | 'link' | 'legacy'>) {
  return {
    bot_id: row.id,
    bot_name: row.bot_name,
    meeting_url: row.meeting_url,
    meeting_platform: row.meeting_platform,
    join_at: row.join_at.toISOString(),
    status: row.state,
    extra: row.extra,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** `data` of GET /v2/bots/scheduled/{bot_id}: everything it was scheduled with, except keys and tokens. */
export function describeScheduled(row: ScheduledBotRow, callbackSecret: string | null) {
  const { join_at: _joinAt, ...body } = scheduleBotBody.parse({ ...row.request, join_at: row.join_at.toISOString() });
  const { streaming_config: streaming, transcription_config: transcription, callback_config: callback } = body;
  return {
    ...describeListItem(row),
    bot_image: body.bot_image,
    bot_image_config: body.bot_image_config,
    recording_mode: body.recording_mode,
    cancelled_at: row.cancelled_at?.toISOString() ?? null,
    allow_multiple_bots: body.allow_multiple_bots,
    ignored_participant_names: body.ignored_participant_names,
    entry_message: body.entry_message,
    timeout_config: body.timeout_config,
    transcription_config: transcription && {
      enabled: body.transcription_enabled,
      provider: transcription.provider,
      region: transcription.region,
      fallback: transcription.fallback,
      custom_params: transcription.custom_params,
    },
    streaming_config: streaming && {
      enabled: body.streaming_enabled,
      mode: streaming.mode,
      input_url: streaming.input_url,
      output_url: streaming.output_url,
      audio_frequency: streaming.audio_frequency,
    },
    callback_config: callback && {
      enabled: body.callback_enabled,
      url: callback.url,
      method: callback.method,
      secret: callbackSecret,
    },
    alpha_config: describeZoom(body.alpha_config),
    meet_config: body.meet_config,
    teams_config: body.teams_config,
    retention_hours: body.retention_hours,
  };
}

import { z } from 'zod';
import { dateTime } from '@rapporteur/service-runtime';
import { findUnstorable } from '../admission/body-rules.ts';
import { invalid } from '../admission/create-bot-body.ts';

/** What a list shows, whichever API asked. Absent filters let everything through; all that are given must match. */
export interface ListFilters {
  readonly teamId: string;
  readonly botName?: string | undefined;
  readonly meetingUrl?: string | undefined;
  readonly participantName?: string | undefined;
  readonly speakerName?: string | undefined;
  readonly botId?: string | undefined;
  readonly createdAfter?: string | undefined;
  readonly createdBefore?: string | undefined;
  readonly endedAfter?: string | undefined;
  readonly platforms?: readonly string[] | undefined;
  readonly statuses?: readonly string[] | undefined;
  /** Field and value of `extra`, compared as text. */
  readonly extra: readonly ExtraPair[];
}

export interface ExtraPair {
  readonly field: string;
  readonly value: string;
}

export interface ListRequest {
  readonly filters: ListFilters;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

const text = z.string().min(1).max(4_096).optional();
const time = dateTime.optional();
const count = (most: number, usual: number) => z.coerce.number().int().min(1).max(most).default(usual);

const listQuery = z.object({
  limit: count(250, 50),
  cursor: text,
  bot_name: text,
  participant_name: text,
  bot_id: text,
  meeting_url: text,
  created_after: time,
  created_before: time,
  ended_after: time,
  extra: text,
  meeting_platform: text,
  status: text,
});

/** Reads the query of GET /v2/bots. Throws VALIDATION that names the field. */
export function readListQuery(teamId: string, query: unknown, nowMs: number): ListRequest {
  const read = readQuery(listQuery, query);
  for (const field of ['created_after', 'created_before'] as const) checkAge(field, read[field], nowMs);
  return {
    limit: read.limit,
    cursor: read.cursor,
    filters: {
      teamId,
      botName: read.bot_name,
      meetingUrl: read.meeting_url,
      participantName: read.participant_name,
      botId: read.bot_id,
      createdAfter: read.created_after,
      createdBefore: read.created_before,
      endedAfter: read.ended_after,
      platforms: read.meeting_platform?.split(','),
      statuses: read.status?.split(','),
      extra: readPairs('/query/extra', read.extra),
    },
  };
}

const oldestDays = 90;
/** Clocks of customers are not ours. */
const aheadMs = 60_000;

function checkAge(field: string, value: string | undefined, nowMs: number): void {
  if (value === undefined) return;
  const ms = Date.parse(value);
  if (ms > nowMs + aheadMs) throw invalid(`/query/${field}`, 'It lies in the future.');
  if (ms < nowMs - oldestDays * 86_400_000)
    throw invalid(`/query/${field}`, `It may lie at most ${oldestDays} days back. Leave it out to see older bots.`);
}

const metadataQuery = z.object({
  limit: count(50, 10),
  cursor: text,
  bot_name: text,
  meeting_url: text,
  created_after: time,
  created_before: time,
  ended_after: time,
  filter_by_extra: text,
  sort_by_extra: text,
  speaker_name: text,
});

export interface ExtraOrder {
  readonly field: string;
  readonly descending: boolean;
}

export interface MetadataRequest extends ListRequest {
  /** Null: newest first. */
  readonly order: ExtraOrder | null;
}

/** Reads the query of the legacy list (specification 4.13). Throws VALIDATION that names the field. */
export function readMetadataQuery(teamId: string, query: unknown): MetadataRequest {
  const read = readQuery(metadataQuery, query);
  return {
    limit: read.limit,
    cursor: read.cursor,
    order: read.sort_by_extra === undefined ? null : readOrder(read.sort_by_extra),
    filters: {
      teamId,
      botName: read.bot_name,
      meetingUrl: read.meeting_url,
      speakerName: read.speaker_name,
      createdAfter: read.created_after,
      createdBefore: read.created_before,
      endedAfter: read.ended_after,
      extra: readPairs('/query/filter_by_extra', read.filter_by_extra),
    },
  };
}

/** `field`, `field:asc` or `field:desc`. */
function readOrder(given: string): ExtraOrder {
  const [, field = '', direction = 'asc'] = /^(.*?)(?::(asc|desc))?$/s.exec(given) ?? [];
  if (field === '' || field.includes(':'))
    throw invalid('/query/sort_by_extra', 'Write a field of extra, alone or followed by :asc or :desc.');
  return { field, descending: direction === 'desc' };
}

/** `field:value`, several joined by commas. A value may hold colons, a field none. */
function readPairs(name: string, given: string | undefined): ExtraPair[] {
  if (given === undefined) return [];
  return given.split(',').map((pair) => {
    const colon = pair.indexOf(':');
    if (colon < 1 || colon === pair.length - 1)
      throw invalid(name, 'Write field:value, several of them joined by commas.');
    return { field: pair.slice(0, colon), value: pair.slice(colon + 1) };
  });
}

/** Reads a query. Throws VALIDATION that names the field. */
export function readQuery<T>(shape: z.ZodType<T>, query: unknown): T {
  const read = shape.safeParse(query);
  const unstorable = findUnstorable(query, '/query');
  if (unstorable !== null) throw unstorable;
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw invalid(['/query', ...(issue?.path ?? [])].join('/'), `${issue?.message ?? 'does not fit'}.`);
}

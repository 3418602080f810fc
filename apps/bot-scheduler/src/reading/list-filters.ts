import { z } from 'zod';
import { dateTime, invalid, readInput } from '@rapporteur/service-runtime';
import type { QueryOf } from '@rapporteur/service-runtime';

/** Parameters of one statement, numbered as they are added. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Adds a value and returns its placeholder, with its type. */
  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}

/**
 * SQL conditions over `bots` for the filters, including the team's. Text conditions use the expressions of the search
 * index (`search-index.ts`), so that PostgreSQL can use it.
 */
export function conditionsOf(filters: ListFilters, parameters: Parameters): string[] {
  const found = [`team_id = ${parameters.add(filters.team_id, 'uuid')}`];
  const add = (value: unknown, type: string, condition: (placeholder: string) => string): void => {
    if (value !== undefined) found.push(condition(parameters.add(value, type)));
  };
  const like = (expression: string) => (pattern: string) => `${expression} like search_fold(${pattern})`;
  add(filters.created_after, 'timestamptz', (value) => `created_at >= ${value}`);
  add(filters.created_before, 'timestamptz', (value) => `created_at <= ${value}`);
  add(filters.ended_after, 'timestamptz', (value) => `ended_at >= ${value}`);
  add(contains(filters.bot_name), 'text', like('search_fold(bot_name)'));
  add(contains(filters.meeting_url), 'text', like('search_fold(meeting_url)'));
  add(contains(filters.bot_id), 'text', like('id::text'));
  add(contains(asJson(filters.participant_name)), 'text', like('search_names(participants)'));
  add(contains(asJson(filters.speaker_name)), 'text', like('search_names(speakers)'));
  add(filters.meeting_platform, 'text[]', (value) => `meeting_platform = any(${value})`);
  add(filters.status, 'text[]', (value) => `status = any(${value})`);
  if (inProgressOnly(filters)) found.push('ended_at is null');
  for (const { field, value } of filters.extra ?? []) {
    const name = parameters.add(field, 'text');
    const text = parameters.add(value, 'text');
    const documents = documentsOf(value).map((type) => `extra @> jsonb_build_object(${name}, ${text}::${type})`);
    if (documents.length > 0) found.push(`(${documents.join(' or ')})`);
    found.push(`extra->>${name} = ${text}`);
  }
  return found;
}

/** Few bots are in progress, and they have a separate index. */
export function inProgressOnly({ status }: ListFilters): boolean {
  return status?.every((one) => one !== 'completed' && one !== 'failed') === true;
}

/**
 * The types of a JSON value whose text can be this one; none where it may be the text of an object or an array, which
 * the index of `extra` cannot find.
 */
function documentsOf(value: string): string[] {
  if (/^[[{]/.test(value)) return [];
  if (value === 'true' || value === 'false') return ['text', 'boolean'];
  return /^-?\d{1,30}(\.\d{1,30})?$/.test(value) ? ['text', 'numeric'] : ['text'];
}

/** The text as PostgreSQL writes it inside a JSON string. */
function asJson(part: string | undefined): string | undefined {
  return part === undefined ? undefined : JSON.stringify(part).slice(1, -1);
}

/** A `like` pattern for "contains this text", with special characters escaped. */
export function contains(part: string | undefined): string | undefined {
  return part === undefined ? undefined : `%${part.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

/** `field:value`, several joined by commas. A value may contain colons, a field none. */
function pairsOf(given: string | undefined): ExtraPair[] | undefined {
  return given?.split(',').map((pair) => {
    const colon = pair.indexOf(':');
    return { field: pair.slice(0, colon), value: pair.slice(colon + 1) };
  });
}

interface ExtraPair {
  readonly field: string;
  readonly value: string;
}

export interface ExtraOrder {
  readonly field: string;
  readonly descending: boolean;
}

const text = z.string().optional();
const time = dateTime.optional();

/** The query of the legacy list: the gateway has validated it and translated its times. */
const metadataQuery = z.object({
  limit: z.coerce.number().default(10),
  cursor: text,
  bot_name: text,
  meeting_url: text,
  created_after: time,
  created_before: time,
  ended_after: time,
  speaker_name: text,
  filter_by_extra: text,
  sort_by_extra: text,
});

/** `field`, alone or followed by `:asc` or `:desc`. */
function orderOf(given: string | undefined): ExtraOrder | null {
  const [field, direction] = given?.split(':') ?? [];
  return field === undefined ? null : { field, descending: direction === 'desc' };
}

/** Filters of a list, for either API. A bot must match all that are set. */
export interface ListFilters extends Partial<
  Omit<z.infer<typeof metadataQuery>, 'limit' | 'cursor' | 'filter_by_extra' | 'sort_by_extra'>
> {
  readonly team_id: string;
  readonly bot_id?: string;
  readonly participant_name?: string;
  readonly extra?: readonly ExtraPair[] | undefined;
  readonly meeting_platform?: readonly string[] | undefined;
  readonly status?: readonly string[] | undefined;
}

export interface ListRequest {
  readonly filters: ListFilters;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface MetadataRequest extends ListRequest {
  /** Null: newest first. */
  readonly order: ExtraOrder | null;
}

/** Throws VALIDATION for a time of creation outside of the last 90 days. */
export function listRequestOf(
  teamId: string,
  { limit, cursor, extra, meeting_platform, status, ...filters }: QueryOf<'listBots'>,
  nowMs: number,
): ListRequest {
  for (const field of ['created_after', 'created_before'] as const) checkAge(field, filters[field], nowMs);
  const lists = { extra: pairsOf(extra), meeting_platform: meeting_platform?.split(','), status: status?.split(',') };
  return { limit, cursor, filters: { team_id: teamId, ...filters, ...lists } };
}

const oldestDays = 90;
/** Tolerated clock difference of clients. */
const aheadMs = 60_000;

function checkAge(field: string, value: string | undefined, nowMs: number): void {
  if (value === undefined) return;
  const ms = Date.parse(value);
  if (ms > nowMs + aheadMs) throw invalid(field, 'It lies in the future.');
  if (ms < nowMs - oldestDays * 86_400_000)
    throw invalid(field, `It may lie at most ${oldestDays} days back. Leave it out to see older bots.`);
}

/** Reads the query of the legacy list (specification 4.13). Throws VALIDATION for a time before the year 1. */
export function readMetadataQuery(teamId: string, query: unknown): MetadataRequest {
  const { limit, cursor, sort_by_extra, filter_by_extra, ...filters } = readInput(metadataQuery, query);
  const extra = pairsOf(filter_by_extra);
  return { limit, cursor, order: orderOf(sort_by_extra), filters: { team_id: teamId, extra, ...filters } };
}

import { z } from 'zod';
import { dateTime, invalid, queryInteger } from '@rapporteur/service-runtime';
import { readQuery } from '../schema/read-request.ts';

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

const text = z.string().min(1).max(4_096).optional();
const time = dateTime.optional();
const count = (most: number, usual: number) => queryInteger(1, most).default(usual);
const list = text.transform((given) => given?.split(','));

/** `field:value`, several joined by commas. A value may contain colons, a field none. */
const pairs = text
  .refine(
    (given) => given?.split(',').every((pair) => /^[^:]+:./s.test(pair)) !== false,
    'Write field:value, several of them joined by commas',
  )
  .transform((given) =>
    given?.split(',').map((pair) => {
      const colon = pair.indexOf(':');
      return { field: pair.slice(0, colon), value: pair.slice(colon + 1) };
    }),
  );

const orderPattern = /^([^:]+)(?::(asc|desc))?$/s;
const order = text
  .refine(
    (given) => given === undefined || orderPattern.test(given),
    'Write a field of extra, alone or followed by :asc or :desc',
  )
  .transform((given): ExtraOrder | null => {
    const [, field, direction] = orderPattern.exec(given ?? '') ?? [];
    return field === undefined ? null : { field, descending: direction === 'desc' };
  });

export interface ExtraOrder {
  readonly field: string;
  readonly descending: boolean;
}

const sharedFilters = {
  bot_name: text,
  meeting_url: text,
  created_after: time,
  created_before: time,
  ended_after: time,
};

const listQuery = z.object({
  limit: count(250, 50),
  cursor: text,
  ...sharedFilters,
  participant_name: text,
  bot_id: text,
  extra: pairs,
  meeting_platform: list,
  status: list,
});

const metadataQuery = z.object({
  limit: count(50, 10),
  cursor: text,
  ...sharedFilters,
  speaker_name: text,
  filter_by_extra: pairs,
  sort_by_extra: order,
});

/** Filters of a list, for either API. A bot must match all that are set. */
export type ListFilters = { readonly team_id: string } & Readonly<
  Partial<Omit<z.infer<typeof listQuery> & z.infer<typeof metadataQuery>, 'limit' | 'cursor' | 'sort_by_extra'>>
>;

export interface ListRequest {
  readonly filters: ListFilters;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface MetadataRequest extends ListRequest {
  /** Null: newest first. */
  readonly order: ExtraOrder | null;
}

/** Reads the query of GET /v2/bots. Throws VALIDATION that names the field. */
export function readListQuery(teamId: string, query: unknown, nowMs: number): ListRequest {
  const { limit, cursor, ...filters } = readQuery(listQuery, query);
  for (const field of ['created_after', 'created_before'] as const) checkAge(field, filters[field], nowMs);
  return { limit, cursor, filters: { team_id: teamId, ...filters } };
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

/** Reads the query of the legacy list (specification 4.13). Throws VALIDATION that names the field. */
export function readMetadataQuery(teamId: string, query: unknown): MetadataRequest {
  const { limit, cursor, sort_by_extra, filter_by_extra, ...filters } = readQuery(metadataQuery, query);
  return { limit, cursor, order: sort_by_extra, filters: { team_id: teamId, extra: filter_by_extra, ...filters } };
}

import type { ListFilters } from './list-filters.ts';

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

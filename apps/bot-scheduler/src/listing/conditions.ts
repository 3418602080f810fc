import type { ListFilters } from './list-filters.ts';

/** Parameters of one statement, numbered as they are added. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Gives the placeholder that stands for the value, with its type. */
  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}

/** SQL over `bots` that is true for the bots that the filters let through. */
export function conditionsOf(filters: ListFilters, parameters: Parameters): string[] {
  const found: string[] = [];
  const add = (value: unknown, type: string, condition: (placeholder: string) => string): void => {
    if (value !== undefined) found.push(condition(parameters.add(value, type)));
  };
  const inList = (list: string) => (pattern: string) =>
    `exists (select 1 from jsonb_array_elements(${list}) as person where search_fold(person->>'name') like search_fold(${pattern}))`;
  add(filters.createdAfter, 'timestamptz', (value) => `created_at >= ${value}`);
  add(filters.createdBefore, 'timestamptz', (value) => `created_at <= ${value}`);
  add(filters.endedAfter, 'timestamptz', (value) => `ended_at >= ${value}`);
  add(contains(filters.botName), 'text', (value) => `search_fold(bot_name) like search_fold(${value})`);
  add(contains(filters.meetingUrl), 'text', (value) => `search_fold(meeting_url) like search_fold(${value})`);
  add(contains(filters.botId?.toLowerCase()), 'text', (value) => `id::text like ${value}`);
  add(contains(filters.participantName), 'text', inList('participants'));
  add(contains(filters.speakerName), 'text', inList('speakers'));
  add(filters.platforms, 'text[]', (value) => `meeting_platform = any(${value})`);
  add(filters.statuses, 'text[]', (value) => `status = any(${value})`);
  // Bots that have not ended are few, and have an index of their own.
  if (filters.statuses?.every((status) => status !== 'completed' && status !== 'failed') === true)
    found.push('ended_at is null');
  for (const { field, value } of filters.extra) {
    found.push(`extra->>${parameters.add(field, 'text')} = ${parameters.add(value, 'text')}`);
  }
  return found;
}

/** A pattern for "contains this text", whatever the text holds. */
function contains(part: string | undefined): string | undefined {
  return part === undefined ? undefined : `%${part.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

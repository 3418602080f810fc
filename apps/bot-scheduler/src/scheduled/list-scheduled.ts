import { z } from 'zod';
import { findUnstorable } from '../admission/body-rules.ts';
import type { Executor } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import type { ScheduledBotRow } from '../schema/rows.ts';
import { readCursor, writeCursor } from './page-cursor.ts';
import type { PageCursor } from './page-cursor.ts';

/** The query of GET /v2/bots/scheduled; the gateway has held it against the contract. */
const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().optional(),
  bot_id: z.string().optional(),
  bot_name: z.string().optional(),
  meeting_url: z.string().optional(),
  scheduled_after: z.coerce.date().optional(),
  scheduled_before: z.coerce.date().optional(),
  status: z.string().optional(),
  meeting_platform: z.string().optional(),
  extra: z.string().optional(),
});
type ListQuery = z.infer<typeof listQuery>;

export type ScheduledListRow = Omit<ScheduledBotRow, 'request' | 'link' | 'legacy'>;

export interface ScheduledPage {
  readonly rows: readonly ScheduledListRow[];
  readonly cursor: string | null;
  readonly prevCursor: string | null;
}

/** One page of a team's scheduled bots, the earliest join time first. Throws VALIDATION for a query that does not fit. */
export async function listScheduled(executor: Executor, teamId: string, query: unknown): Promise<ScheduledPage> {
  const filters = readQuery(query);
  const at = filters.cursor === undefined ? null : readCursor(filters.cursor);
  const { where, parameters } = conditions(teamId, filters, at);
  const found = await executor.query<ScheduledListRow>(
    `select id, team_id, created_at, updated_at, join_at, state, cancelled_at, spawned_at, bot_name, meeting_url,
       meeting_platform, extra, deduplication_key
     from scheduled_bots where ${where.join(' and ')}
     order by ${at?.backward === true ? 'join_at desc, id desc' : 'join_at, id'} limit ${filters.limit + 1}`,
    parameters,
  );
  return pageOf(found, filters.limit, at);
}

function pageOf(found: readonly ScheduledListRow[], limit: number, at: PageCursor | null): ScheduledPage {
  const more = found.length > limit;
  const backward = at?.backward === true;
  const rows = backward ? found.slice(0, limit).reverse() : found.slice(0, limit);
  const [first, last] = [rows[0], rows.at(-1)];
  const hasNext = backward || more;
  const hasPrevious = backward ? more : at !== null;
  return {
    rows,
    cursor: hasNext && last !== undefined ? writeCursor({ at: last.join_at, id: last.id, backward: false }) : null,
    prevCursor:
      hasPrevious && first !== undefined ? writeCursor({ at: first.join_at, id: first.id, backward: true }) : null,
  };
}

function readQuery(query: unknown): ListQuery {
  const read = listQuery.safeParse(query);
  const unstorable = findUnstorable(query, '/query');
  if (unstorable !== null) throw unstorable;
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const field = ['/query', ...(issue?.path ?? [])].join('/');
  throw fail('VALIDATION', { message: `${field}: ${issue?.message ?? 'does not fit'}.`, details: field });
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

/** A pattern for "contains this text", whatever the text holds. */
function contains(text: string | undefined): string | undefined {
  return text === undefined ? undefined : `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

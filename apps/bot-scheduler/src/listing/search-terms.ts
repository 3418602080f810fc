import type { Executor } from '@rapporteur/database';
import type { PageCursor } from '@rapporteur/service-runtime';
import { Parameters } from './conditions.ts';
import type { ListFilters } from './list-filters.ts';
import type { TermDensity } from './term-density.ts';

/** What the search index is asked for. */
export interface SearchTerms {
  /** A wanted bot has all of these. */
  readonly all: readonly number[];
  /** And one of each of these lists. */
  readonly oneOf: readonly (readonly number[])[];
}

export interface ReadTerms {
  /** Null: there is nothing to ask the index for. */
  readonly terms: SearchTerms | null;
  /** False for a cursor that names no bot of the team. */
  readonly cursorKnown: boolean;
}

interface TermsRow {
  /** One list per part that is looked for: the grams of which it consists, the last one first. */
  readonly parts: number[][];
  readonly extra: number[];
  readonly ids: number[];
  readonly statuses: number[];
  readonly platforms: number[];
  readonly known: boolean;
}

const finalStatuses: ReadonlySet<string> = new Set(['completed', 'failed']);

/** Translates filters for the index. */
export async function readTerms(
  executor: Executor,
  filters: ListFilters,
  { cursor, densityOf }: { readonly cursor: PageCursor | null; readonly densityOf: TermDensity },
): Promise<ReadTerms> {
  const { sql, values } = termsStatement(filters, cursor);
  const [row] = await executor.query<TermsRow>(sql, values);
  if (row === undefined) throw new Error('The search terms were not answered.');
  const all = [...row.parts.flatMap((grams) => pickGrams(grams, densityOf)), ...row.extra];
  const oneOf = [row.ids, row.statuses, row.platforms].filter((terms) => terms.length > 0);
  return {
    terms: all.length + oneOf.length === 0 ? null : onlyNarrowing({ all, oneOf }, densityOf),
    cursorKnown: row.known,
  };
}

/** Above it PostgreSQL's statistics know a term; walking its list costs more than looking at what the rare ones find. */
const dense = 0.01;

/** Where one term is rare, common ones are left to the comparison with the row. */
export function onlyNarrowing(terms: SearchTerms, densityOf: TermDensity): SearchTerms {
  const densityOfList = (list: readonly number[]): number => list.reduce((sum, term) => sum + densityOf(term), 0);
  const rare = {
    all: terms.all.filter((term) => densityOf(term) < dense),
    oneOf: terms.oneOf.filter((list) => densityOfList(list) < dense),
  };
  return rare.all.length + rare.oneOf.length > 0 ? rare : terms;
}

function termsStatement(filters: ListFilters, cursor: PageCursor | null): { sql: string; values: unknown[] } {
  const parameters = new Parameters();
  const team = parameters.add(filters.teamId, 'uuid');
  const parts = [
    ['name', filters.botName],
    ['url', filters.meetingUrl],
    ['people', filters.participantName],
    ['people', filters.speakerName],
  ].filter(([, part]) => part !== undefined);
  const grams = parts.map(
    ([kind, part]) => `to_jsonb(search_part_terms(${team}, '${kind}', search_fold(${parameters.add(part, 'text')})))`,
  );
  const each = (kind: string, of: readonly string[]): string =>
    `array(select search_term(${team}, '${kind}', value) from unnest(${parameters.add(of, 'text[]')}) as value)`;
  const pairs = filters.extra.map(({ field, value }) => `${field}\u0001${value}`);
  // Only bots that ended are in the index.
  const statuses = filters.statuses?.filter((status) => finalStatuses.has(status)) ?? [];
  const idPart = parameters.add(filters.botId?.toLowerCase().replaceAll('-', '') ?? '', 'text');
  const [id, at] = [parameters.add(cursor?.id ?? null, 'uuid'), parameters.add(cursor?.at ?? null, 'timestamptz')];
  const sql = `select
    jsonb_build_array(${grams.join(', ')}) as parts,
    ${each('extra', pairs)} as extra,
    search_id_terms(${team}, ${idPart}) as ids,
    ${each('status', statuses)} as statuses,
    ${each('platform', filters.platforms ?? [])} as platforms,
    ${id} is null
      or exists (select 1 from bots where id = ${id} and team_id = ${team} and created_at = ${at}) as known`;
  return { sql, values: parameters.values };
}

const gramLength = 5;
const mostGrams = 4;
/** A gram that every fourth bot has narrows nothing. */
const tooDense = 0.25;

/** The few grams that narrow a search most: the rarest, and of equally rare ones those that lie apart. */
export function pickGrams(grams: readonly number[], densityOf: TermDensity): number[] {
  const apart = grams
    .map((gram, position) => ({ gram, position, density: densityOf(gram) }))
    .sort(
      (a, b) =>
        a.density - b.density || (a.position % gramLength) - (b.position % gramLength) || a.position - b.position,
    );
  const narrowing = apart.filter(({ density }) => density < tooDense);
  return (narrowing.length > 0 ? narrowing : apart).slice(0, mostGrams).map(({ gram }) => gram);
}

import { refusalUnrecognised, waitingUnrecognised } from '@rapporteur/contracts';
import type { PagePackView } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import { builtInPagePack } from '@rapporteur/meeting-platforms/page-packs';

type UnrecognisedPage = PagePackView['unrecognised'][number];

const weekMs = 7 * 86_400_000;
const mostGroups = 50;
const mostExamples = 5;

interface GroupRow extends Omit<UnrecognisedPage, 'since' | 'last' | 'entry'> {
  readonly since: Date;
  readonly last: Date;
}

/** The pages of the last week on which bots ended without knowing them, by platform and structure of the page. */
export async function findUnrecognisedPages(executor: Executor, at: Date): Promise<UnrecognisedPage[]> {
  const groups = await executor.query<GroupRow>(groupsSql, [
    waitingUnrecognised,
    refusalUnrecognised,
    new Date(at.getTime() - weekMs),
  ]);
  return groups.map(({ since, last, ...group }) => ({
    ...group,
    since: since.toISOString(),
    last: last.toISOString(),
    entry: entryOf(group),
  }));
}

const ruleOfKind = { waiting: 'lobby-text', refused: 'denied-text' } as const;

function entryOf({ platform, kind, said }: Omit<GroupRow, 'since' | 'last'>): UnrecognisedPage['entry'] {
  const rule = kind === 'unusable' ? null : ruleOfKind[kind];
  if (rule === null || said === null || !Object.hasOwn(builtInPagePack(platform).texts, rule)) return null;
  return { rule, text: said };
}

const groupsSql = `
  with ended as (
    select bots.id, platform, at, failure_evidence as evidence,
      case when rule is not null then 'refused' when failure_evidence->>'rule' = $1 then 'waiting' else 'unusable' end as kind
    from page_pack_outcomes join bots on bots.id = bot_id
    where at >= $3 and not entered and (rule is null or rule = $2) and failure_evidence->>'shape' is not null)
  select platform, kind, evidence->>'shape' as shape, mode() within group (order by evidence->>'said') as said,
    count(*)::int as bots, min(at) as since, max(at) as last,
    jsonb_path_query_array(
      jsonb_agg(jsonb_build_object('bot_id', id, 'page', concat(evidence->>'folder', 'page.json')) order by at desc),
      '$[0 to ${mostExamples - 1}]') as examples
  from ended group by 1, 2, 3 order by bots desc, last desc limit ${mostGroups}`;

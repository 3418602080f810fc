import type { Router } from 'express';
import { internalCalls, refusalUnrecognised, waitingUnrecognised, platformNames } from '@rapporteur/contracts';
import type { PagePackView } from '@rapporteur/contracts';
import { serveCall } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import type { Executor } from '@rapporteur/database';
import { builtInPagePack } from '@rapporteur/meeting-platforms/page-packs';
import type { Context } from '../schema/context.ts';
import type { PagePackRow } from '../schema/entities.ts';
import type { PagePackReader } from './page-pack-reader.ts';
import type { PagePackRefusal } from './refusal.ts';

interface PagePackDependencies extends Pick<Context, 'database' | 'now'> {
  readonly reader: PagePackReader;
}

/** For operators: which page packs bots use, what was refused, and what bots did not recognise. */
export function pagePackRoutes(auth: InternalAuth, { database, reader, now }: PagePackDependencies): Router {
  return serveCall(auth, internalCalls.operators.pagePacks, async () => {
    const unrecognised = await findUnrecognisedPages(database, new Date(now()));
    return { ...(await describePagePacks(database, reader)), unrecognised };
  });
}

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

/** Replaces the refusal that operators see; null: the newest reading was taken whole. */
export async function saveRefusal(executor: Executor, refusal: PagePackRefusal | null, at: Date): Promise<void> {
  if (refusal === null) {
    await executor.query('delete from page_pack_refusals');
    return;
  }
  await executor.query(
    `insert into page_pack_refusals (id, reason, message, refused_at) values (1, $1, $2, $3)
     on conflict (id) do update set reason = excluded.reason, message = excluded.message, refused_at = excluded.refused_at`,
    [refusal.reason, refusal.message, at],
  );
}

/** The page packs of the deployment, for operators. */
export async function describePagePacks(
  executor: Executor,
  reader: PagePackReader,
): Promise<Omit<PagePackView, 'unrecognised'>> {
  const rows = await executor.query<PagePackRow>('select * from page_packs');
  const [refusal] = await executor.query<{ reason: string; message: string; refused_at: Date }>(
    'select reason, message, refused_at from page_pack_refusals',
  );
  return {
    platforms: platformNames.map((platform) => {
      const row = rows.find((one) => one.platform === platform);
      const suspended = row?.suspended_at ?? null;
      const overlay = suspended === null ? row?.overlay : row?.previous_overlay;
      return {
        platform,
        state: suspended === null ? (row?.overlay == null ? 'built-in' : 'overlay') : 'suspended',
        version: reader.versionOf(platform, overlay ?? null),
        share: overlay == null ? null : (overlay.share ?? 100),
        previous_version: row?.previous_version ?? null,
        accepted_at: row?.accepted_at.toISOString() ?? null,
        suspended:
          row === undefined || suspended === null
            ? null
            : { version: row.version, at: suspended.toISOString(), message: row.suspension ?? '' },
      };
    }),
    refused:
      refusal === undefined
        ? null
        : { reason: refusal.reason, message: refusal.message, at: refusal.refused_at.toISOString() },
  };
}

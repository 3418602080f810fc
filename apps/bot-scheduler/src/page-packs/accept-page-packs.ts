import { isDeepStrictEqual } from 'node:util';
import { platformNames } from '@rapporteur/contracts';
import type { MeetingPlatformName, PagePackOverlay } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import type { PagePackRow } from '../schema/entities.ts';
import type { Context } from '../schema/context.ts';
import type { PagePackReader } from './page-pack-reader.ts';
import { PagePackRefusal } from './refusal.ts';

export interface AcceptDependencies extends Pick<Context, 'database' | 'now'> {
  readonly reader: PagePackReader;
}

/** What a reading of the source changed. */
export interface Acceptance {
  /** `version`: of the page pack that the platform's bots use from now on. */
  readonly changed: readonly { readonly platform: MeetingPlatformName; readonly version: string }[];
  readonly refusals: readonly PagePackRefusal[];
}

/**
 * Stores the overlays of one reading of the source. Each is taken or refused by itself; a platform that the source no
 * longer names goes back to the built-in pack, unless something was refused: its overlay may be what cannot be read.
 */
export async function acceptPagePacks(dependencies: AcceptDependencies, texts: readonly string[]): Promise<Acceptance> {
  const refusals: PagePackRefusal[] = [];
  const changed: { platform: MeetingPlatformName; version: string }[] = [];
  const collect = async (work: () => Promise<void> | void): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof PagePackRefusal)) throw error;
      refusals.push(error);
    }
  };
  const overlays: PagePackOverlay[] = [];
  for (const text of texts) await collect(() => void overlays.push(dependencies.reader.read(text)));
  const put = (platform: MeetingPlatformName, overlay: PagePackOverlay | null) =>
    collect(async () => {
      const version = dependencies.reader.versionOf(platform, overlay);
      if (await store(dependencies, platform, overlay)) changed.push({ platform, version });
    });
  for (const platform of platformNames) {
    const [overlay = null, second] = overlays.filter((one) => one.platform === platform);
    if (second !== undefined)
      refusals.push(new PagePackRefusal('invalid', `The source holds two page packs for ${platform}.`));
    else if (overlay !== null || refusals.length === 0) await put(platform, overlay);
  }
  return { changed, refusals };
}

/** @returns whether the row changed */
function store(
  { database, reader, now }: AcceptDependencies,
  platform: MeetingPlatformName,
  overlay: PagePackOverlay | null,
): Promise<boolean> {
  const builtIn = reader.versionOf(platform, null);
  const version = reader.versionOf(platform, overlay);
  return database.transaction(async (transaction) => {
    if (overlay !== null) await addRow(transaction, { platform, builtIn, at: new Date(now()) });
    const row = await findPagePack(transaction, platform, 'for update');
    if (row === null || isDeepStrictEqual(row.overlay, overlay)) return false;
    if (row.version === version && row.overlay !== null && overlay !== null) {
      refuseOtherContent(row.overlay, overlay);
      // A share is raised step by step: the version stays, and so does its suspension.
      await transaction.query('update page_packs set overlay = $2::jsonb where platform = $1', [
        platform,
        JSON.stringify(overlay),
      ]);
      return true;
    }
    const suspended = row.suspended_at !== null;
    const before = suspended
      ? { overlay: row.previous_overlay, version: row.previous_version }
      : { overlay: row.overlay, version: row.version };
    await transaction.query(
      `update page_packs set overlay = $2::jsonb, version = $3, accepted_at = $4, previous_overlay = $5::jsonb,
         previous_version = $6, suspended_at = null, suspension = null
       where platform = $1`,
      [platform, jsonOf(overlay), version, new Date(now()), jsonOf(before.overlay), before.version],
    );
    return true;
  });
}

const jsonOf = (overlay: PagePackOverlay | null): string | null => (overlay === null ? null : JSON.stringify(overlay));

async function addRow(
  transaction: Executor,
  { platform, builtIn, at }: { readonly platform: string; readonly builtIn: string; readonly at: Date },
): Promise<void> {
  await transaction.query(
    `insert into page_packs (platform, overlay, version, accepted_at, previous_overlay, previous_version)
     values ($1, null, $2, $3, null, $2) on conflict (platform) do nothing`,
    [platform, builtIn, at],
  );
}

/** What was measured under a version is of one content. */
function refuseOtherContent(present: PagePackOverlay, next: PagePackOverlay): void {
  const { share: _present, ...known } = present;
  const { share: _next, ...given } = next;
  if (isDeepStrictEqual(known, given)) return;
  throw new PagePackRefusal(
    'invalid',
    `The page pack ${next.version} for ${next.platform} was already used with another content. Give the changed one a version of its own.`,
  );
}

/** Null: no overlay was ever accepted for this platform. */
export async function findPagePack(
  executor: Executor,
  platform: MeetingPlatformName,
  lock: '' | 'for update' = '',
): Promise<PagePackRow | null> {
  const [row] = await executor.query<PagePackRow>(`select * from page_packs where platform = $1 ${lock}`, [platform]);
  return row ?? null;
}

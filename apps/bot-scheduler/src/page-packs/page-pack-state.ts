import type { PagePackView } from '@rapporteur/contracts';
import { platformNames } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import type { PagePackRow } from '../schema/page-pack-entities.ts';
import type { PagePackReader } from './page-pack-reader.ts';
import type { PagePackRefusal } from './refusal.ts';

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

import { z } from 'zod';
import type { LegacyComponents } from '@rapporteur/contracts/legacy-api';
import type { RequestScheduler } from './request-scheduler.ts';

const page = z.object({
  data: z.array(z.object({ url: z.string(), taken_at: z.string() })),
  cursor: z.string().nullable(),
});
const pageLength = 250;
const pagesAtMost = 20;

/** Every screenshot of a bot: the legacy response is not paginated, unlike v2's. */
export async function listScreenshots(
  sendRequest: RequestScheduler,
  botId: string,
): Promise<LegacyComponents['schemas']['Screenshot'][]> {
  const frames: z.infer<typeof page>['data'] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < pagesAtMost; pages += 1) {
    const query = new URLSearchParams({ limit: String(pageLength), ...(cursor === null ? {} : { cursor }) });
    const read = page.parse(
      await sendRequest({ method: 'GET', path: `/v2/bots/${botId}/screenshots?${query.toString()}` }),
    );
    frames.push(...read.data);
    ({ cursor } = read);
    if (cursor === null) break;
  }
  return frames.map(({ taken_at, url }) => ({ date: taken_at, url }));
}

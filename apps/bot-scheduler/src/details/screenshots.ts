import { z } from 'zod';
import type { Executor } from '@rapporteur/database';
import { invalid, queryInteger } from '@rapporteur/service-runtime';
import type { SignArtifactUrls } from '../storage/storage-client.ts';
import { findScreenshots } from '../lifecycle/screenshots.store.ts';
import type { ScreenshotPlace } from '../lifecycle/screenshots.store.ts';

const pageQuery = z.object({
  limit: queryInteger(1, 250).default(50),
  cursor: z.string().optional(),
});

/**
 * One page of a bot's screenshots, oldest first, each with a signed link. Throws VALIDATION for a cursor of another
 * list.
 */
export async function listScreenshots(
  { database, signUrls }: { readonly database: Executor; readonly signUrls: SignArtifactUrls },
  botId: string,
  query: unknown,
) {
  const read = pageQuery.safeParse(query);
  if (!read.success) {
    const field = `/query/${String(read.error.issues[0]?.path[0] ?? '')}`;
    throw invalid(field, 'It does not fit.');
  }
  const { limit, cursor } = read.data;
  const place = cursor === undefined ? { number: 0, backward: false } : readCursor(cursor);
  const found = await findScreenshots(database, botId, place, limit + 1);
  const more = found.length > limit;
  const page = place.backward ? found.slice(0, limit).toReversed() : found.slice(0, limit);
  const keys = Object.fromEntries(page.map(({ number, key }) => [String(number), key]));
  const urls = page.length === 0 ? {} : await signUrls(botId, keys);
  const [first, last] = [page[0], page.at(-1)];
  const hasNext = place.backward || more;
  const hasPrevious = place.backward ? more : cursor !== undefined;
  return {
    data: page.map(({ number, taken_at }) => ({
      screenshot_id: number,
      url: urls[String(number)],
      taken_at: taken_at.toISOString(),
    })),
    cursor: hasNext && last !== undefined ? writeCursor({ number: last.number, backward: false }) : null,
    prev_cursor: hasPrevious && first !== undefined ? writeCursor({ number: first.number, backward: true }) : null,
  };
}

/** base64 of a screenshot's number; a leading `-` marks the previous page. */
function writeCursor({ number, backward }: ScreenshotPlace): string {
  return Buffer.from(`${backward ? '-' : ''}${number}`).toString('base64');
}

function readCursor(text: string): ScreenshotPlace {
  const match = /^(-?)(\d{1,9})$/.exec(Buffer.from(text, 'base64').toString('utf8'));
  if (match === null)
    throw invalid('/query/cursor', 'It is not a cursor of this list. Leave it out to start at the beginning.');
  return { number: Number(match[2]), backward: match[1] === '-' };
}

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createdId, openAdmissionHarness } from '../testing/admission-harness.ts';
import type { AdmissionHarness } from '../testing/admission-harness.ts';
import { addTeam } from '../testing/test-scheduler.ts';

let harness: AdmissionHarness;
beforeAll(async () => {
  harness = await openAdmissionHarness();
});
afterAll(() => harness.close());

interface Item {
  readonly bot_id: string;
  readonly number: number;
  readonly created_at: string;
  readonly ended_at: string | null;
}
const read = async (teamId: string, path: string, query: Record<string, string>) => {
  const address = `/internal${path}?${new URLSearchParams(query).toString()}`;
  return (await harness.sendRequest('GET', address, teamId)).body as Record<string, never>;
};
const metadata = async (teamId: string, query: Record<string, string> = {}) => {
  const { data } = await read(teamId, '/v1/bots-with-metadata', query);
  return data as unknown as { items: Item[]; next_cursor: string | null };
};
const listed = async (teamId: string): Promise<Item[]> => (await read(teamId, '/v2/bots', {}))['data'] ?? [];

const minuteMs = 60_000;

describe('a scheduled bot', () => {
  test('is in the legacy list from its scheduling on, at the same place when it has started', async () => {
    const teamId = await addTeam(harness.database);
    const extra = { customer: 'c-1' };
    const first = createdId(await harness.create(teamId, { extra }));
    const scheduled = createdId(await harness.schedule(teamId, 5 * minuteMs, { extra }));
    const cancelled = createdId(await harness.schedule(teamId, 5 * minuteMs));
    const last = createdId(await harness.create(teamId, { extra }));
    await harness.sendRequest('DELETE', `/internal/v2/bots/scheduled/${cancelled}`, teamId);
    const before = (await metadata(teamId)).items;
    expect(before.map(({ bot_id }) => bot_id)).toEqual([last, cancelled, scheduled, first]);
    expect(before.map(({ ended_at }) => ended_at !== null)).toEqual([false, true, false, false]);
    const times = before.map(({ created_at }) => created_at);
    expect(times).toEqual([...new Set(times)].toSorted().toReversed());
    expect((await listed(teamId)).map(({ bot_id }) => bot_id)).toEqual([last, first]);

    await harness.clock.advance(5 * minuteMs);
    expect(await harness.runDue()).toMatchObject({ admitted: 1 });
    const place = ({ bot_id, number, created_at }: Item) => ({ bot_id, number, created_at });
    expect((await metadata(teamId)).items.map(place)).toEqual(before.map(place));
    const started = await listed(teamId);
    expect(started.map(({ bot_id }) => bot_id)).toEqual([scheduled, last, first]);
    expect(started[0]?.created_at).toBe(before[2]?.created_at);
  });

  test('is found page by page, by filters and by a field of extra', async () => {
    const teamId = await addTeam(harness.database);
    const ids: string[] = [];
    for (const rank of ['3', '1', '2', '0']) {
      const over = { bot_name: `Bot ${rank}`, extra: { rank } };
      ids.push(createdId(await (rank > '1' ? harness.create(teamId, over) : harness.schedule(teamId, minuteMs, over))));
    }
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Awaited<ReturnType<typeof metadata>> = await metadata(teamId, {
        limit: '1',
        ...(cursor === '' ? {} : { cursor }),
      });
      found.push(...page.items.map(({ bot_id }) => bot_id));
      cursor = page.next_cursor;
    }
    expect(found).toEqual(ids.toReversed());
    const sorted = await metadata(teamId, { sort_by_extra: 'rank' });
    expect(sorted.items.map(({ bot_id }) => bot_id)).toEqual([ids[3], ids[1], ids[2], ids[0]]);
    const filtered = await metadata(teamId, { bot_name: 'bot 1', filter_by_extra: 'rank:1' });
    expect(filtered.items.map(({ bot_id }) => bot_id)).toEqual([ids[1]]);
  });
});

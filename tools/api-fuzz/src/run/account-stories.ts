import { dataOf, differs, sendRequest, statusIs } from './story-steps.ts';
import type { Json, Story, StoryDependencies } from './story-steps.ts';

/** A key that is created, listed, revoked twice, and found in the audit log with its changes. */
export function* keyLife({ planner, random }: StoryDependencies): Story {
  const permission = random.pick(['full', 'sending']);
  const created = yield sendRequest(planner, 'createApiKey', {
    value: { name: 'fuzz', permission, expires_at: random.pick([null, '2126-01-01T00:00:00Z']) },
    check: (response) => (response.status === 409 ? null : statusIs(201)(response)),
  });
  const { key_id: keyId, api_key: text } = dataOf(created);
  if (typeof keyId !== 'string' || typeof text !== 'string') return;
  yield sendRequest(planner, 'listApiKeys', {
    check: (response) =>
      statusIs(200)(response) ??
      differs('permission', rowsOf(response.json).find((row) => row['key_id'] === keyId)?.['permission'], permission) ??
      (response.text.includes(text) ? 'the list holds the text of a key' : null),
  });
  const path = { key_id: keyId };
  for (let count = 0; count < 2; count += 1) yield sendRequest(planner, 'revokeApiKey', { path, check: statusIs(200) });
  yield sendRequest(planner, 'listAuditLog', {
    query: { limit: '100' },
    check: (response) => statusIs(200)(response) ?? (response.text.includes(text) ? 'the log holds a key' : null),
  });
}

/** Usage of a period: its days and its bots are inside it, page by page, and as CSV. */
export function* usageReads({ planner, random }: StoryDependencies): Story {
  const before = new Date(Date.now() - random.below(40) * 86_400_000).toISOString();
  const after = new Date(Date.parse(before) - (1 + random.below(60)) * 86_400_000).toISOString();
  const period = { ended_after: after, ended_before: before };
  yield sendRequest(planner, 'listDailyUsage', {
    query: period,
    check: (response) =>
      statusIs(200)(response) ??
      differs(
        'days outside the period',
        rowsOf(response.json).filter(
          ({ day }) => String(day) < after.slice(0, 10) || String(day) > before.slice(0, 10),
        ),
        [],
      ),
  });
  let cursor: unknown;
  for (let page = 0; page < 3 && cursor !== null; page += 1) {
    const found = yield sendRequest(planner, 'listBotUsage', {
      query: { ...period, limit: '2', ...(typeof cursor === 'string' ? { cursor } : {}) },
      check: (response) =>
        statusIs(200)(response) ??
        differs(
          'bots outside the period',
          rowsOf(response.json).filter(({ ended_at: at }) => String(at) < after || String(at) >= before),
          [],
        ),
    });
    const next = ((found.json ?? {}) as Json)['cursor'] ?? null;
    yield sendRequest(planner, 'listBotUsage', {
      query: { ...period, limit: '2', ...(typeof cursor === 'string' ? { cursor } : {}) },
      headers: { accept: 'text/csv' },
      check: (response) =>
        statusIs(200)(response) ??
        differs(
          'bots of the CSV',
          response.text
            .trimEnd()
            .split('\r\n')
            .slice(1)
            .map((line) => line.split(',')[0]),
          rowsOf(found.json).map((row) => row['bot_id']),
        ) ??
        differs('a next page', response.headers['link'] !== undefined, next !== null),
    });
    cursor = next;
  }
}

function rowsOf(json: unknown): readonly Json[] {
  return ((json as Json | undefined)?.['data'] ?? []) as Json[];
}

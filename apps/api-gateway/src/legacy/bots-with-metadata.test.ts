import { describe, expect, test } from '@jest/globals';
import { describeList, translateListQuery } from './bots-with-metadata.ts';

const botId = '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11';
const bot = {
  number: 1042,
  bot_id: botId,
  bot_name: 'Rapporteur',
  meeting_url: 'https://meet.google.com/abc-defg-hij',
  created_at: '2026-11-21T09:00:00.000Z',
  ended_at: null,
  duration_seconds: null,
  extra: { legacy_extra: [1] },
  access_count: 2,
  last_accessed_at: null,
  session_id: null,
  speakers: ['Ada Lovelace'],
  artifacts_deleted: false,
};

describe('the query of the legacy list', () => {
  test('is handed on, every parameter of it', () => {
    const query = {
      bot_name: 'a&b',
      meeting_url: 'meet.google.com',
      created_after: '2026-11-21T09:00:00',
      created_before: '2026-11-21T10:00:00+01:00',
      ended_after: '2026-11-21 09:00',
      cursor: 'abc=',
      limit: 50,
      filter_by_extra: 'customer:c-1,region:eu',
      sort_by_extra: 'customer:desc',
      speaker_name: 'Ada',
    };
    const { method, path } = translateListQuery(query);
    const sent = new URL(path, 'http://scheduler');
    expect([method, sent.pathname]).toEqual(['GET', '/v1/bots-with-metadata']);
    expect(Object.fromEntries(sent.searchParams)).toEqual({
      ...query,
      limit: '50',
      created_after: '2026-11-21T09:00:00.000Z',
      created_before: '2026-11-21T09:00:00.000Z',
      ended_after: '2026-11-21T09:00:00.000Z',
    });
  });

  test.each(['2026-02-30T09:00:00Z', '2025-02-29T09:00:00'])('%s is no time', (created_after) => {
    expect(() => translateListQuery({ limit: 10, created_after })).toThrow('created_after: It is not a time');
  });
});

describe('the legacy list', () => {
  test('has both names, and every item both shapes', () => {
    const item = {
      id: 1042,
      uuid: botId,
      bot_name: 'Rapporteur',
      name: 'Rapporteur',
      meeting_url: bot.meeting_url,
      created_at: bot.created_at,
      duration: null,
      ended_at: null,
      extra: [1],
      access_count: 2,
      last_accessed_at: null,
      content_deleted: false,
      session_id: null,
      speakers: ['Ada Lovelace'],
    };
    const data = { items: [bot], next_cursor: 'next', last_updated: '2026-11-21T09:10:00.000Z' };
    expect(describeList({ success: true, data })).toEqual({
      bots: [item],
      recent_bots: [{ ...item, id: botId }],
      next_cursor: 'next',
      last_updated: '2026-11-21T09:10:00.000Z',
    });
  });

  test.each([1, 2_147_483_648, Number.MAX_SAFE_INTEGER])('keeps the number %d exact', (number) => {
    const data = { items: [{ ...bot, number: String(number) }], next_cursor: null, last_updated: bot.created_at };
    expect(describeList({ data }).bots[0]?.id).toBe(number);
  });
});

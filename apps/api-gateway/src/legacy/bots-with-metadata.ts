import { z } from 'zod';
import { shownLegacyExtra } from '@rapporteur/contracts';
import type { LegacyComponents } from '@rapporteur/contracts/legacy-api';
import { invalid } from '@rapporteur/service-runtime';
import type { ParameterValues } from '../contract/parameters.ts';
import { dataOf } from './request-scheduler.ts';
import type { SchedulerCall } from './request-scheduler.ts';

type BotList = LegacyComponents['schemas']['BotList'];

const item = z.object({
  number: z.coerce.number().int(),
  bot_id: z.uuid(),
  bot_name: z.string(),
  meeting_url: z.string(),
  created_at: z.string(),
  ended_at: z.string().nullable(),
  duration_seconds: z.number().nullable(),
  extra: z.record(z.string(), z.unknown()).nullable(),
  access_count: z.number(),
  last_accessed_at: z.string().nullable(),
  session_id: z.string().nullable(),
  speakers: z.array(z.string()),
  artifacts_deleted: z.boolean(),
});
const list = z.object({ items: z.array(item), next_cursor: z.string().nullable(), last_updated: z.string() });

const times = ['created_after', 'created_before', 'ended_after'] as const;

export function translateListQuery(query: ParameterValues): SchedulerCall {
  const sent = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    sent.append(name, times.some((time) => time === name) ? instantOf(name, String(value)) : String(value));
  }
  return { method: 'GET', path: `/v1/bots-with-metadata?${sent.toString()}` };
}

const hasZone = /(?:[Zz]|[+-]\d{2}:?\d{2})$/;

/** Times without a zone are UTC. VALIDATION for an invalid date, like 31 February. */
function instantOf(name: string, text: string): string {
  const time = new Date(`${text.slice(0, 10)}T${text.slice(11)}${hasZone.test(text) ? '' : 'Z'}`);
  const [year, month, day] = text.slice(0, 10).split('-').map(Number);
  const exists = new Date(Date.UTC(year ?? 0, month ?? 0, 0)).getUTCDate() >= (day ?? 0);
  if (Number.isNaN(time.getTime()) || !exists) throw invalid(name, 'It is not a time.');
  return time.toISOString();
}

/** The list under both names, because clients of either kind exist; their items differ in the meaning of `id`. */
export function describeList(body: unknown): BotList {
  const { items, next_cursor, last_updated } = dataOf(list, body);
  const bots = items.map(describeItem);
  return { bots, recent_bots: bots.map((bot) => ({ ...bot, id: bot.uuid })), next_cursor, last_updated };
}

function describeItem(bot: z.infer<typeof item>): BotList['bots'][number] {
  return {
    id: bot.number,
    uuid: bot.bot_id,
    bot_name: bot.bot_name,
    name: bot.bot_name,
    meeting_url: bot.meeting_url,
    created_at: bot.created_at,
    duration: bot.duration_seconds,
    ended_at: bot.ended_at,
    extra: shownLegacyExtra(bot.extra),
    access_count: bot.access_count,
    last_accessed_at: bot.last_accessed_at,
    content_deleted: bot.artifacts_deleted,
    session_id: bot.session_id,
    speakers: bot.speakers,
  };
}

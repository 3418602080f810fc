import type { Input } from '@rapporteur/sdk';

export const botsPerPage = 50;

/** The filters that the address holds, as GET /v2/bots takes them. */
export function botQuery(search: URLSearchParams): Input<'listBots'> {
  const query: Record<string, string | number> = { limit: botsPerPage };
  for (const name of ['status', 'meeting_platform', 'bot_name', 'participant_name', 'cursor'] as const) {
    const value = search.get(name);
    if (value !== null && value !== '') query[name] = value;
  }
  const day = search.get('created_after') ?? '';
  const from = /^\d{4}-\d{2}-\d{2}$/.test(day) ? new Date(`${day}T00:00:00`) : null;
  if (from !== null && !Number.isNaN(from.getTime())) query['created_after'] = from.toISOString();
  return query as Input<'listBots'>;
}

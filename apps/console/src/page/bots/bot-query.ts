import type { Input } from '@rapporteur/sdk';
import { dayStart, queryOf } from '../elements/use-address.ts';

export const botsPerPage = 50;

const texts = ['status', 'meeting_platform', 'bot_name', 'participant_name', 'meeting_url', 'extra', 'cursor'] as const;

/** The filters of the address, as parameters of GET /v2/bots; the last day is inclusive. */
export function botQuery(search: URLSearchParams): Input<'listBots'> {
  const [after, before] = [dayStart(search, 'created_after'), dayStart(search, 'created_before', 1)];
  const { extra, ...others } = queryOf(search, texts);
  return {
    limit: botsPerPage,
    ...others,
    // An incomplete value is not a filter yet.
    ...(extra !== undefined && /^[^:,]+:[^,]+(,[^:,]+:[^,]+)*$/.test(extra) ? { extra } : {}),
    ...(after === null ? {} : { created_after: after }),
    ...(before === null || Date.parse(before) > Date.now() ? {} : { created_before: before }),
  } as Input<'listBots'>;
}

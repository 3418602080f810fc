import type { RapporteurClient } from '@rapporteur/sdk';

/** At most this many at a time: each is a request. */
const most = 500;

type Api = Pick<RapporteurClient, 'listWebhookMessages' | 'resendWebhookMessage'>;

/** Resends every failed message of an endpoint since a time, oldest first, so that the receiver gets them in order. */
export async function resendSince(
  api: Api,
  endpointId: string,
  sinceMs: number,
): Promise<{ readonly sent: number; readonly more: boolean }> {
  const failed: string[] = [];
  let cursor: string | null = null;
  do {
    const query = {
      endpoint_id: endpointId,
      state: 'failed',
      limit: 100,
      ...(cursor === null ? {} : { cursor }),
    } as const;
    const page: Awaited<ReturnType<Api['listWebhookMessages']>> = await api.listWebhookMessages(query);
    const recent = page.data.filter(({ created_at: at }) => Date.parse(at) >= sinceMs);
    failed.push(...recent.map(({ message_id: id }) => id));
    cursor = recent.length === page.data.length ? page.cursor : null;
  } while (cursor !== null);
  const chosen = failed.toReversed().slice(0, most);
  for (const id of chosen) await api.resendWebhookMessage({ message_id: id, endpoint_id: endpointId });
  return { sent: chosen.length, more: failed.length > chosen.length };
}

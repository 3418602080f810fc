import { randomUUID } from 'node:crypto';
import type { Executor } from '@rapporteur/database';
import { endpointKey, signatures } from '@rapporteur/outbound-http';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import type { Secret } from '@rapporteur/service-runtime';
import { leasedRows } from '@rapporteur/work-queue';
import type { OperatorNoticeRow } from '../schema/entities.ts';
import type { Context } from '../schema/context.ts';

/** An event that is sent to the operator's address. */
export interface OperatorNotice {
  readonly event: 'canary.ended' | 'page_pack.suspended';
  readonly data: Readonly<Record<string, unknown>>;
}

export interface NoticeDependencies extends Pick<Context, 'database' | 'now' | 'logger'> {
  readonly http: Pick<OutboundHttp, 'request'>;
  readonly url: string;
  /** `whsec_` and base64, as for webhooks. */
  readonly secret: Secret;
}

/** After an attempt, which takes at most `timeoutMs`. */
const pause = { firstMs: 15_000, longestMs: 600_000 } as const;
const timeoutMs = 10_000;
const noticesAtOnce = 1;
const dueNotices = leasedRows<OperatorNoticeRow>({
  table: 'operator_notices',
  key: ['id'],
  due: 'next_attempt_at',
  attempts: 'attempts',
});
/** A notice that was not accepted for a day is dropped. */
const keptMs = 86_400_000;

/** Stores a notice: it is sent if the transaction commits. */
export async function addNotice(transaction: Executor, { event, data }: OperatorNotice, at: Date): Promise<void> {
  const id = randomUUID();
  const body = JSON.stringify({ id, event, created_at: at.toISOString(), data });
  await transaction.query(
    'insert into operator_notices (id, body, created_at, next_attempt_at) values ($1, $2, $3, $3)',
    [id, body, at],
  );
}

/** Sends due notices. One that is not accepted is sent again with a growing pause, for a day. */
export async function sendNotices(dependencies: NoticeDependencies): Promise<void> {
  const { database, now, logger } = dependencies;
  const at = new Date(now());
  for (const notice of await dueNotices.claim(database, { at, limit: noticesAtOnce, leaseMs: pause })) {
    const { id, attempts, created_at } = notice;
    const problem = await send(dependencies, notice);
    if (problem !== null)
      logger.warn({ noticeId: id, attempts }, `A notice to the operator was not accepted. ${problem}`);
    if (problem === null || at.getTime() - created_at.getTime() > keptMs) await dueNotices.remove(database, notice);
  }
}

/** @returns why it was not accepted, as a sentence; null: it was */
async function send(
  { http, url, secret, now }: NoticeDependencies,
  { id, body }: { readonly id: string; readonly body: string },
): Promise<string | null> {
  const message = { messageId: id, timestamp: Math.floor(now() / 1_000), body: Buffer.from(body) };
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': signatures(message, [endpointKey(secret.reveal())]),
  };
  try {
    const { status } = await http.request({
      url,
      method: 'POST',
      headers,
      body: message.body,
      timeoutMs,
      maxResponseBytes: 4_096,
      whenTooLarge: 'cut',
    });
    return status >= 200 && status < 300 ? null : `It responded with HTTP status ${status}.`;
  } catch (error) {
    return (error as Error).message;
  }
}

import type { Database, Executor } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { invalid, pageOf } from '@rapporteur/service-runtime';
import type { Page, PageCursor } from '@rapporteur/service-runtime';
import type {
  AttemptRow,
  DeliveryRow,
  DeliveryState,
  EndpointRow,
  MessageRow,
  PayloadFormat,
} from '../schema/entities.ts';
import { testEvent } from '../event-types.ts';
import { testMessage } from './message-body.ts';
import { addDeliveries, insertMessage, lockAddressees } from './messages.store.ts';

export interface ListedMessage extends DeliveryRow {
  readonly event: string;
  readonly bot_id: string | null;
  readonly body: Buffer;
  readonly redacted_at: Date | null;
}

export interface ListedAttempt extends AttemptRow {
  readonly endpoint_id: string;
}

export interface ListQuery {
  readonly endpointId: string;
  readonly state: DeliveryState | null;
  /** Only messages about this bot. */
  readonly botId: string | null;
  readonly limit: number;
  readonly from: PageCursor | null;
}

const attemptsShown = 200;

/** One endpoint's messages, newest first. The caller has checked whose endpoint it is. */
export async function listMessages(database: Executor, query: ListQuery): Promise<Page<ListedMessage>> {
  const { endpointId, state, botId, limit, from } = query;
  const [than, order] = from?.backward === true ? ['>', 'asc'] : ['<', 'desc'];
  const rows = await database.query<ListedMessage>(
    `select d.*, m.event, m.bot_id, m.body, m.redacted_at from deliveries as d join messages as m on m.message_id = d.message_id
      where d.endpoint_id = $1 and ($2::text is null or d.state = $2)
        and ($3::timestamptz is null or (d.created_at, d.message_id) ${than} ($3, $4))
        and ($6::uuid is null or m.bot_id = $6)
      order by d.created_at ${order}, d.message_id ${order} limit $5`,
    [endpointId, state, from?.at ?? null, from?.id ?? null, limit + 1, botId],
  );
  return pageOf(rows, {
    limit,
    from,
    placeOf: (row) => ({ at: row.created_at.toISOString(), id: row.message_id }),
  });
}

/** Attempts of a team's message, newest first. Throws WEBHOOK_MESSAGE_NOT_FOUND. */
export async function listAttempts(
  database: Executor,
  owner: { readonly teamId: string; readonly messageId: string },
  endpointId: string | null,
): Promise<ListedAttempt[]> {
  await findMessage(database, owner);
  return database.query<ListedAttempt>(attemptsOfSql, [owner.messageId, endpointId]);
}

/** Attempts to endpoints; those to callbacks are listed by bot. */
export const attemptsOfSql = `
  select a.*, d.endpoint_id from deliveries as d join attempts as a using (delivery_id)
    join webhook_endpoints as e on e.endpoint_id = d.endpoint_id and e.owner_id is null
   where d.message_id = $1 and ($2::uuid is null or d.endpoint_id = $2)
   order by a.started_at desc, a.number desc limit ${attemptsShown}`;

/**
 * Resends a message with the same id and bytes: to one endpoint of the team, or to all of its addressees. Returns their
 * number. Throws WEBHOOK_MESSAGE_NOT_FOUND or WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_MESSAGE_REDACTED for a deleted chat
 * message, VALIDATION for an endpoint of another format.
 */
export function resendMessage(
  database: Database,
  owner: { readonly teamId: string; readonly messageId: string },
  endpointId: string | null,
  now: Date,
): Promise<number> {
  return database.transaction(async (transaction) => {
    const { event, format, redacted_at: redactedAt } = await findMessage(transaction, owner);
    if (event === 'bot.chat_message' && redactedAt !== null) throw fail('WEBHOOK_MESSAGE_REDACTED');
    const endpoints =
      endpointId === null
        ? await lockAddressees(transaction, { ...owner, event, format })
        : [await lockOne(transaction, owner.teamId, endpointId)];
    if (endpointId !== null && event !== testEvent) refuseOtherFormat(endpoints, format);
    await addDeliveries(transaction, [{ ...owner, endpoints }], now);
    return endpoints.length;
  });
}

/** Sends a test message to one endpoint, enabled or not, and returns its id. Throws WEBHOOK_ENDPOINT_NOT_FOUND. */
export function sendTestMessage(
  database: Database,
  owner: { readonly teamId: string; readonly endpointId: string },
  now: Date,
): Promise<string> {
  return database.transaction(async (transaction) => {
    await lockOne(transaction, owner.teamId, owner.endpointId);
    const message = testMessage(owner, now.toISOString());
    await insertMessage(transaction, message, now);
    const endpoints = [{ endpoint_id: owner.endpointId, enabled: true }];
    await addDeliveries(transaction, [{ ...message, endpoints }], now);
    return message.messageId;
  });
}

async function findMessage(
  database: Executor,
  { teamId, messageId }: { readonly teamId: string; readonly messageId: string },
): Promise<FoundMessage> {
  const [message] = await database.query<FoundMessage>(
    'select event, format, redacted_at from messages where team_id = $1 and message_id = $2',
    [teamId, messageId],
  );
  if (message === undefined) throw fail('WEBHOOK_MESSAGE_NOT_FOUND');
  return message;
}

type FoundMessage = Pick<MessageRow, 'event' | 'format' | 'redacted_at'>;
type LockedEndpoint = Pick<EndpointRow, 'endpoint_id' | 'enabled' | 'format'>;

async function lockOne(transaction: Executor, teamId: string, endpointId: string): Promise<LockedEndpoint> {
  const [found] = await transaction.query<LockedEndpoint>(
    'select endpoint_id, enabled, format from webhook_endpoints where team_id = $1 and endpoint_id = $2 and owner_id is null for share',
    [teamId, endpointId],
  );
  if (found === undefined) throw fail('WEBHOOK_ENDPOINT_NOT_FOUND');
  return found;
}

function refuseOtherFormat(endpoints: readonly Partial<LockedEndpoint>[], format: PayloadFormat): void {
  const other = endpoints.find((endpoint) => endpoint.format !== undefined && endpoint.format !== format);
  if (other === undefined) return;
  throw invalid(
    'endpoint_id',
    `The endpoint receives the format ${other.format}, and this message is in the format ${format}.`,
  );
}

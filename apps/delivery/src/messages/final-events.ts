import { botEnded, botRedeliveryRequested } from '@rapporteur/contracts';
import type { EventEnvelope } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import type { MessageFacts } from '@rapporteur/event-bus';
import type { z } from 'zod';
import { callbackOf, legacyCallOf } from '../calls/new-call.ts';
import { areCalled, insertCall } from '../calls/calls.store.ts';
import { legacyFinalMessage } from '../legacy/legacy-body.ts';
import type { BotEventsParts } from './bot-events.consumer.ts';
import { isForgotten, markRedacted, wasForgotten } from './forgotten-bots.store.ts';
import { endedWithoutContent, finalMessage, finalMessageId } from './message-body.ts';
import type { BotEnded, FinalTimes, Message, SignedArtifacts } from './message-body.ts';
import { retell, storedTimes, storeTelling } from './messages.store.ts';
import type { Telling } from './messages.store.ts';

type Redelivery = z.output<typeof botRedeliveryRequested.data>;

/** A bot ended: its one final message goes to every endpoint, to its callback, and to its own legacy address. */
export async function onEnded(parts: BotEventsParts, message: unknown, facts: MessageFacts): Promise<void> {
  const told = dataOf(botEnded.heard, message);
  const artifacts = told === null || (await isTold(parts, told)) ? null : await linksTo(parts, told);
  const handle = parts.inbox.handle(
    botEnded,
    (transaction, event) => tellEnd(transaction, event, artifacts, new Date(parts.clock.now())),
    { after: () => ring(parts) },
  );
  await handle(message, facts);
}

/** Somebody asked for the final message again: to the endpoints of the account, or to one callback address. */
export async function onRedeliveryRequested(
  parts: BotEventsParts,
  message: unknown,
  facts: MessageFacts,
): Promise<void> {
  const asked = dataOf(botRedeliveryRequested.heard, message);
  const artifacts = asked === null ? null : await linksTo(parts, asked.ended);
  const handle = parts.inbox.handle(
    botRedeliveryRequested,
    (transaction, event) => tellAgain(transaction, event, artifacts, new Date(parts.clock.now())),
    { after: () => ring(parts) },
  );
  await handle(message, facts);
}

function ring({ onStored, onCalled }: BotEventsParts): void {
  onStored();
  onCalled();
}

function dataOf<T>(schema: z.ZodType<T>, message: unknown): T | null {
  // What does not fit is refused, in words, by the inbox.
  return schema.safeParse((message as { data?: unknown } | null)?.data).data ?? null;
}

/** Links are signed before the transaction opens, so that no row stays locked while another service answers. */
async function linksTo({ database, signArtifacts }: BotEventsParts, ended: BotEnded): Promise<SignedArtifacts | null> {
  return (await wasForgotten(database, ended.botId)) ? null : signArtifacts(ended);
}

/** True when a repeat of the event has nothing to add, so that no links need to be signed for it. */
async function isTold({ database }: BotEventsParts, ended: BotEnded): Promise<boolean> {
  if ((await storedTimes(database, finalMessageId(ended))) === null) return false;
  const occasions = [
    ...(ended.callback === null ? [] : [endOccasion.callback]),
    ...((ended.legacy?.webhookUrl ?? null) === null ? [] : [endOccasion.legacy]),
  ];
  return areCalled(database, ended.botId, occasions);
}

const endOccasion = { callback: 'end/callback', legacy: 'end/legacy' } as const;

async function tellEnd(
  transaction: Executor,
  event: EventEnvelope<BotEnded>,
  artifacts: SignedArtifacts | null,
  now: Date,
): Promise<void> {
  const times = { createdAt: event.occurredAt, sentAt: now.toISOString() };
  const final = await finalOf(transaction, event.data, times, artifacts);
  const { ended, v2, legacy, forgotten } = final;
  await storeTelling(transaction, tellingOf(final), now);
  if (forgotten) await markRedacted(transaction, ended.botId, now);
  if (ended.callback !== null) await insertCall(transaction, callbackOf(v2, ended.callback, endOccasion.callback), now);
  const call = legacyCallOf(legacy, ended.legacy, endOccasion.legacy);
  if (call !== null) await insertCall(transaction, call, now);
}

async function tellAgain(
  transaction: Executor,
  { data, occurredAt }: EventEnvelope<Redelivery>,
  artifacts: SignedArtifacts | null,
  now: Date,
): Promise<void> {
  const { requestId, to } = data;
  if (!(await isNewRequest(transaction, requestId))) return;
  const first = await storedTimes(transaction, finalMessageId(data.ended));
  const times = first ?? { createdAt: data.ended.exitedAt ?? occurredAt, sentAt: now.toISOString() };
  const final = await finalOf(transaction, data.ended, times, artifacts);
  if (to.kind === 'callback') {
    await insertCall(transaction, callbackOf(final.v2, to.callback, `again/callback/${requestId}`), now);
    return;
  }
  await retell(transaction, tellingOf(final), now);
  if (final.forgotten) await markRedacted(transaction, final.ended.botId, now);
  const call = legacyCallOf(final.legacy, final.ended.legacy, `again/legacy/${requestId}`);
  if (call !== null) await insertCall(transaction, call, now);
}

/** A request may be told under several event ids, as after a restore; it acts once. */
async function isNewRequest(transaction: Executor, requestId: string): Promise<boolean> {
  const noted = await transaction.query(
    `insert into inbox (consumer, event_id) values ('delivery.redelivery', $1) on conflict do nothing returning event_id`,
    [requestId],
  );
  return noted.length > 0;
}

interface Final extends Omit<Telling, 'legacy'> {
  readonly ended: BotEnded;
  readonly legacy: Message;
  readonly forgotten: boolean;
}

/** The final message in both formats; without content when the bot's data was deleted meanwhile. */
async function finalOf(
  transaction: Executor,
  told: BotEnded,
  times: FinalTimes,
  artifacts: SignedArtifacts | null,
): Promise<Final> {
  const forgotten = await isForgotten(transaction, told.botId);
  const deleted = forgotten || told.artifactsDeleted;
  const ended = deleted ? endedWithoutContent(told) : told;
  const links = deleted ? null : artifacts;
  return {
    ended,
    v2: finalMessage(ended, times, links),
    legacy: legacyFinalMessage(ended, links),
    forgotten,
  };
}

/** A bot with a legacy address of its own is not told to the account's legacy endpoints. */
function tellingOf({ ended, v2, legacy }: Final): Telling {
  return { v2, legacy: (ended.legacy?.webhookUrl ?? null) === null ? legacy : null };
}

import { botEnded, botStatusChanged } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import type { Bus, Inbox, MessageFacts } from '@rapporteur/event-bus';
import type { Clock } from '@rapporteur/service-runtime';
import type { SignArtifacts } from './artifact-urls.ts';
import { finalMessage, finalMessageId, statusMessage } from './message-body.ts';
import type { SignedArtifacts } from './message-body.ts';
import { isStored, storeMessage } from './messages.store.ts';

export interface BotEventsParts {
  readonly database: Database;
  readonly bus: Bus;
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly signArtifacts: SignArtifacts;
  /** Called after each commit: deliveries may be due. */
  readonly onStored: () => void;
}

/** Turns what bot-scheduler says about bots into messages for endpoints. Resolves once both events are listened to. */
export async function consumeBotEvents(parts: BotEventsParts): Promise<{ stop(): Promise<void> }> {
  const { bus, inbox, clock, onStored } = parts;
  const onStatus = inbox.handle(
    botStatusChanged,
    (transaction, event) =>
      storeMessage(transaction, statusMessage(event.data, event.occurredAt), new Date(clock.now())),
    onStored,
  );
  const consumers = await Promise.all([
    bus.consume({ consumer: 'delivery', subject: botStatusChanged.type, handle: onStatus }),
    bus.consume({
      consumer: 'delivery',
      subject: botEnded.type,
      handle: (message, facts) => onEnded(parts, message, facts),
    }),
  ]);
  return {
    stop: async () => {
      await Promise.all(consumers.map((consumer) => consumer.stop()));
    },
  };
}

async function onEnded(parts: BotEventsParts, message: unknown, facts: MessageFacts): Promise<void> {
  const { inbox, clock, onStored } = parts;
  const artifacts = await artifactsOf(parts, message);
  const handle = inbox.handle(
    botEnded,
    (transaction, event) => {
      const now = new Date(clock.now());
      const times = { createdAt: event.occurredAt, sentAt: now.toISOString() };
      return storeMessage(transaction, finalMessage(event.data, times, artifacts), now);
    },
    onStored,
  );
  await handle(message, facts);
}

/** Links are signed before the transaction opens, so that no row stays locked while another service answers. */
async function artifactsOf(
  { database, signArtifacts }: BotEventsParts,
  message: unknown,
): Promise<SignedArtifacts | null> {
  const ended = botEnded.data.safeParse((message as { data?: unknown } | null)?.data);
  // What does not fit is refused, in words, by the inbox.
  if (!ended.success || ended.data.outcome !== 'completed') return null;
  if (await isStored(database, finalMessageId(ended.data))) return null;
  return signArtifacts(ended.data);
}

import {
  botEnded,
  botRedeliveryRequested,
  internalCalls,
  linkedArtifacts,
  participantLinkName,
} from '@rapporteur/contracts';
import type { EventEnvelope, BotTranscript } from '@rapporteur/contracts';
import type { Executor, Database } from '@rapporteur/database';
import type { MessageFacts, Bus, Inbox } from '@rapporteur/event-bus';
import type { z } from 'zod';
import { createClient } from '@rapporteur/service-runtime';
import type { Clock, InternalAuth } from '@rapporteur/service-runtime';
import { legacyFinalMessage } from './legacy-body.ts';
import { areCalled, insertCallback } from './callbacks.store.ts';
import { forgottenState, markRedacted, wasForgotten } from './forgotten-bots.store.ts';
import { endedWithoutContent, finalMessage, finalMessageId } from './message-body.ts';
import type { BotEnded, FinalTimes, Message, SignedArtifacts } from './message-body.ts';
import { replaceMessage, redeliver, storedTimes, storeMessages } from './messages.store.ts';
import { callbackOf, legacyCallbackOf } from './new-callback.ts';

type Redelivery = z.output<typeof botRedeliveryRequested.data>;

/**
 * Handles the end of a bot: its only final message is sent to every endpoint, its callback, and its own legacy address.
 */
export async function onEnded(
  dependencies: BotEventsDependencies,
  message: unknown,
  facts: MessageFacts,
): Promise<void> {
  const reported = dataOf(botEnded.accepted, message);
  const artifacts =
    reported === null || (await isReported(dependencies, reported)) ? null : await linksTo(dependencies, reported);
  const handle = dependencies.inbox.handle(
    botEnded,
    (transaction, event) => reportEnd(transaction, event, artifacts, new Date(dependencies.clock.now())),
    { after: dependencies.onStored },
  );
  await handle(message, facts);
}

/** Handles a request to resend the final message: to the team's endpoints, or to one callback address. */
export async function onRedeliveryRequested(
  dependencies: BotEventsDependencies,
  message: unknown,
  facts: MessageFacts,
): Promise<void> {
  const requested = dataOf(botRedeliveryRequested.accepted, message);
  const artifacts = requested === null ? null : await linksTo(dependencies, requested.ended);
  const handle = dependencies.inbox.handle(
    botRedeliveryRequested,
    (transaction, event) => reportAgain(transaction, event, artifacts, new Date(dependencies.clock.now())),
    { after: dependencies.onStored },
  );
  await handle(message, facts);
}

function dataOf<T>(schema: z.ZodType<T>, message: unknown): T | null {
  // The inbox refuses invalid events with a message.
  return schema.safeParse((message as { data?: unknown } | null)?.data).data ?? null;
}

/** Links are signed before the transaction begins: no row stays locked during a request to another service. */
async function linksTo(
  { database, signArtifacts }: BotEventsDependencies,
  ended: BotEnded,
): Promise<SignedArtifacts | null> {
  return (await wasForgotten(database, ended.botId)) ? null : signArtifacts(ended);
}

/** True when the event is fully processed, so that a repeat needs no signed links. */
async function isReported({ database }: BotEventsDependencies, ended: BotEnded): Promise<boolean> {
  if ((await storedTimes(database, finalMessageId(ended))) === null) return false;
  const triggers = [
    ...(ended.callback === null ? [] : [endTrigger.callback]),
    ...((ended.legacy?.webhookUrl ?? null) === null ? [] : [endTrigger.legacy]),
  ];
  return areCalled(database, ended.botId, triggers);
}

const endTrigger = { callback: 'end/callback', legacy: 'end/legacy' } as const;

async function reportEnd(
  transaction: Executor,
  event: EventEnvelope<BotEnded>,
  artifacts: SignedArtifacts | null,
  now: Date,
): Promise<void> {
  const times = { createdAt: event.occurredAt, sentAt: now.toISOString() };
  const final = await finalOf(transaction, event.data, times, artifacts);
  const { ended, v2, legacy, forgotten } = final;
  await storeMessages(transaction, messagesOf(final), now);
  if (ended.callback !== null)
    await insertCallback(transaction, callbackOf(v2, ended.callback, endTrigger.callback), now);
  const callback = legacyCallbackOf(legacy, ended.legacy, endTrigger.legacy);
  if (callback !== null) await insertCallback(transaction, callback, now);
  if (forgotten) await markRedacted(transaction, ended.botId, now);
}

async function reportAgain(
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
    await replaceMessage(transaction, final.v2, now);
    await insertCallback(transaction, callbackOf(final.v2, to.callback, `again/callback/${requestId}`), now);
    if (final.forgotten) await markRedacted(transaction, final.ended.botId, now);
    return;
  }
  await redeliver(transaction, messagesOf(final), now);
  const callback = legacyCallbackOf(final.legacy, final.ended.legacy, `again/legacy/${requestId}`);
  if (callback !== null) {
    await replaceMessage(transaction, final.legacy, now);
    await insertCallback(transaction, callback, now);
  }
  if (final.forgotten) await markRedacted(transaction, final.ended.botId, now);
}

/** Deduplicates requests that arrive under several event ids, as after a restore. */
async function isNewRequest(transaction: Executor, requestId: string): Promise<boolean> {
  const noted = await transaction.query(
    `insert into inbox (consumer, event_id) values ('delivery.redelivery', $1) on conflict do nothing returning event_id`,
    [requestId],
  );
  return noted.length > 0;
}

interface Final {
  readonly ended: BotEnded;
  readonly v2: Message;
  readonly legacy: Message;
  readonly forgotten: boolean;
}

/** The final message in both formats; without content when the bot's data was deleted meanwhile. */
async function finalOf(
  transaction: Executor,
  reported: BotEnded,
  times: FinalTimes,
  artifacts: SignedArtifacts | null,
): Promise<Final> {
  const forgotten = await forgottenState(transaction, reported.botId);
  const deleted = forgotten !== null || reported.artifactsDeleted;
  const confirmed = forgotten?.confirmed === true || reported.artifactsDeleted;
  const ended = deleted ? endedWithoutContent(reported, confirmed) : reported;
  const links = deleted ? null : artifacts;
  return {
    ended,
    v2: finalMessage(ended, times, links),
    legacy: legacyFinalMessage(ended, links),
    forgotten: forgotten !== null,
  };
}

/** For endpoints of the team; a bot's own legacy address replaces the legacy ones. */
function messagesOf({ ended, v2, legacy }: Final): Message[] {
  return (ended.legacy?.webhookUrl ?? null) === null ? [v2, legacy] : [v2];
}

export interface BotEventsDependencies {
  readonly database: Database;
  readonly bus: Bus;
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly signArtifacts: SignArtifacts;
  /** Called after a commit: deliveries may be due. */
  readonly onStored: () => void;
}

/** Base URLs for this service. */
interface ArtifactSources {
  readonly storageUrl: string;
  /** Absent: no transcriber is deployed. */
  readonly transcriberUrl?: string | undefined;
}

/**
 * Signs links to a bot's artifacts; null when its message has none. Throws UNAVAILABLE when signing is not possible
 * now.
 */
type SignArtifacts = (ended: BotEnded) => Promise<SignedArtifacts | null>;

export function signThroughStorage(auth: InternalAuth, { storageUrl, transcriberUrl }: ArtifactSources): SignArtifacts {
  const readTranscript = transcriptReader(auth, transcriberUrl);
  const storage = createClient(internalCalls.storage, { auth, service: 'storage-config', baseUrl: storageUrl });
  return async (ended) => {
    const keys = Object.fromEntries([
      ...linkedArtifacts.flatMap((kind) =>
        ended.artifacts[kind] === undefined ? [] : [[kind, ended.artifacts[kind]]],
      ),
      ...ended.participantAudio.map(({ key }) => [participantLinkName(key), key]),
    ]);
    if (ended.outcome !== 'completed' || ended.artifactsDeleted || Object.keys(keys).length === 0) return null;
    const [links, transcript] = await Promise.all([
      storage.signUrls({ botId: ended.botId, keys }),
      ended.artifacts.transcription === undefined ? null : readTranscript(ended),
    ]);
    return { ...links, transcript };
  };
}

function transcriptReader(auth: InternalAuth, transcriberUrl: string | undefined) {
  if (transcriberUrl === undefined) return async () => null;
  const { read } = createClient(internalCalls.transcripts, { auth, service: 'transcriber', baseUrl: transcriberUrl });
  return async ({ botId, teamId }: BotEnded): Promise<BotTranscript | null> =>
    (await read({ botId, teamId })).transcript;
}

import { JetStreamApiError, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import type { JetStreamClient, JetStreamManager, StreamConfig } from '@nats-io/jetstream';

export interface StreamDefinition {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly limits?: Partial<StreamConfig>;
}

/**
 * The only stream that runners write to. The oldest reports are dropped first, and their runners resend them: a stolen
 * credential fills neither the server's disk nor the streams of the services.
 */
const reportLimits = { max_msgs_per_subject: 4_096, max_bytes: 268_435_456 } satisfies Partial<StreamConfig>;

/**
 * Every stream of the service. Messages are kept for three days: longer than any outage that a repeated notification
 * spans.
 */
export const streams: readonly StreamDefinition[] = [
  { name: 'BOTS', subjects: ['bots.v1.>'] },
  { name: 'CALENDARS', subjects: ['calendars.v1.>'] },
  { name: 'IDENTITY', subjects: ['identity.v1.>'] },
  { name: 'LOGINS', subjects: ['logins.v1.>'] },
  { name: 'RUNNERS', subjects: ['runners.v1.>'], limits: reportLimits },
  { name: 'TRANSCRIPTS', subjects: ['transcripts.v1.>'] },
];

/** Limits set by the deployment; absent: the server's own (one replica, no limit in bytes). */
export interface StreamLimits {
  /** Copies of each stream; needs a cluster of at least as many servers. */
  readonly replicas?: number | undefined;
  /** The limit of each stream; the oldest messages are removed first. */
  readonly maxBytes?: number | undefined;
}

const nanosPerSecond = 1_000_000_000;

const settings = {
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  max_age: 72 * 3600 * nanosPerSecond,
  duplicate_window: 120 * nanosPerSecond,
  /** The oldest are dropped first: their events are still in the owner's outbox. */
  max_msgs: 1_000_000,
} satisfies Partial<StreamConfig>;

/** The stream of a subject. Throws for a subject without a stream: a programming error. */
export function streamOf(subject: string): StreamDefinition {
  const found = streams.find((stream) =>
    stream.subjects.some((pattern) => subject.startsWith(pattern.replace('>', ''))),
  );
  if (found === undefined) throw new Error(`No stream holds the subject ${subject}.`);
  return found;
}

/**
 * Creates the stream, or updates an older one to the current settings, and reads them back: an old server drops unknown
 * settings without an error.
 */
export async function ensureStream(
  manager: JetStreamManager,
  { name, subjects, limits = {} }: StreamDefinition,
  { replicas, maxBytes }: StreamLimits = {},
): Promise<void> {
  const wanted = {
    subjects: [...subjects],
    ...settings,
    ...limits,
    ...(replicas === undefined ? {} : { num_replicas: replicas }),
    ...(maxBytes === undefined ? {} : { max_bytes: maxBytes }),
  };
  const existing = await infoOrNull(manager, name);
  if (existing !== null && holds(existing, wanted)) return;
  const config =
    existing === null
      ? await addStream(manager, { name, ...wanted })
      : (await manager.streams.update(name, { ...existing, ...wanted })).config;
  if (!holds(config, wanted)) {
    throw new Error(`The NATS server did not keep the settings of stream ${name}. NATS 2.9 or newer is needed.`);
  }
}

/** Services start together: the server refuses the second of two concurrent creations of the same stream. */
async function addStream(
  manager: JetStreamManager,
  wanted: Partial<StreamConfig> & { name: string },
): Promise<StreamConfig> {
  try {
    return (await manager.streams.add(wanted)).config;
  } catch (error) {
    const existing = await infoOrNull(manager, wanted.name);
    if (existing === null) throw error;
    return existing;
  }
}

async function infoOrNull(manager: JetStreamManager, name: string): Promise<StreamConfig | null> {
  try {
    return (await manager.streams.info(name)).config;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** True when the server's response has every setting we requested. */
export function holds(response: object, wanted: object): boolean {
  const given = response as Record<string, unknown>;
  return Object.entries(wanted).every(([key, value]) => JSON.stringify(given[key]) === JSON.stringify(value));
}

/** JetStream reports that the stream or consumer does not exist: its store was lost. */
export function isMissing(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.status === 404;
}

/** A stream did not return what it had confirmed to store. */
class MessageLost extends Error {}

/** Stores a message for which there is no consumer, reads it back and deletes it. */
export async function probeStream(
  client: JetStreamClient,
  manager: JetStreamManager,
  { name, subjects }: StreamDefinition,
): Promise<void> {
  const { seq } = await client.publish(`${subjects[0]?.replace('>', '')}probe`, '{}');
  const stored = await manager.streams.getMessage(name, { seq });
  if (stored === null) throw new MessageLost(`The stream ${name} does not return what it stored.`);
  await manager.streams.deleteMessage(name, seq, false);
}

const storeFailed = 10_077;

/** Whether a stream lost its files. A lack of room is none of it: a new stream would need the same room. */
export function isBroken(error: unknown): boolean {
  if (error instanceof MessageLost) return true;
  return error instanceof JetStreamApiError && error.code === storeFailed && !/space|exceed|quota/i.test(error.message);
}

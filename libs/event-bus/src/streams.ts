import { JetStreamApiError, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import type { JetStreamManager } from '@nats-io/jetstream';

export interface StreamDefinition {
  readonly name: string;
  readonly subjects: readonly string[];
}

/** Every stream of the house. Messages live three days: longer than any outage we let a re-ring wait for. */
export const streams: readonly StreamDefinition[] = [
  { name: 'BOTS', subjects: ['bots.v1.>'] },
  { name: 'IDENTITY', subjects: ['identity.v1.>'] },
];

const nanosPerSecond = 1_000_000_000;

/** The stream that holds a subject. Throws for a subject that no stream holds: a programming error. */
export function streamOf(subject: string): StreamDefinition {
  const found = streams.find((stream) => stream.subjects.some((pattern) => subject.startsWith(pattern.replace('>', ''))));
  if (found === undefined) throw new Error(`No stream holds the subject ${subject}.`);
  return found;
}

/** Creates the stream when it is missing and reads its settings back, because old servers drop what they do not know. */
export async function ensureStream(manager: JetStreamManager, { name, subjects }: StreamDefinition): Promise<void> {
  try {
    await manager.streams.info(name);
    return;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const { config } = await manager.streams.add({
    name,
    subjects: [...subjects],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    max_age: 72 * 3600 * nanosPerSecond,
    duplicate_window: 120 * nanosPerSecond,
  });
  if (config.storage !== StorageType.File || config.duplicate_window !== 120 * nanosPerSecond) {
    throw new Error(`The NATS server did not keep the settings of stream ${name}; it is too old.`);
  }
}

/** JetStream says that the stream or consumer is not there: its store was lost. */
export function isMissing(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.status === 404;
}

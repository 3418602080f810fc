import { z } from 'zod';
import { instant } from '../shapes.ts';

/** What every message on the bus is wrapped in. `id` is the key of the consumer's inbox: the same id never acts twice. */
export const eventEnvelope = z.object({
  id: z.uuid(),
  type: z.string(),
  occurredAt: instant,
  data: z.unknown(),
});

export interface EventEnvelope<T = unknown> {
  readonly id: string;
  readonly type: string;
  readonly occurredAt: string;
  readonly data: T;
}

/** An event type: its name (also its NATS subject), the services that must settle it, and the shape of its data. */
export interface EventDefinition<T> {
  readonly type: string;
  readonly consumers: readonly string[];
  /** What a publisher may say. */
  readonly data: z.ZodType<T>;
  /** What a consumer takes: where a publisher of a later build may add a member to a list, unknown ones are no reason to refuse. */
  readonly heard: z.ZodType<T>;
}

export function defineEvent<T>(
  type: string,
  consumers: readonly string[],
  data: z.ZodType<T>,
  heard: z.ZodType<T> = data,
): EventDefinition<T> {
  return { type, consumers, data, heard };
}

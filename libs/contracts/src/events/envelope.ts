import { z } from 'zod';
import { instant } from '../shapes.ts';

/** The envelope of every message on the bus. `id` is the key of the consumer's inbox: an id takes effect once. */
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
  /** Shape for publishers. */
  readonly data: z.ZodType<T>;
  /** Shape for consumers: members that a later build may add to a list are ignored, not refused. */
  readonly accepted: z.ZodType<T>;
}

export function defineEvent<T>(
  type: string,
  consumers: readonly string[],
  data: z.ZodType<T>,
  accepted: z.ZodType<T> = data,
): EventDefinition<T> {
  return { type, consumers, data, accepted };
}

import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { SecretBox } from '@rapporteur/secret-box';
import type { Clock } from '@rapporteur/service-runtime';

export interface Session {
  readonly apiKey: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

export interface Sessions {
  /** The value of a new session's cookie; no two are equal. */
  create(apiKey: string): { readonly value: string; readonly session: Session };
  /** Null for a value that this deployment did not make, or whose time is over. */
  read(value: string): Session | null;
}

const place = { teamId: 'console', recordId: 'session', field: 'cookie' };
const longestValue = 2_000;
const sealed = z.strictObject({ id: z.uuid(), apiKey: z.string(), expiresAt: z.number() });

/** Sessions that live in their cookie, encrypted: they survive a restart, and no server keeps a list. */
export function createSessions(options: {
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly lifetimeMs: number;
}): Sessions {
  const { box, clock, lifetimeMs } = options;
  return {
    create: (apiKey) => {
      const session = { apiKey, expiresAt: clock.now() + lifetimeMs };
      const text = JSON.stringify({ id: randomUUID(), ...session });
      return { value: box.seal(text, place).toString('base64url'), session };
    },
    read: (value) => {
      if (value === '' || value.length > longestValue) return null;
      try {
        const { apiKey, expiresAt } = sealed.parse(JSON.parse(box.open(Buffer.from(value, 'base64url'), place)));
        return expiresAt > clock.now() ? { apiKey, expiresAt } : null;
      } catch {
        return null;
      }
    },
  };
}

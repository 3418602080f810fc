import type { Clock } from '@rapporteur/service-runtime';
import type { KnownKey } from './keys.store.ts';

/** How old a cached response may be: a revoked key stops working on every replica within one second. */
const freshMs = 900;
const limit = 10_000;

interface Entry {
  readonly requestedAtMs: number;
  readonly response: Promise<KnownKey | null>;
}

export interface KeyCache {
  /** The key with this hash, at most 900 ms old. Requests that come together share one question to the database. */
  find(keyHash: Buffer): Promise<KnownKey | null>;
}

export function createKeyCache(find: (keyHash: Buffer) => Promise<KnownKey | null>, clock: Clock): KeyCache {
  const entries = new Map<string, Entry>();

  const sendRequest = (name: string, keyHash: Buffer): Promise<KnownKey | null> => {
    const entry: Entry = { requestedAtMs: clock.now(), response: find(keyHash) };
    // Set anew to keep the map in the order of asking, so that the first entry is always the oldest.
    entries.delete(name);
    entries.set(name, entry);
    for (const oldest of entries.keys()) {
      if (entries.size <= limit) break;
      entries.delete(oldest);
    }
    entry.response.catch(() => {
      if (entries.get(name) === entry) entries.delete(name);
    });
    return entry.response;
  };

  return {
    find: (keyHash) => {
      const name = keyHash.toString('base64');
      const entry = entries.get(name);
      const ageMs = entry === undefined ? Infinity : clock.now() - entry.requestedAtMs;
      return entry !== undefined && ageMs >= 0 && ageMs < freshMs ? entry.response : sendRequest(name, keyHash);
    },
  };
}

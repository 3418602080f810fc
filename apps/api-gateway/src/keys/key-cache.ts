import type { Clock } from '@rapporteur/service-runtime';
import type { KnownKey } from './keys.store.ts';

/** Maximum age of a cached result: a revoked key stops working on every replica within one second. */
const freshMs = 900;
const limit = 10_000;

interface Entry {
  readonly requestedAtMs: number;
  readonly response: Promise<KnownKey | null>;
}

export interface KeyCache {
  /** The key with this hash, at most 900 ms old. Concurrent lookups of one key share a query. */
  find(keyHash: Buffer): Promise<KnownKey | null>;
}

export function createKeyCache(find: (keyHash: Buffer) => Promise<KnownKey | null>, clock: Clock): KeyCache {
  const entries = new Map<string, Entry>();

  const sendRequest = (name: string, keyHash: Buffer): Promise<KnownKey | null> => {
    const entry: Entry = { requestedAtMs: clock.now(), response: find(keyHash) };
    // Reinserted to keep the map sorted by request time: the first entry is the oldest.
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

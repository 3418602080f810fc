import { internalCalls } from '@rapporteur/contracts';
import type { ObjectStore } from '@rapporteur/object-store';
import { serveCall } from '@rapporteur/service-runtime';
import type { Service } from '@rapporteur/service-runtime';
import type { Router } from 'express';

/** Other services request links here that customers may follow for a limited time. */
export function artifactUrlRoutes(
  { auth, clock }: Pick<Service, 'auth' | 'clock'>,
  { store, artifactUrlTtlMs }: { readonly store: ObjectStore; readonly artifactUrlTtlMs: number },
): Router {
  return serveCall(auth, internalCalls.storage.signUrls, async ({ botId, keys }) => {
    const expiresAtMs = clock.now() + artifactUrlTtlMs;
    const urls: Record<string, string> = {};
    for (const [name, key] of Object.entries(keys)) {
      urls[name] = await store.signedGetUrl(`bots/${botId}/${key}`, {
        expiresAtMs,
        downloadName: `${botId}-${key.split('/').at(-1) ?? name}`,
      });
    }
    return { urls, expiresAt: new Date(expiresAtMs).toISOString() };
  });
}

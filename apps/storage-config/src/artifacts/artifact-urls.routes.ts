import { artifactUrlsRequest, internalRoutes } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import type { ObjectStore } from '@rapporteur/object-store';
import { addToLog, jsonBody } from '@rapporteur/service-runtime';
import type { Service } from '@rapporteur/service-runtime';
import type { Express } from 'express';

/** Other services request links here that customers may follow for a limited time. */
export function addArtifactUrlRoutes(
  app: Express,
  service: Service,
  { store, artifactUrlTtlMs }: { readonly store: ObjectStore; readonly artifactUrlTtlMs: number },
): void {
  const callers = ['bot-scheduler', 'delivery', 'api-gateway'];
  app.post(
    internalRoutes.artifactUrls,
    service.auth.require(callers),
    jsonBody({ limitBytes: 100_000 }),
    async (request, response) => {
      const body = artifactUrlsRequest.safeParse(request.body);
      if (!body.success) throw fail('VALIDATION', { details: body.error.message });
      const { botId, keys } = body.data;
      addToLog(request, { botId });
      const expiresAtMs = service.clock.now() + artifactUrlTtlMs;
      const urls: Record<string, string> = {};
      for (const [name, key] of Object.entries(keys)) {
        urls[name] = await store.signedGetUrl(`bots/${botId}/${key}`, {
          expiresAtMs,
          downloadName: `${botId}-${key.split('/').at(-1) ?? name}`,
        });
      }
      response.json({ urls, expiresAt: new Date(expiresAtMs).toISOString() });
    },
  );
}

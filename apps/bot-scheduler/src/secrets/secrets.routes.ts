import { Router } from 'express';
import { botSecretRequest, internalRoutes } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import type { SecretBox } from '@rapporteur/secret-box';
import { addToLog, callerOf, jsonBody, readInput } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { readSecret } from './bot-secrets.store.ts';
import { isRetrySecretField, isTranscriptionKeyField } from './split-secrets.ts';
import type { SecretField } from './split-secrets.ts';

/** The secrets that delivery sends; it can read no others, except those of retried callbacks. */
const deliverable: ReadonlySet<string> = new Set<SecretField>(['callback_secret', 'legacy_api_key']);

/**
 * `POST internalRoutes.botSecrets`, for delivery at sending time and for the transcriber: 200 {secret}, null when there
 * is none.
 */
export function secretRoutes(
  auth: InternalAuth,
  dependencies: { readonly database: Executor; readonly box: SecretBox },
): Router {
  const router = Router();
  const readJson = jsonBody({ limitBytes: 4_096 });
  router.post(
    internalRoutes.botSecrets,
    auth.require(['delivery', 'transcriber']),
    readJson,
    async (request, response) => {
      const { botId, teamId, field } = readInput(botSecretRequest, request.body);
      addToLog(request, { teamId, botId, field });
      const isAllowed =
        callerOf(request).service === 'transcriber'
          ? isTranscriptionKeyField(field)
          : deliverable.has(field) || isRetrySecretField(field);
      const secret = isAllowed ? await readSecret(dependencies, { teamId, botId }, field) : null;
      response.json({ secret });
    },
  );
  return router;
}

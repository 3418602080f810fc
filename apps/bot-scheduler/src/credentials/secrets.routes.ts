import type { Router } from 'express';
import { internalCalls } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import type { SecretBox } from '@rapporteur/secret-box';
import { addToLog, callerOf, serveCall } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { readSecret } from './bot-secrets.store.ts';
import { isRetrySecretField, isTranscriptionKeyField } from './split-secrets.ts';
import type { SecretField } from './split-secrets.ts';

/** The secrets that delivery sends; it can read no others, except those of retried callbacks. */
const deliverable: ReadonlySet<string> = new Set<SecretField>(['callback_secret', 'legacy_api_key']);

/** `internalCalls.bots.secret`, for delivery at sending time and for the transcriber. */
export function secretRoutes(
  auth: InternalAuth,
  dependencies: { readonly database: Executor; readonly box: SecretBox },
): Router {
  return serveCall(auth, internalCalls.bots.secret, async ({ botId, teamId, field }, request) => {
    addToLog(request, { field });
    const isAllowed =
      callerOf(request).service === 'transcriber'
        ? isTranscriptionKeyField(field)
        : deliverable.has(field) || isRetrySecretField(field);
    return { secret: isAllowed ? await readSecret(dependencies, { teamId, botId }, field) : null };
  });
}

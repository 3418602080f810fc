import { raw, Router } from 'express';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { addToLog } from '@rapporteur/service-runtime';
import { createBatchProvider, isBatchProvider, parseBoundedJson } from '@rapporteur/speech-to-text';
import type { Transcript } from '@rapporteur/speech-to-text';
import { findPartByReference, saveDelivered, makeJobDue } from '../jobs/jobs.store.ts';
import { callbackPath } from '../jobs/callback-address.ts';
import type { CallbackAddresses } from '../jobs/callback-address.ts';

export interface WebhookDependencies {
  readonly database: Database;
  readonly addresses: CallbackAddresses;
  /** Called after a job was made due. */
  readonly onDue: () => void;
}

const largestBody = '64mb';
const uuid = /^[0-9a-f-]{36}$/;

/**
 * `POST /webhooks/{reference}/{token}`: a provider reports the end of a job. 404 for addresses that this service did
 * not create. The body is used only where the provider delivers the transcript this way; else the job is read from the
 * provider.
 */
export function webhookRoutes({ database, addresses, onDue }: WebhookDependencies): Router {
  const router = Router();
  const path = `${callbackPath}/:reference/:token`;
  router.post(path, (request, _response, next) => {
    const { reference, token } = request.params;
    next(uuid.test(reference) && addresses.isGenuine(reference, token) ? undefined : fail('NOT_FOUND'));
  });
  router.post(path, raw({ type: () => true, limit: largestBody }), async (request, response) => {
    const { reference } = request.params as { reference: string };
    const part = await findPartByReference(database, reference);
    if (part !== null) {
      addToLog(request, { jobId: part.job_id, provider: part.provider });
      const transcript = deliveredTranscript(part.provider, request.body as Buffer);
      if (transcript !== null) await saveDelivered(database, part, JSON.stringify(transcript));
      await makeJobDue(database, part.job_id);
      onDue();
    }
    response.json({ success: true });
  });
  return router;
}

const noConnection = { request: () => Promise.reject(new Error('A callback needs no request.')) };

function deliveredTranscript(name: string, body: Buffer): Transcript | null {
  if (!isBatchProvider(name)) return null;
  const provider = createBatchProvider(name, { http: noConnection, baseUrl: '', apiKey: null, customParams: {} });
  try {
    return provider.readCallback(parseBoundedJson(body));
  } catch {
    // An unreadable body is ignored; the job is submitted again when no transcript arrives.
    return null;
  }
}

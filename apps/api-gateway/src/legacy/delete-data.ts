import { z } from 'zod';
import type { LegacyOperations } from '@rapporteur/contracts/legacy-api';
import { dataOf } from './request-scheduler.ts';
import type { RequestScheduler } from './request-scheduler.ts';

type Outcome = LegacyOperations['deleteData']['responses'][200]['content']['application/json'];

const link = z.string().nullable();
const details = z.object({
  artifacts_deleted: z.boolean(),
  data_deletion: z.unknown().nullable(),
  video: link,
  audio: link,
  transcription: link,
  raw_transcription: link,
  diarization: link,
  chat_messages: link,
});

const deleted = z.object({ data_deletion: z.unknown().nullable() });
const frames = z.object({ data: z.array(z.unknown()) });

/**
 * Deletes a bot's data and reports what existed. The deletion is requested in every case, so that leftovers of an
 * earlier one are removed too; only the response depends on what was found.
 */
export async function deleteData(sendRequest: RequestScheduler, botId: string): Promise<Outcome> {
  const status = await foretell(sendRequest, botId);
  const response = await sendRequest({
    method: 'DELETE',
    path: `/v2/bots/${botId}/delete-data?delete_from_provider=false`,
  });
  const isConfirmed = dataOf(deleted, response).data_deletion === null;
  return { ok: true, status: isConfirmed ? status : 'partiallyDeleted' };
}

async function foretell(sendRequest: RequestScheduler, botId: string): Promise<Outcome['status']> {
  const found = await sendRequest({ method: 'GET', path: `/v2/bots/${botId}` });
  const { artifacts_deleted: isDeleted, data_deletion: pending, ...links } = dataOf(details, found);
  if (isDeleted) return 'alreadyDeleted';
  if (pending !== null) return 'deleted';
  if (Object.values(links).some((url) => url !== null)) return 'deleted';
  const seen = frames.parse(await sendRequest({ method: 'GET', path: `/v2/bots/${botId}/screenshots?limit=1` }));
  return seen.data.length > 0 ? 'deleted' : 'noDataFound';
}

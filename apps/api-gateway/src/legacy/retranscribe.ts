import type { LegacyComponents } from '@rapporteur/contracts/legacy-api';
import type { SchedulerCall } from './request-scheduler.ts';
import type { LegacySettings } from './join-request.ts';
import { speechToTextOf } from './speech-to-text.ts';

/** `legacy` is set only when the request names its own webhook address. */
export function translateRetranscribe(
  { bot_uuid, speech_to_text, webhook_url }: LegacyComponents['schemas']['RetranscribeRequest'],
  apiKey: string,
): SchedulerCall {
  const legacy: Pick<LegacySettings, 'webhook_url' | 'api_key'> = { webhook_url, api_key: apiKey };
  return {
    method: 'POST',
    path: `/v2/bots/${bot_uuid}/retranscribe`,
    body: {
      transcription: speech_to_text === null ? null : speechToTextOf(speech_to_text),
      ...(webhook_url === null ? {} : { legacy }),
    },
  };
}

import { numberedMeeting } from '@rapporteur/api-fuzz';
import type { Sender } from '@rapporteur/api-fuzz';

/** One kind of request to POST /v2/bots, and the status of its success. */
export interface Load {
  readonly name: string;
  readonly key: string;
  readonly status: number;
  readonly body: (number: number) => Record<string, unknown>;
}

const atOnce = 4;

/** A body of the usual size: customers' common settings, the rest as defaults. */
export function usualBody(number: number): Record<string, unknown> {
  return {
    bot_name: 'Rapporteur',
    meeting_url: numberedMeeting(number),
    recording_mode: 'speaker_view',
    entry_message: 'This meeting is being recorded.',
    timeout_config: { waiting_room_timeout: 900, no_one_joined_timeout: 600 },
    extra: { customer_id: `c-${number}`, region: 'eu', seats: 12 },
  };
}

let sent = 0;

/**
 * Sends so many requests, four concurrently. Throws on any other status than the expected one: its cost would be
 * meaningless.
 */
export async function sendAll(sender: Sender, load: Load, count: number): Promise<void> {
  let left = count;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      sent += 1;
      const response = await sender.send({
        method: 'POST',
        target: '/v2/bots',
        headers: { 'content-type': 'application/json', 'x-service-api-key': load.key },
        body: Buffer.from(JSON.stringify(load.body(sent))),
      });
      if (response.status !== load.status)
        throw new Error(
          `${load.name} was answered ${response.status} in place of ${load.status}: ${response.text.slice(0, 300)}`,
        );
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

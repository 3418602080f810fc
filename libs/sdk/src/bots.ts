import type { Caller } from './call.ts';
import type { Lists, Operations } from './generated/operations.ts';
import type { All, CallOptions, Input, OperationResponse } from './operation-types.ts';
import { RapporteurError } from './rapporteur-error.ts';

export interface WaitOptions {
  /** Rejects with `SDK_TIMEOUT` after this time. Default: 12 hours. */
  readonly timeoutMs?: number;
  /** Time between two reads of the status. Default: 5 seconds. */
  readonly pollMs?: number;
  readonly signal?: AbortSignal;
}

/** The life of a bot: the operations on bots by short names, and what takes several of them. */
export interface Bots {
  /** Sends a bot to a meeting now. */
  create(body: Input<'createBot'>['body'], options?: CallOptions): Promise<OperationResponse<'createBot'>>;
  /** Sends a bot to a meeting at `join_at`. */
  schedule(body: Input<'scheduleBot'>['body'], options?: CallOptions): Promise<OperationResponse<'scheduleBot'>>;
  /** What would come of `create` now. */
  preflight(body: Input<'preflightBot'>['body'], options?: CallOptions): Promise<OperationResponse<'preflightBot'>>;
  get(botId: string, options?: CallOptions): Promise<OperationResponse<'getBot'>>;
  status(botId: string, options?: CallOptions): Promise<OperationResponse<'getBotStatus'>>;
  /** Every bot that the filters admit, page by page. */
  list(filters?: Input<'listBots'>, options?: CallOptions): All<'listBots'>;
  leave(botId: string, options?: CallOptions): Promise<OperationResponse<'leaveBot'>>;
  pause(botId: string, options?: CallOptions): Promise<OperationResponse<'pauseBotRecording'>>;
  resume(botId: string, options?: CallOptions): Promise<OperationResponse<'resumeBotRecording'>>;
  sendChatMessage(
    botId: string,
    message: string,
    options?: CallOptions,
  ): Promise<OperationResponse<'sendBotChatMessage'>>;
  /** Cancels a bot that is scheduled. */
  cancel(botId: string, options?: CallOptions): Promise<OperationResponse<'deleteScheduledBot'>>;
  retranscribe(botId: string, options?: CallOptions): Promise<OperationResponse<'retranscribeBot'>>;
  /** Gives a speaker of the transcript another name; null restores the name in the meeting. */
  renameSpeaker(
    botId: string,
    rename: Input<'renameSpeaker'>['body'],
    options?: CallOptions,
  ): Promise<OperationResponse<'renameSpeaker'>>;
  deleteData(botId: string, options?: CallOptions): Promise<OperationResponse<'deleteBotData'>>;
  /** Waits until the bot is completed or failed, and returns its details. */
  waitUntilDone(botId: string, options?: WaitOptions): Promise<OperationResponse<'getBot'>>;
  /** What was said. Without a transcript it throws FST_ERR_BOT_STATUS, whose message states why there is none. */
  transcript(botId: string, options?: CallOptions): Promise<OperationResponse<'getBotTranscript'>>;
  /** The same as text, a line per utterance, or as subtitles. */
  transcriptText(botId: string, format: 'text' | 'vtt' | 'srt', options?: CallOptions): Promise<string>;
}

const longestWaitMs = 12 * 3_600_000;
const usualPollMs = 5_000;

export function botsOf(caller: Caller, client: Operations & { readonly all: Lists }): Bots {
  return {
    create: (body, options) => client.createBot({ body }, options),
    schedule: (body, options) => client.scheduleBot({ body }, options),
    preflight: (body, options) => client.preflightBot({ body }, options),
    get: (bot_id, options) => client.getBot({ bot_id }, options),
    status: (bot_id, options) => client.getBotStatus({ bot_id }, options),
    list: (filters, options) => client.all.listBots(filters, options),
    leave: (bot_id, options) => client.leaveBot({ bot_id }, options),
    pause: (bot_id, options) => client.pauseBotRecording({ bot_id }, options),
    resume: (bot_id, options) => client.resumeBotRecording({ bot_id }, options),
    sendChatMessage: (bot_id, message, options) => client.sendBotChatMessage({ bot_id, body: { message } }, options),
    cancel: (bot_id, options) => client.deleteScheduledBot({ bot_id }, options),
    retranscribe: (bot_id, options) => client.retranscribeBot({ bot_id }, options),
    renameSpeaker: (bot_id, body, options) => client.renameSpeaker({ bot_id, body }, options),
    deleteData: (bot_id, options) => client.deleteBotData({ bot_id }, options),
    waitUntilDone: (botId, options) => waitUntilDone(caller, client, botId, options ?? {}),
    transcript: (bot_id, options) => client.getBotTranscript({ bot_id }, options),
    // The contract's type is of JSON alone.
    transcriptText: async (bot_id, format, options) =>
      (await client.getBotTranscript({ bot_id, format }, options)) as unknown as string,
  };
}

async function waitUntilDone(
  { surroundings: { now, pause } }: Caller,
  client: Operations,
  bot_id: string,
  { timeoutMs = longestWaitMs, pollMs = usualPollMs, signal }: WaitOptions,
): Promise<OperationResponse<'getBot'>> {
  const deadline = now() + timeoutMs;
  const options = signal === undefined ? {} : { signal };
  for (;;) {
    const { status } = await client.getBotStatus({ bot_id }, options);
    if (status === 'completed' || status === 'failed') return await client.getBot({ bot_id }, options);
    if (now() + pollMs > deadline)
      throw new RapporteurError(`The bot did not end within ${timeoutMs} ms; its status is ${status}.`, {
        code: 'SDK_TIMEOUT',
      });
    await pause(pollMs, signal ?? new AbortController().signal).catch((cause: unknown) => {
      throw new RapporteurError('The wait was aborted by its signal.', { code: 'SDK_ABORTED', cause });
    });
  }
}

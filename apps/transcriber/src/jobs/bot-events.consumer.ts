import { botDataDeleted, botProviderDeletionRequested, transcriptionRequested } from '@rapporteur/contracts';
import { stopTogether } from '@rapporteur/event-bus';
import type { Bus, Inbox } from '@rapporteur/event-bus';
import { forgetTranscript } from '../search/words.store.ts';
import { forgetBotJobs, insertJob, reopenRemovals } from './jobs.store.ts';

export interface BotEventsDependencies {
  readonly bus: Bus;
  readonly inbox: Inbox;
  /** Epoch ms. */
  readonly now: () => number;
  readonly jobDeadlineMs: number;
  /** Called after a commit: jobs may be due. */
  readonly onDue: () => void;
}

/** Creates jobs for requested transcriptions, and deletes the content of bots whose data was deleted. */
export async function consumeBotEvents(dependencies: BotEventsDependencies): Promise<{ stop(): Promise<void> }> {
  const { bus, inbox, now, jobDeadlineMs, onDue } = dependencies;
  const consumers = await Promise.all([
    bus.consume({
      consumer: 'transcriber',
      subject: transcriptionRequested.type,
      handle: inbox.handle(
        transcriptionRequested,
        async (transaction, { data }) => {
          const times = { now: new Date(now()), deadlineAt: new Date(now() + jobDeadlineMs) };
          await insertJob(transaction, data, times);
        },
        { after: onDue },
      ),
    }),
    bus.consume({
      consumer: 'transcriber',
      subject: botDataDeleted.type,
      handle: inbox.handle(
        botDataDeleted,
        async (transaction, { data }) => {
          await forgetBotJobs(transaction, data.botId);
          await forgetTranscript(transaction, data.botId);
        },
        { after: onDue },
      ),
    }),
    bus.consume({
      consumer: 'transcriber',
      subject: botProviderDeletionRequested.type,
      handle: inbox.handle(
        botProviderDeletionRequested,
        (transaction, { data }) => reopenRemovals(transaction, data.botId),
        { after: onDue },
      ),
    }),
  ]);
  return stopTogether(consumers);
}

import { transcriptionEnded, transcriptionStarted } from '@rapporteur/contracts';
import { stopTogether } from '@rapporteur/event-bus';
import type { Bus, Inbox } from '@rapporteur/event-bus';
import { applyTranscriptionEnd, noteTranscriptionStarted } from './apply-transcription.ts';
import type { Context } from '../schema/context.ts';

export interface TranscriptDependencies extends Pick<Context, 'events' | 'now'> {
  readonly bus: Pick<Bus, 'consume'>;
  readonly inbox: Inbox;
}

/** Applies the reports of the transcriber. */
export async function consumeTranscripts(dependencies: TranscriptDependencies): Promise<{ stop(): Promise<void> }> {
  const { bus, inbox, events, now } = dependencies;
  const consumers = await Promise.all([
    bus.consume({
      consumer: 'bot-scheduler',
      subject: transcriptionStarted.type,
      handle: inbox.handle(transcriptionStarted, (transaction, { data }) =>
        noteTranscriptionStarted(transaction, data),
      ),
    }),
    bus.consume({
      consumer: 'bot-scheduler',
      subject: transcriptionEnded.type,
      handle: inbox.handle(
        transcriptionEnded,
        (transaction, { data }) => applyTranscriptionEnd({ transaction, events, at: new Date(now()) }, data),
        { after: () => events.notify() },
      ),
    }),
  ]);
  return stopTogether(consumers);
}

import { botDataDeleted, botProviderDeletionRequested, transcriptionRequested } from '@rapporteur/contracts';
import type { Artifact } from '@rapporteur/contracts';
import { stopTogether } from '@rapporteur/event-bus';
import type { Bus, Inbox } from '@rapporteur/event-bus';
import type { TranscriptionRequest } from '../schema/entities.ts';
import { forgetTranscript } from '../search/words.store.ts';
import { forgetBotJobs, insertJob, reopenRemovals } from './jobs.store.ts';
import type { NewPart } from './jobs.store.ts';

export interface RequestDependencies {
  readonly bus: Bus;
  readonly inbox: Inbox;
  /** Epoch ms. */
  readonly now: () => number;
  readonly jobDeadlineMs: number;
  /** Called after a commit: jobs may be due. */
  readonly onDue: () => void;
}

/** Turns requests of bot-scheduler into jobs, and deletes the content of bots whose data was deleted. */
export async function consumeRequests(dependencies: RequestDependencies): Promise<{ stop(): Promise<void> }> {
  const { bus, inbox, now, jobDeadlineMs, onDue } = dependencies;
  const consumers = await Promise.all([
    bus.consume({
      consumer: 'transcriber',
      subject: transcriptionRequested.type,
      handle: inbox.handle(
        transcriptionRequested,
        async (transaction, { data }) => {
          const times = { now: new Date(now()), deadlineAt: new Date(now() + jobDeadlineMs) };
          await insertJob(transaction, data, partsOf(data), times);
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

/**
 * The audio of each participant who spoke, where the platform separates it; else the audio of the whole meeting. The
 * meeting's own captions are one file; without them there is no part.
 */
export function partsOf({ artifacts, choice }: Pick<TranscriptionRequest, 'artifacts' | 'choice'>): NewPart[] {
  if (choice.provider === 'meeting_captions') {
    return artifacts.filter(({ kind }) => kind === 'captions').map((captions) => partOf(captions, null));
  }
  const own = artifacts.flatMap((artifact) => {
    const { participant } = artifact;
    if (artifact.kind !== 'participant_audio' || participant === undefined || participant.speechSeconds === 0)
      return [];
    return [partOf(artifact, { id: participant.id, name: participant.name })];
  });
  if (own.length > 0) return own;
  const mixed = mixedAudioOf(artifacts);
  return mixed === undefined ? [] : [partOf(mixed, null)];
}

/** The smaller file, if it exists. */
function mixedAudioOf(artifacts: readonly Artifact[]): Artifact | undefined {
  const kinds = ['audio_m4a', 'audio'] as const;
  return kinds.map((kind) => artifacts.find((artifact) => artifact.kind === kind)).find((found) => found !== undefined);
}

function partOf({ key, contentType }: Artifact, participant: NewPart['participant']): NewPart {
  return { audioKey: key, contentType, participant };
}

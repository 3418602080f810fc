import { join } from 'node:path';
import type { ArtifactParticipant } from '@rapporteur/contracts';
import { heardSpans, writeParticipantFile } from '@rapporteur/recorder';
import type { ParticipantAudio, RecordedParticipants } from '@rapporteur/recorder';
import type { Logger } from '@rapporteur/service-runtime/process';
import { unknownName } from '../story/participant-list.ts';
import type { ParticipantList } from '../story/participant-list.ts';
import type { ArtifactFile } from './artifact-file.ts';

export interface ParticipantFilesOptions {
  readonly recordedParticipants: RecordedParticipants;
  readonly participants: ParticipantList;
  /** The files are left here. */
  readonly folder: string;
  readonly logger: Logger;
}

/** Limit of files in one report to the storage service, less the other artifacts. */
const filesMost = 80;
/** Written at once. */
const writersMost = 4;

interface Heard {
  readonly participant: ArtifactParticipant;
  readonly audioRuns: readonly ParticipantAudio[];
}

/** A file for each participant with speech on a track of their own. A file that can't be written is left out. */
export async function participantFiles(options: ParticipantFilesOptions): Promise<ArtifactFile[]> {
  const { folder, logger, recordedParticipants } = options;
  const heard = heardParticipants(options);
  if (heard.length > filesMost)
    logger.warn({ heard: heard.length, filesMost }, 'Only those who spoke most get a file of their own.');
  const waiting = heard.slice(0, filesMost).map((one, index) => ({ ...one, name: fileName(one.participant, index) }));
  const files: ArtifactFile[] = [];
  const write = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { participant, audioRuns, name } = next;
      const file = join(folder, name);
      try {
        await writeParticipantFile({ path: file, audioRuns, recording: recordedParticipants });
        const key = `artifacts/${name}`;
        files.push({ kind: 'participant_audio', content: { file }, key, contentType: 'audio/ogg', participant });
      } catch (error) {
        logger.warn({ err: error, participant: participant.id }, 'A participant’s own audio could not be written.');
      }
    }
  };
  await Promise.all(Array.from({ length: writersMost }, write));
  return files.toSorted((one, other) => (one.participant?.id ?? Infinity) - (other.participant?.id ?? Infinity));
}

/** Ordered by speech time, longest first. A participant who is on no list has an entry of their own. */
function heardParticipants({ recordedParticipants, participants }: ParticipantFilesOptions): Heard[] {
  const byParticipant = new Map<string, { id: number | null; audioRuns: ParticipantAudio[] }>();
  for (const audio of recordedParticipants.heard) {
    const id = participants.idOf(audio.participantId);
    const place = id === null ? `speaker ${audio.participantId}` : `participant ${id}`;
    const known = byParticipant.get(place);
    if (known) known.audioRuns.push(audio);
    else byParticipant.set(place, { id, audioRuns: [audio] });
  }
  return [...byParticipant.values()]
    .map(({ id, audioRuns }) => {
      const spokenMs = heardSpans(audioRuns).reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
      const name = nameOf(audioRuns, participants);
      return { participant: { id, name, speechSeconds: spokenMs / 1_000 }, audioRuns };
    })
    .toSorted((one, other) => other.participant.speechSeconds - one.participant.speechSeconds);
}

function nameOf(audioRuns: readonly ParticipantAudio[], participants: ParticipantList): string {
  const names = audioRuns.map(
    ({ participantId, participantName }) => participants.nameOf(participantId) ?? participantName,
  );
  return names.findLast((name) => name !== null) ?? unknownName;
}

function fileName({ id }: ArtifactParticipant, index: number): string {
  return id === null ? `participant-unlisted-${index + 1}.ogg` : `participant-${id}.ogg`;
}

import { join } from 'node:path';
import type { ArtifactParticipant } from '@rapporteur/contracts';
import { heardSpans, writePersonFile } from '@rapporteur/recorder';
import type { PersonSound, RecordedPersons } from '@rapporteur/recorder';
import type { Logger } from '@rapporteur/service-runtime/process';
import { unknownName } from '../story/people-list.ts';
import type { PeopleList } from '../story/people-list.ts';
import type { ArtifactFile } from './build-artifacts.ts';

export interface ParticipantFilesOptions {
  readonly persons: RecordedPersons;
  readonly people: PeopleList;
  /** The files are left here. */
  readonly folder: string;
  readonly logger: Logger;
}

/** What one report to the storage service can name, less the other files. */
const filesMost = 80;
/** Written at once. */
const writersMost = 4;

interface Heard {
  readonly participant: ArtifactParticipant;
  readonly sounds: readonly PersonSound[];
}

/** A file for each participant who was heard on tracks of people's own. One that can't be written is left out. */
export async function participantFiles(options: ParticipantFilesOptions): Promise<ArtifactFile[]> {
  const { folder, logger, persons } = options;
  const heard = heardParticipants(options);
  if (heard.length > filesMost)
    logger.warn({ heard: heard.length, filesMost }, 'Only those who spoke most get a file of their own.');
  const waiting = heard.slice(0, filesMost).map((one, index) => ({ ...one, name: fileName(one.participant, index) }));
  const files: ArtifactFile[] = [];
  const write = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { participant, sounds, name } = next;
      const file = join(folder, name);
      try {
        await writePersonFile({ path: file, sounds, recording: persons });
        const key = `artifacts/${name}`;
        files.push({ kind: 'participant_audio', content: { file }, key, contentType: 'audio/ogg', participant });
      } catch (error) {
        logger.warn({ err: error, participant: participant.id }, 'A participant’s own sound could not be written.');
      }
    }
  };
  await Promise.all(Array.from({ length: writersMost }, write));
  return files.toSorted((one, other) => (one.participant?.id ?? Infinity) - (other.participant?.id ?? Infinity));
}

/** Whoever spoke most comes first. Who is on no list stands for themselves. */
function heardParticipants({ persons, people }: ParticipantFilesOptions): Heard[] {
  const byParticipant = new Map<string, { id: number | null; sounds: PersonSound[] }>();
  for (const sound of persons.heard) {
    const id = people.idOf(sound.personId);
    const place = id === null ? `person ${sound.personId}` : `participant ${id}`;
    const known = byParticipant.get(place);
    if (known) known.sounds.push(sound);
    else byParticipant.set(place, { id, sounds: [sound] });
  }
  return [...byParticipant.values()]
    .map(({ id, sounds }) => {
      const spokenMs = heardSpans(sounds).reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
      const name = nameOf(sounds, people);
      return { participant: { id, name, speechSeconds: spokenMs / 1_000 }, sounds };
    })
    .toSorted((one, other) => other.participant.speechSeconds - one.participant.speechSeconds);
}

function nameOf(sounds: readonly PersonSound[], people: PeopleList): string {
  const names = sounds.map(({ personId, personName }) => people.nameOf(personId) ?? personName);
  return names.findLast((name) => name !== null) ?? unknownName;
}

function fileName({ id }: ArtifactParticipant, index: number): string {
  return id === null ? `participant-unlisted-${index + 1}.ogg` : `participant-${id}.ogg`;
}

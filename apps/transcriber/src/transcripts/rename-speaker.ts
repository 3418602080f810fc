import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import type { internalCalls } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { invalid } from '@rapporteur/service-runtime';
import type { z } from 'zod';
import { withNames } from '../artifacts/documents.ts';
import type { TranscriptionDocument } from '../artifacts/documents.ts';
import { filesOf, transcriptionFile, writeFiles } from '../artifacts/store-artifacts.ts';
import { unknownSpeaker } from '../attribution/attribute.ts';
import { readNames } from '../search/words.store.ts';
import { RecordingGone } from '../storage/recording-store.ts';
import type { BotFiles, OpenBotFiles } from '../storage/recording-store.ts';

export interface StoredTranscripts {
  readonly database: Database;
  readonly openBotFiles: OpenBotFiles;
}

export interface BotPlace {
  readonly botId: string;
  readonly teamId: string;
}

/** Reads or writes files of the bot's newest transcript; null: there is none, or it was deleted. */
export async function withTranscript<T>(
  { database, openBotFiles }: StoredTranscripts,
  { botId, teamId }: BotPlace,
  { work, limitMs }: { readonly work: (files: BotFiles, jobId: string) => Promise<T>; readonly limitMs: number },
): Promise<T | null> {
  const [job] = await database.query<{ id: string; fencing: number }>(
    `select id, (request->>'fencing')::int as fencing from transcription_jobs
     where bot_id = $1 and team_id = $2 and outcome = 'completed' order by created_at desc limit 1`,
    [botId, teamId],
  );
  if (job === undefined) return null;
  try {
    const files = await openBotFiles({ botId, teamId, fencing: job.fencing }, AbortSignal.timeout(limitMs));
    return await work(files, job.id);
  } catch (error) {
    if (error instanceof RecordingGone) return null;
    throw error;
  }
}

/** Some 16 hours of speech with the times of its words. */
const mostTextBytes = 16 * 1_048_576;

/** A file of a transcript. Throws BOT_STATUS for one that is too large to be held in memory. */
export async function readTranscriptFile(
  files: BotFiles,
  jobId: string,
  kind: 'transcription' | 'transcription_vtt' | 'transcription_srt',
): Promise<string> {
  const { byteLength, stream } = await files.open(transcriptionFile(jobId, kind));
  if (byteLength <= mostTextBytes) return await text(stream);
  stream.destroy();
  throw fail('BOT_STATUS', {
    message: `The transcript is larger than 16 MiB. Read its file by the link ${kind} of the bot's details.`,
  });
}

type Call = (typeof internalCalls)['transcripts']['renameSpeaker'];

/** The longest list of names that an error states. */
const mostStated = 20;
/** Others rename speakers of the same transcript meanwhile. */
const mostWrites = 5;
const writeMs = 12_000;

/** Stores the name, and writes the files anew. Throws VALIDATION for a speaker that the transcript does not have. */
export async function renameSpeaker(
  stored: StoredTranscripts,
  request: z.output<Call['body']>,
): Promise<z.output<Call['reply']>> {
  const document = await withTranscript(stored, request, { work: readDocument, limitMs: writeMs });
  if (document === null) return { isTranscribed: false, participant: null };
  const { speaker, speakerId, isVoice } = findSpeaker(document, request);
  const name = request.name?.replaceAll(/\s+/g, ' ').trim() ?? null;
  if (name === '') throw invalid('name', 'It needs a visible character. Send null for the name in the meeting.');
  await stored.database.transaction(async (transaction) => {
    const names = await readNames(transaction, request.botId, 'for update');
    const others = names.filter((one) => one.speaker !== speaker || one.speakerId !== speakerId);
    const provider = isVoice ? document.provider : null;
    const own = name === null || name === speaker ? [] : [{ speaker, speakerId, name, provider }];
    await transaction.query('update transcript_words set names = $2::jsonb where bot_id = $1', [
      request.botId,
      JSON.stringify([...others, ...own]),
    ]);
  });
  await writeNames(stored, request);
  return { isTranscribed: true, participant: isVoice ? null : { id: speakerId, name: speaker } };
}

const readDocument = async (files: BotFiles, jobId: string): Promise<TranscriptionDocument> =>
  JSON.parse(await readTranscriptFile(files, jobId, 'transcription')) as TranscriptionDocument;

function findSpeaker({ result }: TranscriptionDocument, request: z.output<Call['body']>) {
  const speakers = new Map(
    result.utterances.map((one) => {
      const { speaker_id: speakerId, speaker_voice: voice } = one;
      const speaker = one.original_speaker ?? one.speaker;
      const isVoice = voice !== undefined || speaker === unknownSpeaker;
      return [JSON.stringify([speaker, speakerId]), { speaker, speakerId, isVoice }];
    }),
  );
  const named = [...speakers.values()].filter(({ speaker }) => speaker === request.speaker);
  const stated = [...new Set([...speakers.values()].map(({ speaker }) => speaker))].slice(0, mostStated).join('; ');
  if (named.length === 0) throw invalid('speaker', `The transcript has no speaker of this name. It has: ${stated}`);
  const found = named.filter(({ speakerId }) => request.speakerId === undefined || speakerId === request.speakerId);
  if (found.length === 1) return found[0]!;
  const ids = named.map(({ speakerId }) => String(speakerId)).join(', ');
  throw invalid('speaker_id', `The speakers of this name have the ids ${ids}. State one of them.`);
}

/** Writes the present names into the files of the newest transcript. */
async function writeNames(stored: StoredTranscripts, bot: BotPlace): Promise<void> {
  for (let written = 0; written < mostWrites; written += 1) {
    const names = await readNames(stored.database, bot.botId);
    const work = async (files: BotFiles, jobId: string) =>
      await writeFiles(files, jobId, filesOf(withNames(await readDocument(files, jobId), names)));
    await withTranscript(stored, bot, { work, limitMs: writeMs });
    if (isDeepStrictEqual(await readNames(stored.database, bot.botId), names)) return;
  }
  throw fail('UNAVAILABLE', { message: 'Other speakers of this transcript are being renamed. Try again.' });
}

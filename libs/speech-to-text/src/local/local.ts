import type { BatchProvider, ProviderAccess, SpeechAudio } from '../batch-provider.ts';
import { utterancesOf } from '../transcript.ts';
import type { Transcript } from '../transcript.ts';
import { findWindows, sampleRateHz } from './find-windows.ts';
import { defaultPrograms, recognize, runProgram } from './recognize.ts';
import type { LocalPrograms } from './recognize.ts';

const language = 'en';
const decodeMs = 600_000;

/** The trial engine: Debian's pocketsphinx with its English model, on this machine. */
export function createLocal(
  { signal }: Pick<ProviderAccess, 'signal'> = {},
  programs: LocalPrograms = defaultPrograms,
): BatchProvider {
  return {
    findsJobs: false,
    upload: async () => null,
    submit: async ({ audio }) => ({
      kind: 'transcript',
      jobId: null,
      transcript: await transcribe(audio, programs, signal),
    }),
    find: async () => null,
    read: async () => ({ kind: 'processing' }),
    readCallback: () => null,
    remove: async () => undefined,
  };
}

async function transcribe(audio: SpeechAudio, programs: LocalPrograms, signal?: AbortSignal): Promise<Transcript> {
  const pcm = await runProgram({
    program: programs.ffmpeg,
    arguments: ['-v', 'error', '-i', 'pipe:0', '-vn', '-f', 's16le', '-ac', '1', '-ar', String(sampleRateHz), 'pipe:1'],
    input: audio.bytes,
    deadlineMs: decodeMs,
    ...(signal === undefined ? {} : { signal }),
  });
  const durationMs = Math.round((pcm.byteLength * 1_000) / (sampleRateHz * 2));
  const words = await recognize(pcm, findWindows(pcm), programs, signal);
  const utterances = utterancesOf(words.map((word) => ({ ...word, speaker: null, language, channel: 0 })));
  const raw = { engine: 'pocketsphinx', words };
  return { durationMs, billedMs: null, languages: words.length === 0 ? [] : [language], utterances, raw };
}

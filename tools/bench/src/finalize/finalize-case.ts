// Finalizes one recording in a process of its own, so that its memory can be measured. Parameter: CaseInput as JSON;
// prints CaseResult.
import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { finalizeRecording, startIncrementalArtifacts, readSpans } from '@rapporteur/recorder';
import type { ArtifactName, ByteSpan, IncrementalArtifact, RecordingAttempt } from '@rapporteur/recorder';
import { openDiskStore, openS3Store } from '@rapporteur/object-store';
import type { MultipartPart, ObjectStore } from '@rapporteur/object-store';
import { createReadStream } from 'node:fs';
import type { CaseInput, CaseResult } from './finalize.ts';

const input = JSON.parse(process.argv[2] ?? '{}') as CaseInput;
const stored = JSON.parse(readFileSync(input.attemptFile, 'utf8')) as RecordingAttempt;
const audioFragmentPath = (index: number): string => join(input.fragmentsFolder, `${index}.audio`);
const attempt: RecordingAttempt = { ...stored, audioFragmentPath };
const store: ObjectStore =
  input.store.driver === 'disk' ? await openDiskStore(input.store.options) : openS3Store(input.store.options);
const workFolder = join(input.folder, 'artifacts');
const types = { video: 'video/mp4', audio: 'audio/flac', audio_m4a: 'audio/mp4' } as const;
const result = input.variant === 'in-call' ? await growDuringMeeting() : await makeAfterIt();
await store.close();
const { maxRSS } = process.resourceUsage();
process.stdout.write(JSON.stringify({ ...result, peakMib: maxRSS / 1024 } satisfies CaseResult));

/** Parts are uploaded while fragments arrive; the time counts from the arrival of the last fragment. */
async function growDuringMeeting(): Promise<Omit<CaseResult, 'peakMib'>> {
  const uploads = { video: upload('video'), audio: upload('audio'), audio_m4a: upload('audio_m4a') };
  const uploaded = () => Promise.all(Object.values(uploads).map((one) => one.idle()));
  const multipart = startIncrementalArtifacts({
    init: attempt.init,
    mode: 'speaker_view',
    workFolder,
    ffmpegPath: 'ffmpeg',
    audioFragmentPath,
    logger: console,
    onPart: (name, number, spans) => uploads[name].add(number, spans),
  });
  const { fragments } = attempt;
  for (const fragment of fragments.slice(0, -1)) {
    multipart.add(fragment);
    if (fragment.sequence % 20 === 0) await Promise.all([multipart.idle(), uploaded()]);
  }
  await Promise.all([multipart.idle(), uploaded()]);
  const last = fragments.at(-1);
  const startedAt = performance.now();
  if (last) multipart.add(last);
  const incremental = await multipart.finish({ attempts: [attempt] });
  const builtMs = performance.now() - startedAt;
  await Promise.all(incremental.artifacts.map((artifact) => uploads[artifact.name].finish(artifact)));
  const ms = performance.now() - startedAt;
  const { memoryBytes } = multipart;
  await multipart.close();
  const { encodingCpuMs, artifactBytes } = incremental.integrity.resourceUsage;
  return { ms, builtMs, encodingCpuMs, artifactBytes, indexBytes: memoryBytes };
}

async function makeAfterIt(): Promise<Omit<CaseResult, 'peakMib'>> {
  const startedAt = performance.now();
  const done = await finalizeRecording({ attempts: [attempt], workFolder, ffmpegPath: 'ffmpeg', mode: 'speaker_view' });
  const builtMs = performance.now() - startedAt;
  const files = { video: done.video ?? '', audio: done.audio, audio_m4a: done.audioM4a };
  await Promise.all(
    Object.entries(files).map(([name, file]) =>
      store.put(`${input.key}/${name}`, createReadStream(file), { contentType: types[name as ArtifactName] }),
    ),
  );
  const ms = performance.now() - startedAt;
  const { encodingCpuMs, artifactBytes } = done.integrity.resourceUsage;
  return { ms, builtMs, encodingCpuMs, artifactBytes, indexBytes: 0 };
}

function upload(name: ArtifactName) {
  const key = `${input.key}/${name}`;
  let work = Promise.resolve();
  let started: string | null = null;
  const put = async (part: MultipartPart, spans: readonly ByteSpan[]): Promise<void> => {
    started ??= await store.createMultipart(key, { contentType: types[name] });
    const chunks: Buffer[] = [];
    for await (const chunk of readSpans(spans)) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const sha256 = createHash('sha256').update(body).digest('hex');
    await store.uploadPart(key, started, part, { body, sha256 });
  };
  return {
    add: (number: number, spans: readonly ByteSpan[]): void => {
      work = work.then(() => put(number, spans));
    },
    idle: () => work,
    finish: async ({ head, parts, tail }: IncrementalArtifact): Promise<void> => {
      await work;
      if (tail.length > 0) await put('tail', tail);
      await put('head', head);
      await store.completeMultipart(key, started ?? '', { parts, tail: tail.length > 0 });
    },
  };
}

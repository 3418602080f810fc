import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '@rapporteur/local-stack';
import { installWhisper } from '@rapporteur/local-stack/whisper';
import type { InstalledWhisper } from '@rapporteur/local-stack/whisper';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import { createBatchProvider, openLiveSession } from '@rapporteur/speech-to-text';
import type { LiveEvent, SpeechAudio, Transcript } from '@rapporteur/speech-to-text';
import { waitFor } from '@rapporteur/testbed';

const root = join(import.meta.dirname, '../../..');
const said = 'The release of the new server is ready. Our customers in Germany want to test it first.';
const timeoutMs = 120_000;
let folder: string;
let installed: InstalledWhisper;
let server: ChildProcess;
let baseUrl: string;
const http = createOutboundHttp({ allow: ['loopback'], requireHttps: false });

function startServer(port: number, settings: Readonly<Record<string, string>> = {}): ChildProcess {
  const environment = {
    PATH: process.env['PATH'] ?? '',
    PYTHONPATH: installed.sourceFolder,
    PYTHONDONTWRITEBYTECODE: '1',
    RAPPORTEUR_PORT: String(port),
    RAPPORTEUR_MODEL_FOLDER: installed.modelFolder,
    RAPPORTEUR_MAX_QUEUE: '3',
    ...settings,
  };
  return spawn(installed.python, ['-m', 'whisper_server'], { env: environment, stdio: ['ignore', 'inherit', 'pipe'] });
}

/** One sample a second, of one byte. */
function wavOfOneHertz(samples: number): Buffer {
  const head = Buffer.from(
    'RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x01\0\0\0\x01\0\0\0\x01\0\x08\0data\0\0\0\0',
    'latin1',
  );
  head.writeUInt32LE(samples + 36, 4);
  head.writeUInt32LE(samples, 40);
  return Buffer.concat([head, Buffer.alloc(samples, 128)]);
}

/** A file of audio that ffmpeg makes of `input`. */
async function audioFile(input: readonly string[], name: string): Promise<SpeechAudio & { readonly bytes: Buffer }> {
  const path = join(folder, name);
  const made = spawnSync('ffmpeg', ['-v', 'error', '-y', ...input, path]);
  if (made.status !== 0) throw new Error(String(made.stderr));
  const bytes = await readFile(path);
  const open = async () => ({ byteLength: bytes.byteLength, stream: Readable.from([bytes]) });
  return { bytes, open, contentType: 'audio/flac', fileName: name };
}

const silence = (seconds: number) => ['-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono', '-t', String(seconds)];
const speech = () => ['-i', join(folder, 'speech.wav')];

async function transcribe(audio: SpeechAudio, customParams: Record<string, unknown> = {}): Promise<Transcript> {
  const provider = createBatchProvider('local', { http, baseUrl, apiKey: null, customParams });
  const submitted = await provider.submit({
    reference: crypto.randomUUID(),
    audio,
    upload: null,
    callbackUrl: null,
    speakers: 'several',
  });
  if (submitted.kind !== 'transcript') throw new Error('The server is synchronous.');
  return submitted.transcript;
}

const post = (bytes: Buffer, fields: Record<string, string> = {}): Promise<Response> => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(bytes)]), 'audio');
  return fetch(`${baseUrl}/v1/audio/transcriptions`, { method: 'POST', body: form });
};

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z ]/g, '')
    .split(' ')
    .filter(Boolean);

/** A small model may mistake a word, depending on the processor and on where live audio is cut: at most one is missing, two are added. */
function expectSaid(text: string): void {
  const recognized = wordsOf(text);
  const wanted = wordsOf(said);
  const most = wanted.map(() => 0);
  for (const word of recognized) {
    let before = 0;
    for (const [index, one] of wanted.entries()) {
      const above = most[index] ?? 0;
      most[index] = one === word ? before + 1 : Math.max(above, most[index - 1] ?? 0);
      before = above;
    }
  }
  const inOrder = most.at(-1) ?? 0;
  expect({ text, isSaid: inOrder >= wanted.length - 1 && recognized.length <= wanted.length + 2 }).toEqual({
    text,
    isSaid: true,
  });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rapporteur-whisper-test-'));
  installed = await installWhisper(root, AbortSignal.timeout(timeoutMs));
  const port = await freePort();
  baseUrl = `http://127.0.0.1:${port}`;
  server = startServer(port);
  const spoken = spawnSync('flite', ['-voice', 'slt', '-t', said, '-o', join(folder, 'speech.wav')]);
  if (spoken.status !== 0) throw new Error('flite could not speak.');
  await waitFor(async () => (await fetch(`${baseUrl}/health/ready`)).ok, {
    what: 'the model to be available',
    timeoutMs: timeoutMs,
  });
}, 2 * timeoutMs);

afterAll(async () => {
  http.close();
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
  await rm(folder, { recursive: true, force: true });
});

describe('the transcription server', () => {
  test('transcribes speech with punctuation and times of words', async () => {
    const { utterances, durationMs, languages } = await transcribe(await audioFile(speech(), 'speech.flac'));
    expectSaid(utterances.map(({ text }) => text).join(' '));
    expect(utterances.map(({ text }) => text).join(' ')).toMatch(/^The .* Germany .*\.$/);
    expect(languages).toEqual(['en']);
    const words = utterances.flatMap((utterance) => utterance.words);
    for (const [index, { startMs, endMs, confidence }] of words.entries()) {
      expect(confidence).toBeGreaterThan(0);
      expect(confidence).toBeLessThanOrEqual(1);
      expect(endMs).toBeGreaterThanOrEqual(startMs);
      expect(startMs).toBeGreaterThanOrEqual(words[index - 1]?.startMs ?? 0);
      expect(endMs).toBeLessThanOrEqual(durationMs ?? 0);
    }
  });

  test('places words behind long silence at their time', async () => {
    const delayed = ['-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono:d=90', ...speech()];
    const joined = [...delayed, '-filter_complex', '[0:a][1:a]concat=n=2:v=0:a=1'];
    const { utterances } = await transcribe(await audioFile(joined, 'delayed.flac'));
    expectSaid(utterances.map(({ text }) => text).join(' '));
    expect(utterances[0]?.startMs).toBeGreaterThan(89_500);
    expect(utterances[0]?.startMs).toBeLessThan(91_000);
  });

  test.each([
    ['one sample', () => silence(1 / 16_000)],
    ['four hours of silence', () => silence(14_400)],
  ])('returns an empty transcript for %s', async (name, input) => {
    const { utterances, languages } = await transcribe(await audioFile(input(), `${name}.flac`));
    expect([utterances, languages]).toEqual([[], []]);
  });

  test('mixes eight channels', async () => {
    const eight = [
      ...speech(),
      '-filter_complex',
      `[0:a]pan=8c|${[0, 1, 2, 3, 4, 5, 6, 7].map((n) => `c${n}=c0`).join('|')}`,
    ];
    const { utterances } = await transcribe(await audioFile(eight, 'eight.flac'));
    expectSaid(utterances.map(({ text }) => text).join(' '));
  });

  test.each([
    ['an empty file', Buffer.alloc(0), {}, 'file', 'The file is empty.'],
    ['a broken header', Buffer.from('RIFF....WAVEfmt '), {}, 'file', 'no audio that can be decoded'],
    ['text', Buffer.from('Good morning.'), {}, 'file', 'no audio that can be decoded'],
    ['a playlist', Buffer.from("ffconcat version 1.0\nfile 'x'\n"), {}, 'file', 'no audio that can be decoded'],
    ['hours of samples in little data', wavOfOneHertz(100_000), {}, 'file', 'unpacks to more than'],
    ['a language of another model', Buffer.from('x'), { language: 'de' }, 'language', 'tiny.en'],
    ['an unknown format', Buffer.from('x'), { response_format: 'srt' }, 'response_format', 'verbose_json'],
  ])('refuses %s and names the field', async (_what, bytes, fields, param, words) => {
    const response = await post(bytes, fields);
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { param: string; message: string } };
    expect(error.param).toBe(param);
    expect(error.message).toContain(words);
  });

  test('finishes a short file while a long one runs, and refuses more than it queues', async () => {
    const loops = ['-stream_loop', '40', ...speech()];
    const long = await audioFile(loops, 'long.flac');
    const short = await audioFile(speech(), 'short.flac');
    const ending = new AbortController();
    const key = crypto.randomUUID();
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(long.bytes)]), 'long.flac');
    const running = fetch(`${baseUrl}/v1/audio/transcriptions`, {
      method: 'POST',
      body: form,
      headers: { 'idempotency-key': key },
      signal: ending.signal,
    }).catch((error: unknown) => error);
    const progress = async (): Promise<number> => {
      const response = await fetch(`${baseUrl}/v1/audio/transcriptions/${key}/progress`);
      return ((await response.json()) as { progress: number }).progress;
    };
    await waitFor(async () => (await progress()) > 0, { what: 'the long file to run', timeoutMs: timeoutMs });
    await transcribe(short);
    expect(await progress()).toBeLessThan(1);
    const others = Array.from({ length: 3 }, () => post(long.bytes));
    expect((await Promise.race(others)).status).toBe(429);
    ending.abort();
    await running;
    await waitFor(async () => (await fetch(`${baseUrl}/v1/audio/transcriptions/${key}/progress`)).status === 404, {
      what: 'the abandoned file to be dropped',
      timeoutMs: timeoutMs,
    });
    await restart();
    await Promise.allSettled(others);
  }, 300_000);

  /** Files of other requests would run for minutes. */
  async function restart(): Promise<void> {
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
    server = startServer(Number(new URL(baseUrl).port));
    await waitFor(async () => (await fetch(`${baseUrl}/health/ready`)).ok, {
      what: 'the server',
      timeoutMs: timeoutMs,
    });
  }

  test('transcribes live audio: every final once, and partials under the same key before', async () => {
    const events: LiveEvent[] = [];
    const session = await openLiveSession('local', {
      connections: http,
      baseUrl: baseUrl.replace(/^http/, 'ws'),
      apiKey: null,
      region: null,
      customParams: { language: 'en-US' },
      onEvent: (event) => void events.push(event),
    });
    const raw = await audioFile([...speech(), '-ac', '1', '-ar', '16000', '-f', 's16le'], 'speech.raw');
    // At once: where an utterance is cut does not depend on how fast blocks arrive.
    expect(session.send(raw.bytes)).toBe(true);
    await session.finish(60_000);
    expect(await session.ended).toBeNull();
    const utterances = events.flatMap((event) => (event.kind === 'utterance' ? [event.utterance] : []));
    const finals = utterances.filter(({ isFinal }) => isFinal);
    expectSaid(finals.map(({ text }) => text).join(' '));
    expect(new Set(finals.map(({ key }) => key)).size).toBe(finals.length);
    for (const [index, { key, isFinal }] of utterances.entries()) {
      if (isFinal) expect(utterances.slice(index + 1).some((later) => later.key === key)).toBe(false);
    }
  }, 120_000);

  test.each([
    [{ RAPPORTEUR_PROT: '1' }, 'RAPPORTEUR_PROT is not a setting'],
    [{ RAPPORTEUR_MAX_QUEUE: '0' }, 'RAPPORTEUR_MAX_QUEUE must be a whole number from 1'],
    [{ RAPPORTEUR_MODEL: 'huge' }, 'There is no model "huge"'],
    [{ RAPPORTEUR_MODEL: 'someone/model' }, 'set RAPPORTEUR_MODEL_SHA256'],
  ])('does not start with %j', async (settings, sentence) => {
    const wrong = startServer(0, settings);
    let output = '';
    wrong.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    expect((await once(wrong, 'exit'))[0]).toBe(78);
    expect(output).toContain(sentence);
  });

  test('uses its model from a read-only file system, as that of the image is', () => {
    const program =
      'import sys; from pathlib import Path; from whisper_server.models import *; print(fetch_model(find_model("tiny.en", ""), Path(sys.argv[1])))';
    const shell = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$1" -c "$2" "$0"';
    const args = ['--map-root-user', '--mount', 'sh', '-c', shell, installed.modelFolder, installed.python, program];
    const env = { PATH: process.env['PATH'] ?? '', PYTHONPATH: installed.sourceFolder, PYTHONDONTWRITEBYTECODE: '1' };
    const { status, stdout, stderr } = spawnSync('unshare', args, { env, encoding: 'utf8' });
    expect({ status, stderr, found: stdout.startsWith(installed.modelFolder) }).toEqual({
      status: 0,
      stderr: '',
      found: true,
    });
  });

  test('does not use a model with another hash', async () => {
    const own = join(folder, 'own-model');
    spawnSync('mkdir', [own]);
    await writeFile(join(own, 'model.bin'), 'not a model');
    const port = await freePort();
    const other = startServer(port, { RAPPORTEUR_MODEL: own, RAPPORTEUR_MODEL_SHA256: 'a'.repeat(64) });
    const ready = await waitFor(
      async () => {
        const body = (await (await fetch(`http://127.0.0.1:${port}/health/ready`)).json()) as { reason: string };
        return body.reason.includes('SHA-256') && body.reason;
      },
      { what: 'the refusal of the model' },
    );
    expect(ready).toContain('It is not used.');
    other.kill('SIGTERM');
    await once(other, 'exit');
  });
});

import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { SpeechTruth } from '@rapporteur/simulator/speech-providers';
import { freePort, waitFor } from '@rapporteur/testbed';
import { startSlowEngine } from './testing/slow-engine.ts';
import type { SlowEngine } from './testing/slow-engine.ts';
import {
  createTranscriberClient,
  newRequest,
  putObject,
  startSurroundings,
  startTranscriberUnderTest,
} from './testing/transcriber-under-test.ts';
import type { Surroundings } from './testing/transcriber-under-test.ts';

const conversation: SpeechTruth = {
  durationMs: 4_000,
  words: [
    { text: 'Good', startMs: 100, endMs: 400, speaker: 'Ann' },
    { text: 'morning.', startMs: 450, endMs: 900, speaker: 'Ann' },
    { text: 'Thanks!', startMs: 3_000, endMs: 3_600, speaker: 'Ben' },
  ],
};
const timeline = [
  { speaker: 'Ann', start_time: 0.1, end_time: 1 },
  { speaker: 'Ben', start_time: 2.9, end_time: 3.7 },
]
  .map((line) => JSON.stringify(line))
  .join('\n');

interface ShownUtterance {
  readonly speaker: string;
  readonly speaker_id: number | null;
  readonly text: string;
  readonly start: number;
}

describe('the transcriber', () => {
  let surroundings: Surroundings;
  let transcriber: { readonly url: string; stop(): Promise<boolean> };
  let engine: SlowEngine;
  beforeAll(async () => {
    [surroundings, engine] = await Promise.all([startSurroundings(), startSlowEngine()]);
    const environment = { ...surroundings.environment, RAPPORTEUR_LOCAL_URL: engine.url };
    transcriber = await startTranscriberUnderTest({ ...surroundings, environment });
  });
  afterAll(async () => {
    engine.stop();
    await transcriber.stop();
    await surroundings.stop();
  });

  /** A stored meeting whose mixed audio contains `conversation`. */
  const spoken = (over: { botId?: string; spoken?: string } = {}) => {
    const botId = over.botId ?? randomUUID();
    const audio = randomBytes(300);
    surroundings.providers.teach(audio, conversation);
    const artifacts = [
      putObject(surroundings, botId, {
        kind: 'audio_m4a',
        key: 'artifacts/audio.m4a',
        content: audio,
        contentType: 'audio/mp4',
      }),
      putObject(surroundings, botId, {
        kind: 'diarization',
        key: 'artifacts/diarization.jsonl',
        content: Buffer.from(over.spoken ?? timeline),
        contentType: 'application/x-ndjson',
      }),
    ];
    return { botId, artifacts };
  };
  /** A request for it. */
  const mixed = (provider: string, over: { keyField?: string; botId?: string; spoken?: string } = {}) => {
    const choice = { ...newRequest().choice, provider, keyField: over.keyField ?? null };
    return surroundings.request({ ...spoken(over), choice });
  };
  const stored = (botId: string, requestId: string, name: string): string =>
    surroundings.objects.get(`${botId}/artifacts/transcripts/${requestId}/${name}`)?.toString('utf8') ?? '';
  const utterancesOf = (botId: string, requestId: string) => {
    const document = JSON.parse(stored(botId, requestId, 'transcription.json')) as {
      result: { utterances: ShownUtterance[]; total_utterances: number; total_duration: number };
    };
    return document.result.utterances.map(({ speaker, speaker_id, text, start }) => ({
      speaker,
      speaker_id,
      text,
      start,
    }));
  };
  /** A request for the captions that the bot read; null: it read none. */
  const captioned = (content: string | null) => {
    const botId = randomUUID();
    const file = { kind: 'captions', key: 'artifacts/captions.jsonl', contentType: 'application/x-ndjson' } as const;
    const artifacts =
      content === null ? [] : [putObject(surroundings, botId, { ...file, content: Buffer.from(content) })];
    return surroundings.request({ botId, artifacts, choice: { ...newRequest().choice, provider: 'meeting_captions' } });
  };

  test("takes the meeting's own captions as they are, with their speakers, and requests no provider", async () => {
    const line = { language: 'en-US', end: 4, is_final: true };
    const said = [
      { ...line, text: 'Good morning.', speaker: 'Ann', speaker_id: 1, start: 0.1 },
      { ...line, text: 'Thanks!', speaker: 'Ben', speaker_id: 2, start: 3 },
    ];
    const requestId = await captioned(said.map((one) => JSON.stringify(one)).join('\n'));
    const { outcome, botId } = await surroundings.waitForEnd(requestId);
    expect(outcome).toBe('completed');
    expect(utterancesOf(botId, requestId)).toEqual(attributed);
    const { result } = JSON.parse(stored(botId, requestId, 'transcription.json')) as {
      result: { utterances: { confidence: null; speaker_confidence: number; words: { interpolated: boolean }[] }[] };
    };
    expect(result.utterances[0]).toMatchObject({ confidence: null, speaker_confidence: 1 });
    expect(result.utterances[0]?.words.map(({ interpolated }) => interpolated)).toEqual([true, true]);
    expect(JSON.parse(stored(botId, requestId, 'raw_transcription.json'))).toMatchObject({
      transcriptions: [{ metadata: { billing_time: 0 }, provider_document: { captions: said } }],
    });
  });

  test('states that a meeting offered no captions', async () => {
    const { outcome, message } = await surroundings.waitForEnd(await captioned(null));
    expect([outcome, message]).toEqual(['failed', expect.stringContaining('offered no captions')]);
  });

  const attributed = [
    { speaker: 'Ann', speaker_id: 1, text: 'Good morning.', start: 0.1 },
    { speaker: 'Ben', speaker_id: 2, text: 'Thanks!', start: 3 },
  ];

  test.each(['read', 'result'] as const)('awaits a job that is not shown at once (%s)', async (at) => {
    surroundings.providers.strike({ provider: 'speechmatics', at, kind: 'status', status: 404, times: 2 });
    const { outcome, message } = await surroundings.waitForEnd(await mixed('speechmatics'));
    expect({ outcome, message }).toEqual({ outcome: 'completed', message: null });
    expect(surroundings.providers.counts('speechmatics').repeated).toBe(0);
  });

  test.each(['gladia', 'deepgram', 'assemblyai', 'speechmatics', 'soniox', 'openai-compatible'])(
    'transcribes with %s, names the speakers and leaves no copy there',
    async (provider) => {
      const requestId = await mixed(provider);
      const ended = await surroundings.waitForEnd(requestId);
      expect(ended).toMatchObject({ outcome: 'completed', message: null });
      expect(ended.artifacts.map(({ kind }) => kind)).toEqual([
        'transcription',
        'transcription_vtt',
        'transcription_srt',
        'raw_transcription',
      ]);
      expect(utterancesOf(ended.botId, requestId)).toEqual(attributed);
      const raw = JSON.parse(stored(ended.botId, requestId, 'raw_transcription.json')) as {
        transcriptions: { metadata: { transcription_time: number } }[];
      };
      expect(raw.transcriptions[0]?.metadata.transcription_time).toBeGreaterThan(0);
      expect((await surroundings.waitForRest(requestId)).outcome).toBe('completed');
      const simulated = provider === 'openai-compatible' ? 'openai' : (provider as 'gladia');
      expect(surroundings.providers.counts(simulated)).toMatchObject({ repeated: 0, left: 0 });
    },
  );

  test('requests nothing of the provider where no participant spoke, and completes with an empty transcript', async () => {
    const before = surroundings.providers.counts('gladia').submitted;
    const requestId = await mixed('gladia', { spoken: '' });
    const { botId, ...ended } = await surroundings.waitForEnd(requestId);
    expect(ended).toMatchObject({ outcome: 'completed', message: null, providerIds: [] });
    expect(utterancesOf(botId, requestId)).toEqual([]);
    expect(surroundings.providers.counts('gladia').submitted).toBe(before);
  });

  test("passes the provider's reason on, without addresses", async () => {
    surroundings.providers.strike({ provider: 'assemblyai', at: 'submit', kind: 'job-failed' });
    const ended = await surroundings.waitForEnd(await mixed('assemblyai'));
    expect(ended).toMatchObject({ outcome: 'failed', message: expect.stringContaining('unable to download …') });
  });

  test('gives the newest transcript of a bot to services that show it, and none of another team', async () => {
    const requestId = await mixed('soniox');
    const { botId, teamId } = await surroundings.waitForEnd(requestId);
    const read = (team: string, from = 'bot-scheduler') =>
      createTranscriberClient(surroundings, transcriber.url, from).read({ botId, teamId: team });
    const { transcript } = await read(teamId);
    expect(transcript?.utterances.map(({ speaker, speakerId, start }) => ({ speaker, speakerId, start }))).toEqual(
      attributed.map(({ speaker, speaker_id: speakerId, start }) => ({ speaker, speakerId, start })),
    );
    expect(transcript?.utterances[1]?.words).toEqual([{ word: 'Thanks!', start: 3, end: 3.6 }]);
    expect(await read(randomUUID())).toEqual({ transcript: null });
    const readText = async (format: 'json' | 'text' | 'vtt' | 'srt', team = teamId) =>
      (
        await createTranscriberClient(surroundings, transcriber.url, 'bot-scheduler').text({
          botId,
          teamId: team,
          format,
        })
      ).text;
    expect(await readText('text')).toBe('00:00:00  Ann: Good morning.\n00:00:03  Ben: Thanks!\n');
    expect(await readText('vtt')).toBe(stored(botId, requestId, 'transcription.vtt'));
    expect(await readText('srt')).toBe(stored(botId, requestId, 'transcription.srt'));
    expect(JSON.parse((await readText('json')) ?? '')).toMatchObject({ utterances: attributed, missing: [] });
    expect(await readText('text', randomUUID())).toBeNull();
    await expect(read(teamId, 'calendar-sync')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  test('reports the progress of a running transcription, and nothing once it has ended or to another team', async () => {
    const botId = randomUUID();
    const requestId = await mixed('local', { botId });
    const { team_id: teamId } = await waitFor(
      async () =>
        (
          await surroundings.database.query<{ team_id: string }>(
            'select team_id from transcription_jobs where id = $1',
            [requestId],
          )
        )[0],
      { what: 'the job' },
    );
    const client = createTranscriberClient(surroundings, transcriber.url, 'bot-scheduler');
    const progress = async (team: string): Promise<number | null> =>
      (await client.progress({ botId, teamId: team })).progress;
    await waitFor(async () => (await progress(teamId)) === 0.25, { what: 'a quarter of the file to be transcribed' });
    expect(await progress(randomUUID())).toBeNull();
    engine.finish();
    await surroundings.waitForEnd(requestId);
    expect(await progress(teamId)).toBeNull();
  });

  test("uses each participant's own audio and keeps both of two who speak at once", async () => {
    const botId = randomUUID();
    const say = (name: string, id: number, text: string) => {
      const audio = randomBytes(300);
      const words = [{ text, startMs: 1_000, endMs: 2_000, speaker: null }];
      surroundings.providers.teach(audio, { durationMs: 4_000, words });
      const participant = { id, name, speechSeconds: 1 };
      const file = { kind: 'participant_audio', key: `artifacts/participant-${id}.ogg`, participant } as const;
      return putObject(surroundings, botId, { ...file, content: audio, contentType: 'audio/ogg' });
    };
    const requestId = await surroundings.request({ botId, artifacts: [say('Ann', 1, 'Yes'), say('Ben', 2, 'No')] });
    expect((await surroundings.waitForEnd(requestId)).providerIds).toHaveLength(2);
    expect(utterancesOf(botId, requestId)).toEqual([
      { speaker: 'Ann', speaker_id: 1, text: 'Yes', start: 1 },
      { speaker: 'Ben', speaker_id: 2, text: 'No', start: 1 },
    ]);
    expect(stored(botId, requestId, 'transcription.vtt')).toContain('00:00:01.000 --> 00:00:02.000\n<v Ann>Yes</v>');
    expect(stored(botId, requestId, 'transcription.srt')).toContain('00:00:01,000 --> 00:00:02,000\nAnn: Yes');
  });

  test('goes on after temporary failures without a second submission', async () => {
    const before = surroundings.providers.counts('soniox');
    surroundings.providers.strike({ provider: 'soniox', at: 'upload', kind: 'status', status: 503 });
    surroundings.providers.strike({ provider: 'soniox', at: 'submit', kind: 'no-response' });
    surroundings.providers.strike({ provider: 'soniox', at: 'result', kind: 'cut' });
    surroundings.providers.strike({ provider: 'soniox', at: 'read', kind: 'status', status: 429 });
    const requestId = await mixed('soniox');
    expect((await surroundings.waitForEnd(requestId)).outcome).toBe('completed');
    await surroundings.waitForRest(requestId);
    const after = surroundings.providers.counts('soniox');
    expect(after).toEqual({ submitted: before.submitted + 1, repeated: 0, left: 0 });
  });

  const rowOf = async (requestId: string) => {
    const sql = `select job.failures, job.message, part.submissions, part.state
      from transcription_jobs job join transcription_parts part on part.job_id = job.id where job.id = $1`;
    return (
      await surroundings.database.query<{
        failures: number;
        message: string | null;
        submissions: number;
        state: string;
      }>(sql, [requestId])
    )[0];
  };

  test('a server to which no connection could be opened, or that is not ready, is no attempt', async () => {
    await engine.close();
    const requestId = await mixed('local');
    const waiting = await waitFor(
      async () => {
        const row = await rowOf(requestId);
        return row !== undefined && row.failures >= 4 ? row : undefined;
      },
      { what: 'four failures' },
    );
    expect(waiting).toMatchObject({ submissions: 0, message: expect.stringContaining('could not be reached') });
    const { bot_id: botId, team_id: teamId } = (
      await surroundings.database.query<{ bot_id: string; team_id: string }>(
        'select bot_id, team_id from transcription_jobs where id = $1',
        [requestId],
      )
    )[0] as { bot_id: string; team_id: string };
    const client = createTranscriberClient(surroundings, transcriber.url, 'bot-scheduler');
    const progressOf = () => client.progress({ botId, teamId });
    const problemOf = (provider: string) => client.providerProblem({ provider });
    expect(await progressOf()).toEqual({ progress: 0, message: waiting.message });
    expect(await problemOf('local')).toEqual({ problem: waiting.message });
    expect(await problemOf('gladia')).toEqual({ problem: null });
    await engine.open();
    expect(await problemOf('local')).toEqual({ problem: null });
    await waitFor(async () => (await rowOf(requestId))?.state === 'submitting', { what: 'the submission' });
    await waitFor(() => (engine.finish(), surroundings.ends.has(requestId)), { what: 'the end' });
    expect(surroundings.ends.get(requestId)).toMatchObject({ outcome: 'completed', message: null });
    surroundings.providers.strike({ provider: 'openai', at: 'submit', kind: 'status', status: 503, times: 5 });
    const next = await surroundings.waitForEnd(await mixed('openai-compatible'));
    expect(next).toMatchObject({ outcome: 'completed', message: null });
  });

  test('sends the audio while it is read, and counts the attempt before', async () => {
    const { botId, artifacts } = spoken();
    const bytes = 400_000;
    const before = engine.received;
    let submissions: number | undefined;
    surroundings.reads.set(`${botId}/artifacts/audio.m4a`, async (response) => {
      submissions = (await rowOf(requestId))?.submissions;
      response.setHeader('content-length', 2 * bytes).write(randomBytes(bytes));
      await waitFor(() => engine.received - before >= bytes, { what: 'the first half at the provider' });
      response.end(randomBytes(bytes));
    });
    const requestId = randomUUID();
    await surroundings.request({
      requestId,
      botId,
      artifacts,
      choice: { ...newRequest().choice, provider: 'local' },
    });
    await waitFor(() => engine.received - before > 2 * bytes, { what: 'the whole audio' });
    expect(submissions).toBe(1);
    await waitFor(() => (engine.finish(), surroundings.ends.has(requestId)), { what: 'the end' });
    expect(surroundings.ends.get(requestId)).toMatchObject({ outcome: 'completed' });
  });

  test('an attempt whose audio could not be read does not count; the last reason outlives the attempts', async () => {
    surroundings.providers.strike({ provider: 'openai', at: 'submit', kind: 'status', status: 500, times: 3 });
    const { botId, artifacts } = spoken();
    let cut = 4;
    surroundings.reads.set(`${botId}/artifacts/audio.m4a`, async (response) => {
      if (cut === 0) return;
      cut -= 1;
      response.setHeader('content-length', 100_000).write('x');
      response.destroy();
    });
    const choice = { ...newRequest().choice, provider: 'openai-compatible' };
    const requestId = await surroundings.request({ botId, artifacts, choice });
    expect(await surroundings.waitForEnd(requestId)).toMatchObject({
      outcome: 'failed',
      message:
        'The OpenAI-compatible server responded with HTTP status 500: A fault of the simulator. It was attempted 3 times.',
    });
  });

  /** A mixed file of six seconds as FLAC, stated to be this large and long. */
  const flac = (bytes: number, durationMs: number) => {
    const botId = randomUUID();
    const words = '-v error -f lavfi -i anullsrc=r=48000:cl=mono -t 6 -frame_size 1024 -sample_fmt s16 -f flac -';
    const made = spawnSync('ffmpeg', words.split(' '));
    const file = { kind: 'audio', key: 'artifacts/audio.flac', contentType: 'audio/flac' } as const;
    const artifact = { ...putObject(surroundings, botId, { ...file, content: made.stdout }), bytes };
    const choice = { ...newRequest().choice, provider: 'openai-compatible' };
    return { botId, durationMs, choice, artifacts: [artifact] };
  };

  test('sends a long recording in parts and joins them; a part that fails is named and ends no other', async () => {
    surroundings.providers.strike({ provider: 'openai', at: 'submit', kind: 'status', status: 400 });
    const request = flac(60_000_000, 6_000);
    const requestId = await surroundings.request(request);
    const ended = await surroundings.waitForEnd(requestId);
    expect(ended).toMatchObject({
      outcome: 'completed',
      message: expect.stringMatching(/^Not transcribed: The meeting from \d s to \d s: .*HTTP status 400/),
    });
    // The simulator says "this audio is not known" about each part.
    const starts = utterancesOf(request.botId, requestId).map(({ start }) => start);
    expect(starts).toHaveLength(2);
    const { result } = JSON.parse(stored(request.botId, requestId, 'transcription.json')) as {
      result: { missing: { start: number; end: number }[] };
    };
    expect([...starts, ...result.missing.map(({ start }) => start)].toSorted((a, b) => a - b)).toEqual([0, 2, 4]);
  });

  test('halves what a provider refuses as too large', async () => {
    surroundings.providers.strike({ provider: 'openai', at: 'submit', kind: 'status', status: 413 });
    const request = flac(1_000, 600_000);
    const requestId = await surroundings.request(request);
    expect(await surroundings.waitForEnd(requestId)).toMatchObject({ outcome: 'completed', message: null });
    expect(utterancesOf(request.botId, requestId).map(({ start }) => start)).toEqual([0, 300]);
  });

  test('halves two parts that are refused at the same time, each once', async () => {
    const submitted = () => surroundings.providers.counts('openai').submitted;
    for (let part = 0; part < 2; part += 1)
      surroundings.providers.strike({ provider: 'openai', at: 'submit', kind: 'status', status: 413 });
    const before = submitted();
    const request = flac(60_000_000, 900_000);
    const requestId = await surroundings.request(request);
    expect(await surroundings.waitForEnd(requestId)).toMatchObject({ outcome: 'completed', message: null });
    // Which two of the three parts are refused, their order of arrival decides.
    const starts = utterancesOf(request.botId, requestId).map(({ start }) => start);
    expect(starts.filter((start) => start % 300 === 0)).toEqual([0, 300, 600]);
    expect(starts.filter((start) => [150, 450, 750].includes(start))).toHaveLength(2);
    expect([starts.length, submitted() - before]).toEqual([5, 5]);
  });

  test('states why a transcription failed', async () => {
    const botId = randomUUID();
    surroundings.keys.set(`${botId}/transcription_api_key`, 'expired');
    const requestId = await mixed('gladia', { botId, keyField: 'transcription_api_key' });
    const ended = await surroundings.waitForEnd(requestId);
    expect(ended).toMatchObject({
      outcome: 'failed',
      message: 'Gladia refused the key (HTTP status 401): The key is not valid.',
    });
    expect((await surroundings.waitForRest(requestId)).outcome).toBe('failed');
  });

  test('uses the key of the customer', async () => {
    const botId = randomUUID();
    surroundings.keys.set(`${botId}/transcription_api_key`, "the customer's");
    const requestId = await mixed('assemblyai', { botId, keyField: 'transcription_api_key' });
    expect((await surroundings.waitForEnd(requestId)).outcome).toBe('completed');
  });

  test('fails a job whose recording is gone', async () => {
    const gone = {
      kind: 'audio',
      key: 'artifacts/none.flac',
      bytes: 1,
      sha256: '',
      contentType: 'audio/flac',
    } as const;
    const requestId = await surroundings.request({ artifacts: [gone] });
    expect((await surroundings.waitForEnd(requestId)).message).toBe('The recording is not stored any more.');
  });

  test('deletes on request what a provider refused to delete at the end of a job', async () => {
    const left = () => surroundings.providers.counts('assemblyai').left;
    surroundings.providers.strike({ provider: 'assemblyai', at: 'remove', kind: 'status', status: 401 });
    const botId = randomUUID();
    const requestId = await mixed('assemblyai', { botId });
    expect(await surroundings.waitForRest(requestId)).toMatchObject({ outcome: 'completed' });
    expect(left()).toBe(1);
    await surroundings.deleteFromProvider(botId);
    await waitFor(() => left() === 0, { what: 'the copy to be deleted' });
    expect(await surroundings.waitForRest(requestId)).toMatchObject({ outcome: 'completed' });
  });

  test('finds the words of a stored transcript until the data of its bot is deleted', async () => {
    const teamId = randomUUID();
    const { botId, artifacts } = spoken();
    const requestId = await surroundings.request({ botId, teamId, artifacts });
    expect((await surroundings.waitForEnd(requestId)).outcome).toBe('completed');
    const { search } = createTranscriberClient(surroundings, transcriber.url, 'bot-scheduler');
    const find = async (team = teamId) => (await search({ teamId: team, q: 'morning', limit: 5, after: null })).found;
    const snippet = [
      { text: 'Good ', match: false },
      { text: 'morning', match: true },
      { text: '.', match: false },
    ];
    const hit = { startMs: 100, endMs: 900, speaker: 'Ann', speakerId: 1, snippet };
    expect(await find()).toEqual([{ botId, hits: [hit], more: false }]);
    expect(await find(randomUUID())).toEqual([]);
    await surroundings.deleteData(botId);
    await waitFor(async () => (await find()).length === 0, { what: 'the words to be deleted' });
  });

  test('gives a job up when the data of its bot is deleted, and deletes the copy at the provider', async () => {
    surroundings.providers.providers.jobs.processingMs = 60_000;
    const botId = randomUUID();
    const requestId = await mixed('speechmatics', { botId });
    const submitted = async () =>
      (
        await surroundings.database.query(
          `select 1 from transcription_parts where job_id = $1 and state = 'submitted'`,
          [requestId],
        )
      )[0];
    await waitFor(submitted, { what: 'the submission' });
    await surroundings.deleteData(botId);
    expect(await surroundings.waitForRest(requestId)).toMatchObject({ outcome: 'cancelled' });
    surroundings.providers.providers.jobs.processingMs = 0;
    expect(surroundings.providers.counts('speechmatics').left).toBe(0);
    expect(surroundings.ends.has(requestId)).toBe(false);
    expect(stored(botId, requestId, 'transcription.json')).toBe('');
  });
});

describe('the transcriber with a public address', () => {
  test('takes the result that a provider delivers, also twice, and submits anew what no provider reports', async () => {
    const surroundings = await startSurroundings();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const transcriber = await startTranscriberUnderTest(surroundings, {
      RAPPORTEUR_WEBHOOK_PORT: String(port),
      RAPPORTEUR_PUBLIC_URL: url,
      RAPPORTEUR_POLL_FIRST_MS: '60000',
      RAPPORTEUR_POLL_LONGEST_MS: '60000',
    });
    try {
      surroundings.providers.strike({ provider: 'deepgram', at: 'callback', kind: 'callback-twice' });
      surroundings.providers.providers.jobs.processingMs = 300;
      const audio = randomBytes(300);
      surroundings.providers.teach(audio, conversation);
      const botId = randomUUID();
      const file = { kind: 'audio', key: 'artifacts/audio.flac', content: audio, contentType: 'audio/flac' } as const;
      const artifacts = [putObject(surroundings, botId, file)];
      const choice = { ...newRequest().choice, provider: 'deepgram' };
      const requestId = await surroundings.request({ botId, artifacts, choice });
      expect((await surroundings.waitForEnd(requestId, 55_000)).outcome).toBe('completed');
      // Its submission got no response, and a server without jobs never reports one.
      surroundings.providers.strike({ provider: 'openai', at: 'submit', kind: 'no-response' });
      const lost = await surroundings.request({
        botId,
        artifacts,
        choice: { ...choice, provider: 'openai-compatible' },
      });
      expect((await surroundings.waitForEnd(lost, 55_000)).outcome).toBe('completed');
      const stranger = await fetch(`${url}/webhooks/${randomUUID()}/${'0'.repeat(64)}`, { method: 'POST', body: '{}' });
      expect(stranger.status).toBe(404);
    } finally {
      await transcriber.stop();
      await surroundings.stop();
    }
  });
});

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { verifyWebhook } from '@rapporteur/sdk';
import { waitFor } from '@rapporteur/testbed';
import { startReceiver, status } from '@rapporteur/testbed/receiver';
import type { Receiver, Respond } from '@rapporteur/testbed/receiver';
import { run } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'rapporteur-cli-'));
const botId = '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11';
let url: string;
let environment: Record<string, string> = {};
/** Reports of the bot's status, one per request. */
const reports = [
  { status: 'transcribing', transcription_message: 'The local engine is being installed: 3 of 32 packages.' },
  { status: 'transcribing', transcription_message: 'The local engine is being installed: 3 of 32 packages.' },
  { status: 'completed', transcription_message: null },
];
let calls: { method: string; path: string; key: unknown; body: unknown }[] = [];

const files: Record<string, string> = {
  '/files/video': 'a video',
  '/files/transcript': '{}',
  '/files/vtt': 'WEBVTT\n',
};

const failed = { id: 'msg_1', event: 'bot.failed', data: {} };

/** A fake of the public API and its object store. */
const respond: Respond = ({ method, path, headers, body: received }, response) => {
  const file = files[path];
  const format = /\/transcript\?format=(\w+)$/.exec(path)?.[1];
  if (format !== undefined) {
    response.setHeader('content-type', `text/${format === 'text' ? 'plain' : format}; charset=utf-8`);
    return void response.end(format === 'text' ? '00:01:01  Ann: Good morning.\n' : 'WEBVTT\n');
  }
  if (file !== undefined) return void response.end(file);
  if (path === '/health/live') return void response.end(JSON.stringify({ status: 'alive' }));
  if (path === '/openapi.json') return void response.end(JSON.stringify({ info: { version: '2.0.0' } }));
  const body: unknown = received.length === 0 ? null : JSON.parse(String(received));
  calls.push({ method, path, key: headers['x-service-api-key'], body });
  const links = {
    video: `${url}/files/video`,
    transcription: `${url}/files/transcript`,
    transcription_vtt: `${url}/files/vtt`,
  };
  const nothing = {
    audio: null,
    audio_m4a: null,
    raw_transcription: null,
    transcription_srt: null,
    diarization: null,
  };
  const none = { chat_messages: null, poster: null, participants_file: null, integrity: null };
  const data: Record<string, unknown> = {
    [`GET /v2/bots/${botId}`]: { bot_id: botId, status: 'completed', ...links, ...nothing, ...none },
    [`GET /v2/bots/${botId}/transcript`]: { languages: ['en'], utterances: [], missing: [] },
    [`GET /v2/bots/${botId}/status`]: path.endsWith('/status') ? reports.shift() : null,
    [`DELETE /v2/bots/${botId}/delete-data?delete_from_provider=true`]: { deleted: true },
    [`PATCH /v2/bots/${botId}/speakers`]: { message: 'The speaker was renamed.' },
    [`POST /v2/bots/${botId}/retranscribe`]: { message: 'The recording is transcribed again.' },
    [`POST /v2/bots/${botId}/send-chat-message`]: { message: 'Sent.' },
    [`POST /v2/bots/${botId}/pause-recording`]: { paused_at: 'now' },
    'POST /v2/bots/scheduled': { bot_id: botId },
    'GET /v2/bots/scheduled?scheduled_before=2027-01-31T10%3A30%3A00Z&status=scheduled': [{ bot_id: 'early' }],
    'DELETE /v2/bots/scheduled/early': {},
    [`DELETE /v2/bots/scheduled/${botId}`]: {},
    'GET /v2/webhooks/endpoints': [
      { endpoint_id: 'e-1', url: 'https://example.com/', enabled: true, failing_since: null },
    ],
    'POST /v2/webhooks/messages/m-1/resend?endpoint_id=e-1': { message_id: 'm-1' },
    'GET /v2/calendars': [{ calendar_id: 'c-1', calendar_platform: 'google', status: 'connected' }],
    'GET /v2/bots?limit=1': [],
    'GET /v2/meet-logins': [],
    'GET /v2/webhooks/messages': [],
    'GET /v2/webhooks/messages?after=7%2F&wait=10': [{ message_id: 'msg_1', payload: failed }],
  };
  if (path.includes('after=8')) return;
  const found = data[`${method} ${path}`];
  const after = path.includes('after=7') ? '8/' : '7/';
  response.setHeader('content-type', 'application/json').setHeader('x-request-id', 'r-1');
  response.statusCode = found === undefined ? 404 : 200;
  const refusal = { success: false, code: 'FST_ERR_BOT_NOT_FOUND_BY_ID', message: 'There is no bot with this id.' };
  if (path === '/v2/bots/nope') {
    response.statusCode = 400;
    Object.assign(refusal, { code: 'FST_ERR_VALIDATION', message: 'bot_id must match format "uuid"' });
  }
  response.end(JSON.stringify(found === undefined ? refusal : { success: true, data: found, cursor: null, after }));
};
let server: Receiver;

beforeAll(async () => {
  server = await startReceiver(respond);
  url = server.url;
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  calls = [];
  environment = { HOME: folder, RAPPORTEUR_API_URL: url, RAPPORTEUR_API_KEY: 'rap_environment' };
});

async function type(line: string, signal?: AbortSignal): Promise<{ code: number; out: string; complaints: string }> {
  const lines = { out: [] as string[], complaints: [] as string[] };
  const words = (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
  const code = await run(words, {
    folder,
    environment,
    runningStacks: [],
    print: (text) => void lines.out.push(text),
    complain: (text) => void lines.complaints.push(text),
    ...(signal === undefined ? {} : { signal }),
  });
  return { code, out: lines.out.join('\n'), complaints: lines.complaints.join('\n') };
}

test('the environment names a deployment and a key, options go before it', async () => {
  expect(await type('webhooks endpoints')).toMatchObject({
    code: 0,
    out: expect.stringContaining('https://example.com/'),
  });
  writeFileSync(join(folder, 'key'), 'rap_file\n');
  expect(await type('calendars list --key-file key')).toMatchObject({
    code: 0,
    out: expect.stringContaining('google'),
  });
  expect(calls.map(({ key }) => key)).toEqual(['rap_environment', 'rap_file']);
  environment = { HOME: folder, RAPPORTEUR_API_URL: url };
  expect(await type('calendars list')).toMatchObject({
    code: 2,
    complaints: expect.stringContaining('RAPPORTEUR_API_KEY'),
  });
});

test('a profile is remembered privately, used by name, and forgotten', async () => {
  writeFileSync(join(folder, 'key'), 'rap_profile\n');
  environment = { HOME: folder };
  expect(await type(`profiles set mine --api-url ${url} --key-file key`)).toMatchObject({ code: 0 });
  expect(statSync(join(folder, '.config/rapporteur/profiles.json')).mode & 0o777).toBe(0o600);
  const listed = await type('profiles list');
  expect(listed.out).toContain('mine');
  expect(listed.out).not.toContain('rap_profile');
  expect(await type('logins meet --profile mine')).toMatchObject({
    code: 0,
    out: 'There are no logins for Google Meet.',
  });
  environment = { HOME: folder, RAPPORTEUR_PROFILE: 'mine' };
  expect(await type('calendars list')).toMatchObject({ code: 0 });
  expect(calls.map(({ key }) => key)).toEqual(['rap_profile', 'rap_profile']);
  expect(await type('calendars list --profile other')).toMatchObject({ code: 2 });
  expect(await type('profiles remove mine')).toMatchObject({ code: 0 });
  expect(await type('profiles remove mine')).toMatchObject({ code: 1 });
});

test('the status of a bot is printed once per change, with the reason for which its transcription waits', async () => {
  const { code, out } = await type(`bots tail ${botId}`);
  expect(code).toBe(0);
  expect(out.split('\n').map((line) => line.replace(/^\S+ {2}/, ''))).toEqual([
    'transcribing  The local engine is being installed: 3 of 32 packages.',
    'completed',
  ]);
});

test('files and transcripts of a bot are saved and printed', async () => {
  expect(await type(`bots download ${botId} --to got`)).toMatchObject({ code: 0 });
  expect(readFileSync(join(folder, 'got/video.mp4'), 'utf8')).toBe('a video');
  expect(readFileSync(join(folder, 'got/transcript.vtt'), 'utf8')).toBe('WEBVTT\n');
  expect(await type(`bots download ${botId} --only audio`)).toMatchObject({
    code: 1,
    complaints: expect.stringContaining('no audio'),
  });
  expect((await type(`bots transcript ${botId}`)).out).toBe('00:01:01  Ann: Good morning.');
  expect(JSON.parse((await type(`bots transcript ${botId} --format json`)).out)).toMatchObject({ languages: ['en'] });
  expect((await type(`bots transcript ${botId} --format vtt`)).out).toBe('WEBVTT\n');
});

test('a bot is scheduled, written to, paused, transcribed again and deleted', async () => {
  const lines = [
    'bots schedule https://meet.google.com/abc-defg-hij --join-at 2027-01-31T18:00:00Z --transcribe',
    `bots chat ${botId} "Good morning"`,
    `bots pause ${botId}`,
    `bots rename-speaker ${botId} --speaker Ann --id 2 --name Ada`,
    `bots rename-speaker ${botId} --speaker Ann`,
    `bots retranscribe ${botId} --provider soniox`,
    `bots delete-data ${botId} --yes --from-provider`,
    'webhooks resend m-1 --endpoint e-1',
  ];
  for (const line of lines) expect({ line, ...(await type(line)) }).toMatchObject({ line, code: 0 });
  expect(calls.map(({ body }) => body)).toEqual([
    {
      bot_name: 'Rapporteur',
      meeting_url: 'https://meet.google.com/abc-defg-hij',
      join_at: '2027-01-31T18:00:00Z',
      transcription_enabled: true,
    },
    { message: 'Good morning' },
    null,
    { speaker: 'Ann', speaker_id: 2, name: 'Ada' },
    { speaker: 'Ann', name: null },
    { transcription: { provider: 'soniox' } },
    null,
    null,
  ]);
});

test('scheduled bots are cancelled by id, or all that join until a time', async () => {
  expect(await type(`bots cancel ${botId}`)).toMatchObject({ code: 0, out: `${botId}\n1 cancelled.` });
  expect(await type('bots cancel --until 2027-01-31T10:30:00Z')).toMatchObject({ code: 0, out: 'early\n1 cancelled.' });
  expect(calls.filter(({ method }) => method === 'DELETE').map(({ path }) => path)).toEqual([
    `/v2/bots/scheduled/${botId}`,
    '/v2/bots/scheduled/early',
  ]);
});

test.each([
  'bots cancel',
  'bots create',
  'bots list --limit abc',
  'bots schedule https://meet.google.com/abc-defg-hij',
  `bots delete-data ${botId}`,
  `bots transcript ${botId} --format pdf`,
  `bots rename-speaker ${botId}`,
  `bots rename-speaker ${botId} --speaker Ann --id one`,
  'completion powershell',
  'nonsense',
  'bots list --nonsense',
])('%s is misuse: exit code 2, one error as text and as JSON, and no request', async (line) => {
  const { code, complaints, out } = await type(line);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(complaints.split('\n').length).toBeLessThanOrEqual(2);
  const asJson = await type(`${line} --json`);
  expect(asJson.code).toBe(2);
  expect(JSON.parse(asJson.complaints)).toEqual({ error: { code: 'USAGE', message: expect.any(String) } });
  expect(calls).toEqual([]);
});

test('an unknown command is answered with the commands of that word', async () => {
  const { code, complaints } = await type('search budget');
  expect(code).toBe(2);
  expect(complaints).toContain('There is: npm run rapporteur -- transcripts search');
  expect((await type('bots lst')).complaints).toContain('Did you mean list?');
});

test('an argument that the service does not understand is exit code 2', async () => {
  expect(await type('bots get nope')).toMatchObject({ code: 2, complaints: 'bot_id must match format "uuid"' });
});

test('the doctor examines the deployment that is named, not this machine', async () => {
  const { code, out } = await type('doctor --json');
  const { findings } = JSON.parse(out) as { findings: { check: string; state: string; found: string }[] };
  expect(Object.fromEntries(findings.map(({ check, state }) => [check, state]))).toEqual({
    node: 'ok',
    address: 'ok',
    versions: 'ok',
    key: 'ok',
    clock: 'ok',
  });
  expect(code).toBe(0);
});

test('what the service refuses is exit code 1, as JSON with everything that the service said', async () => {
  expect(await type('bots get unknown')).toMatchObject({ code: 1, complaints: 'There is no bot with this id.' });
  const { code, complaints } = await type('bots get unknown --json');
  expect(code).toBe(1);
  expect(JSON.parse(complaints)).toMatchObject({
    error: { code: 'FST_ERR_BOT_NOT_FOUND_BY_ID', status_code: 404, request_id: 'r-1' },
  });
});

test('the version is that of the package', async () => {
  expect(await type('--version')).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
});

test('webhooks listen passes new messages on to a program, signed, and ends with the call in progress', async () => {
  const program = await startReceiver(status(204));
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const { code, out } = await type(`webhooks listen --forward-to ${program.url}/ --secret ${secret} --count 1`);
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('204  {"id":"msg_1"') });
  await program.close();
  const [delivery] = program.calls;
  expect(verifyWebhook(String(delivery?.body), delivery?.headers ?? {}, secret)).toMatchObject({ event: 'bot.failed' });
  expect(calls.map(({ path }) => path)).toEqual(['/v2/webhooks/messages', '/v2/webhooks/messages?after=7%2F&wait=10']);

  const stopping = new AbortController();
  const ended = type('webhooks listen', stopping.signal);
  await waitFor(() => calls.some(({ path }) => path.includes('after=8')), { what: 'the call that waits' });
  stopping.abort();
  expect(await ended).toEqual({ code: 0, out: expect.stringContaining('1 message arrived.'), complaints: '' });
});

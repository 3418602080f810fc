import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { installPythonClient } from '@rapporteur/testbed';
import { startReceiver } from '@rapporteur/testbed/receiver';
import { Webhook } from 'standardwebhooks';
import { startEdge } from './testing/gateway-under-test.ts';
import type { Edge } from './testing/gateway-under-test.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const client = join(root, 'clients/python');
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const botId = '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11';

let edge: Edge;
let folder: string;
let python: string;
let environment: Record<string, string | undefined>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rapporteur-python-'));
  edge = await startEdge();
  const key = await edge.createKey(await edge.createTeam(), 'full');
  environment = { ...process.env, RAPPORTEUR_API_URL: await edge.startGateway(), RAPPORTEUR_API_KEY: key };
  python = await installPythonClient();
});
afterAll(async () => {
  await edge?.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  edge.scheduler.calls.length = 0;
});

async function runPython(source: string, words: readonly string[] = []): Promise<unknown> {
  const file = join(folder, 'program.py');
  await writeFile(file, `import json, os, sys\nimport rapporteur\n${source}\nprint(json.dumps(found))\n`);
  const { stdout } = await run(python, [file, ...words], { env: environment });
  return JSON.parse(stdout);
}

const succeeded = (data: unknown, more: object = {}, status = 200) => ({
  status,
  body: { success: true, data, ...more },
});
const at = '2026-11-25T09:00:00.000Z';
const nothing = (names: string): object => Object.fromEntries(names.split(' ').map((name) => [name, null]));
const shared = {
  bot_id: botId,
  bot_name: 'Recorder',
  meeting_url: 'https://meet.google.com/abc-defg-hij',
  meeting_platform: 'meet',
  status: 'completed',
  created_at: at,
  joined_at: at,
  exited_at: at,
  ...nothing('extra error_code error_message tokens'),
};
const listed = { ...shared, duration: 60, ended_at: at, integrity_summary: null };
const files =
  'video audio transcription raw_transcription transcription_vtt transcription_srt diarization chat_messages audio_m4a poster participants_file integrity integrity_summary participant_audio';
const settings =
  'failure_evidence artifacts_expire_at data_deletion page_pack_version transcription_provider transcription_ids callback_config alpha_config';
const details = (over: object) => ({
  ...shared,
  duration_seconds: 60,
  end_reason: 'NO_ATTENDEES',
  recording_mode: 'speaker_view',
  settings_without_effect: [],
  explanation: { happened: 'It left.', actions: [], ...nothing('recording transcript waits_since waits_until') },
  status_changes: [],
  participants: [],
  speakers: [],
  artifacts_deleted: false,
  ...nothing(`${files} ${settings} meet_login_credential_id`),
  ...over,
});

const report = (status: string) => ({
  bot_id: botId,
  status,
  transcription_status: 'not-started',
  transcription_progress: null,
  transcription_message: null,
  captions: null,
  updated_at: at,
});

test('the example that records sends a bot and waits for its end', async () => {
  const video = 'https://files.example/video.mp4';
  edge.scheduler.nextResponses.push(
    succeeded({ bot_id: botId }, {}, 201),
    succeeded(report('in_call_recording')),
    succeeded(report('completed')),
    succeeded(details({ video })),
  );
  const meeting = 'https://meet.google.com/abc-defg-hij';
  const { stdout } = await run(python, [join(client, 'examples/record.py'), meeting], { env: environment });
  expect(stdout).toBe(`completed NO_ATTENDEES ${video}\n`);
  expect(edge.scheduler.calls[0]?.body).toMatchObject({ bot_name: 'Recorder', meeting_url: meeting });
});

test('the example that reads transcripts goes through every page', async () => {
  const said = { ...nothing('speaker_id original_speaker language confidence'), start: 0, end: 1, words: [] };
  const utterances = [{ ...said, speaker: 'Ann', text: 'Good morning.' }];
  const message = 'The bot was sent without transcription.';
  const refusal = { success: false, error: 'x', code: 'FST_ERR_BOT_STATUS', statusCode: 409, message, details: null };
  edge.scheduler.nextResponses.push(
    succeeded([listed], { cursor: 'second', prev_cursor: null }),
    succeeded([listed], { cursor: null, prev_cursor: 'first' }),
    succeeded({ languages: ['en'], utterances, missing: [] }),
    { status: 409, body: refusal },
  );
  const { stdout } = await run(python, [join(client, 'examples/transcript.py')], { env: environment });
  expect(stdout).toBe(`Ann: Good morning.\nRecorder: ${message}\n`);
  expect(edge.scheduler.calls[0]?.path).toContain('status=completed');
  expect(edge.scheduler.calls[1]?.path).toContain('cursor=second');
});

test('what the gateway refuses is an error with its code, status and words', async () => {
  const found = await runPython(`
from rapporteur.v2.api.bots import create_bot, list_bots
from rapporteur.v2.models import CreateBot
url, key = os.environ["RAPPORTEUR_API_URL"], os.environ["RAPPORTEUR_API_KEY"]

def failure(key, operation, **options):
    with rapporteur.Rapporteur(url, key, retries=0) as client:
        try:
            client.call(operation, **options)
        except rapporteur.RapporteurError as error:
            return [error.code, error.status_code, str(error), error.request_id is not None]

long = CreateBot(bot_name="b" * 300, meeting_url="https://meet.google.com/abc-defg-hij")
found = [failure("rap_wrong", list_bots.sync), failure(key, create_bot.sync, body=long)]
try:
    rapporteur.Rapporteur("bots.example.com", key)
except ValueError as error:
    found.append(str(error))
`);
  expect(found).toEqual([
    ['FST_ERR_FORBIDDEN', 403, expect.stringContaining('This is no API key'), true],
    ['FST_ERR_VALIDATION', 400, expect.stringContaining('bot_name'), true],
    expect.stringContaining('base_url'),
  ]);
});

test('a speaker is renamed, and gets the name in the meeting back', async () => {
  edge.scheduler.response = succeeded({ message: 'The speaker was renamed.' });
  await runPython(`
with rapporteur.Rapporteur(os.environ["RAPPORTEUR_API_URL"], os.environ["RAPPORTEUR_API_KEY"]) as client:
    client.bots.rename_speaker("${botId}", "Sam", "Uma", speaker_id=2)
    client.bots.rename_speaker("${botId}", "Sam", None)
    found = None
`);
  expect(edge.scheduler.calls.map(({ body }) => body)).toEqual([
    { speaker: 'Sam', name: 'Uma', speaker_id: 2 },
    { speaker: 'Sam', name: null },
  ]);
});

test('a status that does not exist and a wait that is too long are errors of the program', async () => {
  edge.scheduler.response = succeeded(report('in_waiting_room'));
  const found = await runPython(`
with rapporteur.Rapporteur(os.environ["RAPPORTEUR_API_URL"], os.environ["RAPPORTEUR_API_KEY"]) as client:
    found = []
    try:
        client.bots.list(status=["completed", "fialed"])
    except ValueError as error:
        found.append(str(error))
    try:
        client.bots.wait_until_done("${botId}", timeout=1, poll=5)
    except rapporteur.RapporteurError as error:
        found.append([error.code, str(error)])
`);
  expect(found).toEqual([
    expect.stringMatching(/^status: 'fialed' is none of api_request_stop, .*completed, failed, /),
    ['CLIENT_TIMEOUT', 'The bot did not end in time; its status is in_waiting_room.'],
  ]);
});

test('a request is repeated once the service is back, with the same key, by both clients', async () => {
  const service = await startReceiver((_call, response, count) => {
    const isAway = count % 2 === 1;
    const refusal = { success: false, error: 'x', code: 'FST_ERR_UNAVAILABLE', statusCode: 503, message: 'Away.' };
    response.writeHead(isAway ? 503 : 201, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isAway ? refusal : { success: true, data: { bot_id: botId } }));
  });
  const found = await runPython(
    `
import asyncio
from rapporteur.v2.api.bots import create_bot
from rapporteur.v2.models import CreateBot
body = CreateBot(bot_name="Again", meeting_url="https://meet.google.com/abc-defg-hij")

async def later():
    async with rapporteur.AsyncRapporteur(sys.argv[1], "rap_test") as client:
        return str((await client.call(create_bot.asyncio, body=body)).data.bot_id)

with rapporteur.Rapporteur(sys.argv[1], "rap_test") as client:
    found = [str(client.call(create_bot.sync, body=body).data.bot_id), asyncio.run(later())]
`,
    [service.url],
  );
  await service.close();
  const keys = service.calls.map(({ headers }) => headers['idempotency-key']);
  expect(found).toEqual([botId, botId]);
  expect(keys).toHaveLength(4);
  expect(keys[0]).toMatch(/^python-/);
  expect(keys).toEqual([keys[0], keys[0], keys[2], keys[2]]);
});

test('a delivery is verified with the secrets of a rotation, and a forged one is refused', async () => {
  const body = JSON.stringify({ event: 'bot.completed', data: {} });
  const now = new Date();
  const headers = {
    'Webhook-Id': 'msg_1',
    'Webhook-Timestamp': String(Math.floor(now.getTime() / 1000)),
    'Webhook-Signature': new Webhook(secret).sign('msg_1', now, body),
  };
  const found = await runPython(
    `
body, headers = sys.argv[1], json.loads(sys.argv[2])
found = [rapporteur.verify_webhook(body.encode(), headers, ["whsec_AAAA", "${secret}"])["event"]]
for wrong, names in [(body + " ", headers), (body, {}), (body, {**headers, "Webhook-Timestamp": "1"})]:
    try:
        rapporteur.verify_webhook(wrong, names, "${secret}")
    except rapporteur.WebhookVerificationError:
        found.append("refused")
`,
    [body, JSON.stringify(headers)],
  );
  expect(found).toEqual(['bot.completed', 'refused', 'refused', 'refused']);
});

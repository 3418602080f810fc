import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { createOwnTeam } from './shared-stack.ts';
import type { OwnTeam } from './shared-stack.ts';

const run = promisify(execFile);
const client = join(import.meta.dirname, '../../../clients/python');
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** Everything that the recording example does not do: errors, pages, asyncio, webhooks. */
const checks = `
import asyncio, json, os, sys
from rapporteur import AsyncRapporteur, Rapporteur, RapporteurError, WebhookVerificationError, verify_webhook
from rapporteur.v2.api.bots import get_bot, list_bots, list_scheduled_bots, schedule_bot
from rapporteur.v2.models import ScheduleBot
url, key = os.environ["RAPPORTEUR_API_URL"], os.environ["RAPPORTEUR_API_KEY"]
found = {}

def code_of(work):
    try:
        work()
    except RapporteurError as error:
        return [error.code, error.status_code, str(error)]

with Rapporteur(url, key) as client:
    wrong = Rapporteur(url, "rap_wrong")
    found["key"] = code_of(lambda: wrong.call(list_bots.sync))
    found["missing"] = code_of(lambda: client.call(get_bot.sync, "3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11"))
    body = ScheduleBot.from_dict({"bot_name": "Later", "meeting_url": "https://meet.google.com/abc-defg-hij", "join_at": sys.argv[1]})
    made = [str(client.call(schedule_bot.sync, body=body).data.bot_id) for _ in range(3)]
    found["pages"] = sorted(str(bot.bot_id) for bot in client.pages(list_scheduled_bots.sync, limit=1)) == sorted(made)

async def count():
    async with AsyncRapporteur(url, key) as client:
        return len([bot async for bot in client.pages(list_scheduled_bots.asyncio, limit=2)])

found["asyncio"] = asyncio.run(count())
delivery = json.loads(sys.argv[2])
found["event"] = verify_webhook(delivery["body"], delivery["headers"], ["whsec_AAAA", "${secret}"])["event"]
try:
    verify_webhook(delivery["body"] + " ", delivery["headers"], "${secret}")
except WebhookVerificationError:
    found["forged"] = True
print(json.dumps(found))
`;

let folder: string;
let python: string;
let team: OwnTeam;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rapporteur-python-'));
  python = join(folder, 'venv/bin/python');
  const install = async (): Promise<void> => {
    await run(join(client, 'build.sh'), [join(folder, 'wheel')]);
    const [wheel = ''] = await readdir(join(folder, 'wheel'));
    await run('python3', ['-m', 'venv', join(folder, 'venv')]);
    await run(python, ['-m', 'pip', 'install', '--quiet', join(folder, 'wheel', wheel)]);
  };
  [team] = await Promise.all([createOwnTeam(), install()]);
}, 300_000);
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

test('the installed Python client records a meeting, pages, explains errors and verifies webhooks', async () => {
  const room = await team.simulator.startRoom({ speakers: 2, loopSeconds: 10, durationSeconds: 25 });
  const env = { ...process.env, RAPPORTEUR_API_URL: team.apiUrl, RAPPORTEUR_API_KEY: team.apiKey };
  const body = JSON.stringify({ event: 'bot.completed', data: {} });
  const at = new Date();
  const headers = {
    'Webhook-Id': 'msg_1',
    'Webhook-Timestamp': String(Math.floor(at.getTime() / 1000)),
    'Webhook-Signature': new Webhook(secret).sign('msg_1', at, body),
  };
  await writeFile(join(folder, 'checks.py'), checks);
  const joinAt = new Date(at.getTime() + 86_400_000).toISOString();
  const [recorded, checked] = await Promise.all([
    run(python, [join(client, 'examples/record.py'), room.url], { env }),
    run(python, [join(folder, 'checks.py'), joinAt, JSON.stringify({ body, headers })], { env }),
  ]);
  const [status, , video = ''] = recorded.stdout.trim().split(' ');
  expect(status).toBe('completed');
  const bytes = await (await fetch(video)).bytes();
  expect(Buffer.from(bytes.subarray(4, 8)).toString()).toBe('ftyp');
  expect(JSON.parse(checked.stdout)).toEqual({
    key: ['FST_ERR_FORBIDDEN', 403, expect.stringContaining('API key')],
    missing: ['FST_ERR_BOT_NOT_FOUND_BY_ID', 404, expect.any(String)],
    pages: true,
    asyncio: 3,
    event: 'bot.completed',
    forged: true,
  });
}, 240_000);

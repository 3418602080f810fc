import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { publicDocument } from '@rapporteur/contracts/public-api';
import { startEdge } from './testing/gateway-under-test.ts';
import type { Edge } from './testing/gateway-under-test.ts';

// With the tests on a control plane, which need Go too: `npm test` alone runs without it.
const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const botId = '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11';
const buildMs = 300_000;
let edge: Edge;
let folder: string;
let environment: Record<string, string | undefined>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rapporteur-go-'));
  const generator = join(root, 'node_modules/.cache/rapporteur-go-generator');
  await mkdir(generator, { recursive: true });
  await run(join(root, 'clients/go/build.sh'), [folder], { env: { ...process.env, GENERATOR: generator } });
  edge = await startEdge();
  const key = await edge.createKey(await edge.createTeam(), 'full');
  environment = { ...process.env, RAPPORTEUR_API_URL: await edge.startGateway(), RAPPORTEUR_API_KEY: key };
}, buildMs);
afterAll(async () => {
  await edge?.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  edge.scheduler.calls.length = 0;
});

interface Described {
  readonly get: {
    readonly responses: {
      readonly 200: { readonly content: Record<string, { example: { data: Record<string, unknown> } }> };
    };
  };
}

/** The published example of a success. */
function exampleOf(path: string): Record<string, unknown> {
  const described = (publicDocument as { readonly paths: Readonly<Record<string, Described>> }).paths[path];
  const example = described?.get.responses[200].content['application/json']?.example;
  if (example === undefined) throw new Error(`GET ${path} has no example.`);
  return example.data;
}
const succeeded = (data: unknown, more: object = {}, status = 200) => ({
  status,
  body: { success: true, data, ...more },
});

async function runGo(source: string): Promise<unknown> {
  const program = join(folder, 'examples', 'test');
  await mkdir(program, { recursive: true });
  const imports = ['context', 'encoding/json', 'errors', 'os', 'rapporteur/client/api'].map((name) => `"${name}"`);
  await writeFile(
    join(program, 'main.go'),
    `package main\nimport (\n${imports.join('\n')}\nrapporteur "rapporteur/client"\n)\n
var url, key = os.Getenv("RAPPORTEUR_API_URL"), os.Getenv("RAPPORTEUR_API_KEY")
var ctx = context.Background()
var _ = errors.As
var _ api.BotId
func print(found any) { _ = json.NewEncoder(os.Stdout).Encode(found) }
func must(client *rapporteur.Client, err error) *rapporteur.Client { if err != nil { panic(err) }; return client }
func main() {\n${source}\n}\n`,
  );
  return JSON.parse((await run('go', ['run', './examples/test'], { cwd: folder, env: environment })).stdout);
}

test('the example records a meeting and prints its transcript', async () => {
  const transcript = exampleOf('/v2/bots/{bot_id}/transcript') as { utterances: object[] };
  const said = { ...transcript.utterances[0], speaker: 'Ann', text: 'Good morning.', start: 61.2, end: 62 };
  const report = { ...exampleOf('/v2/bots/{bot_id}/status'), bot_id: botId };
  const details = { ...exampleOf('/v2/bots/{bot_id}'), bot_id: botId, status: 'completed' };
  edge.scheduler.nextResponses.push(
    succeeded({ bot_id: botId }, {}, 201),
    succeeded({ ...report, status: 'in_call_recording' }),
    succeeded({ ...report, status: 'completed' }),
    succeeded(details),
    succeeded({ ...transcript, utterances: [said] }),
  );
  const meeting = 'https://meet.google.com/abc-defg-hij';
  const { stdout } = await run('go', ['run', './examples/record', meeting], { cwd: folder, env: environment });
  expect(stdout).toBe('completed\n61 Ann: Good morning.\n');
  expect(edge.scheduler.calls[0]?.body).toMatchObject({ bot_name: 'Recorder', meeting_url: meeting });
}, 120_000);

test('a list is read page by page, and a request is repeated once the service is back, with the same key', async () => {
  const [listed] = exampleOf('/v2/bots') as unknown as Record<string, unknown>[];
  const away = {
    success: false,
    error: 'x',
    code: 'FST_ERR_UNAVAILABLE',
    statusCode: 503,
    message: 'Away.',
    details: null,
  };
  edge.scheduler.nextResponses.push(
    succeeded([listed], { cursor: 'second', prev_cursor: null }),
    succeeded([listed], { cursor: null, prev_cursor: 'first' }),
    { status: 503, body: away },
    succeeded({ message: 'Leaving.' }),
  );
  const found = await runGo(`
client := must(rapporteur.New(url+"/", key, rapporteur.Options{}))
status, count := "completed", 0
for _, err := range client.Bots.List(ctx, api.ListBotsParams{Status: &status}) { if err != nil { panic(err) }; count++ }
var id api.BotId
_ = id.UnmarshalText([]byte("${botId}"))
print([]any{count, client.Bots.Leave(ctx, id)})`);
  expect(found).toEqual([2, null]);
  expect(edge.scheduler.calls[1]?.path).toContain('cursor=second');
  const [first, second] = edge.scheduler.calls.slice(2).map(({ headers }) => headers['x-idempotency-id']);
  expect(first).toEqual(expect.any(String));
  expect(second).toBe(first);
}, 120_000);

test('what the gateway refuses is an error with its code, status and words', async () => {
  const found = await runGo(`
failure := func(key, meeting string) []any {
	client := must(rapporteur.New(url, key, rapporteur.Options{Retries: -1}))
	_, err := client.Bots.Create(ctx, api.CreateBot{BotName: "Bot", MeetingUrl: meeting})
	var refusal *rapporteur.Error
	errors.As(err, &refusal)
	return []any{refusal.Code, refusal.StatusCode, refusal.Message, refusal.RequestID != ""}
}
_, address := rapporteur.New(url+"/v2", key, rapporteur.Options{})
print([]any{failure("rap_wrong", "https://meet.google.com/abc-defg-hij"), failure(key, "http://example.com"), address.Error()})`);
  expect(found).toEqual([
    ['FST_ERR_FORBIDDEN', 403, expect.stringContaining('This is no API key'), true],
    ['FST_ERR_VALIDATION', 400, expect.stringContaining('meeting_url'), true],
    expect.stringContaining('leave out the version'),
  ]);
}, 120_000);

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startReceiver } from '@rapporteur/testbed/receiver';
import type { Receiver, Respond } from '@rapporteur/testbed/receiver';
import { groups } from './groups.ts';
import { run } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'operator-cli-'));
const first = {
  team_id: 't-1',
  name: 'First team',
  plan: 'self_hosted',
  requests_per_second: 50,
  daily_bot_cap: 3000,
  retention_days: 30,
  own_limits: { requests_per_second: null, daily_bot_cap: null, retention_days: null as number | null },
  created_at: '2026-11-21T09:00:00.000Z',
};
const plan = { name: 'club', requests_per_second: 4, daily_bot_cap: 40, retention_days: 4, teams: 2 };
const key = {
  key_id: 'k-1',
  team_id: 't-1',
  name: 'Key',
  permission: 'full',
  start: 'rap_abcd',
  created_at: '2026-11-21T09:00:00.000Z',
  expires_at: null,
  revoked_at: null,
  last_used_at: null,
};
const keysOfFirst = [key, { ...key, key_id: 'k-2', permission: 'sending', revoked_at: '2026-11-21T09:00:00.000Z' }];
const spilled = [
  {
    bot_id: 'b-1',
    team_id: 't-1',
    key: 'artifacts/video.mp4',
    bytes: 4,
    spilled_at: '2026-11-23T09:00:00.000Z',
    attempts: 2,
    last_error: 'The object store refuses this access key.',
  },
];
let teams = [first];
/** The newest team's keys in the admin API. */
let newestKeys = keysOfFirst;
/** The stacks announced on this machine. */
let runningStacks: readonly string[] = [];
let calls: { method: string; path: string; authorization: string | undefined; body: unknown }[] = [];

/** A fake of the admin API, whose own tests are in apps/api-gateway. */
const respond: Respond = ({ method, path, headers, body }, response) => {
  calls.push({
    method,
    path,
    authorization: headers.authorization,
    body: body.length === 0 ? null : JSON.parse(String(body)),
  });
  const responses: Record<string, unknown> = {
    'GET /admin/v1/teams': teams,
    'GET /admin/v1/keys': newestKeys,
    'GET /admin/v1/teams/t-1/keys': keysOfFirst,
    'GET /admin/v1/teams/t-2/keys': [],
    'POST /admin/v1/teams': { ...first, key, api_key: 'rap_the-whole-key' },
    'POST /admin/v1/teams/t-1/keys': { ...key, permission: 'sending', api_key: 'rap_the-whole-key' },
    'DELETE /admin/v1/keys/k-1': key,
    'PATCH /admin/v1/keys/k-1': { ...key, permission: 'sending' },
    'PATCH /admin/v1/teams/t-1': { ...first, plan: 'pro', requests_per_second: 10 },
    'GET /admin/v1/plans': [plan],
    'POST /admin/v1/plans': { ...plan, teams: 0 },
    'PATCH /admin/v1/plans/club': plan,
    'GET /admin/v1/storage/spilled-objects': spilled,
    'PUT /admin/v1/bots/b-1/legal-hold': { bot_id: 'b-1', held: true },
    'POST /admin/v1/teams/t-1/tokens': { grant_id: 'g', tokens: 5 },
  };
  const data = responses[`${method} ${path}`];
  response.writeHead(data === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(data === undefined ? { message: 'There is no API key with this id.' } : { data }));
};
let server: Receiver;

beforeAll(async () => {
  server = await startReceiver(respond);
  mkdirSync(join(folder, '.rapporteur'));
  const { url } = server;
  writeFileSync(join(folder, '.rapporteur', 'admin.json'), JSON.stringify({ url, token: 'the admin token' }));
  writeFileSync(join(folder, 'token'), 'a token from a file\n');
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  calls = [];
  runningStacks = [];
  teams = [first];
  newestKeys = keysOfFirst;
});

/** Settings and profiles of the user. */
let environment: Record<string, string> = {};

async function type(line: string): Promise<{ code: number; out: string; complaints: string }> {
  let out = '';
  let complaints = '';
  const words = (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
  const print = (text: string): void => void (out += text);
  const complain = (text: string): void => void (complaints += text);
  const code = await run(words, { folder, environment, runningStacks, print, complain });
  return { code, out, complaints };
}

describe('rapporteur keys', () => {
  test('create prints the key on the first line and uses what was given', async () => {
    const { code, out } = await type('keys create --permission sending --name website');
    expect(code).toBe(0);
    expect(out.split('\n')[0]).toBe('rap_the-whole-key');
    expect(out).toContain('Sending Access for the team "First team"');
    expect(calls.at(-1)).toEqual({
      method: 'POST',
      path: '/admin/v1/teams/t-1/keys',
      authorization: 'Bearer the admin token',
      body: { permission: 'sending', name: 'website' },
    });
  });

  test('create prompts for the team when there are several, and states when there is no such team', async () => {
    teams = [first, { ...first, team_id: 't-2', name: 'Second' }];
    expect(await type('keys create')).toMatchObject({ code: 2, complaints: expect.stringContaining('--team NAME') });
    expect(await type('keys create --team Third')).toMatchObject({
      code: 1,
      complaints: expect.stringContaining('"Second"'),
    });
    expect(await type('keys create --team "First team"')).toMatchObject({ code: 0 });
  });

  test('list shows every key without its secret', async () => {
    const { out } = await type('keys list');
    expect(out).toMatch(/k-1 +rap_abcd… +First team +Key +Full Access +good +never/);
    expect(out).toMatch(/k-2 .*Sending Access +revoked/);
  });

  test('list can be of one team', async () => {
    teams = [first, { ...first, team_id: 't-2', name: 'Second' }];
    expect((await type('keys list --team Second')).out).toContain('There are no keys yet');
    expect((await type('keys list --team t-1')).out).toMatch(/k-1 +rap_abcd… +First team +Key/);
  });

  test('of one team are all found, also when so many newer ones of others are there that a list of all leaves them out', async () => {
    teams = [first, { ...first, team_id: 't-2', name: 'Second' }];
    newestKeys = Array.from({ length: 1_000 }, (_, index) => ({ ...key, key_id: `n-${index}`, team_id: 't-2' }));
    expect((await type('keys list --team "First team"')).out).toMatch(/k-1 [^]*k-2 /);
    expect((await type('teams show "First team"')).out).toContain('1 good, 1 revoked');
  });

  test('change narrows, ends or renames a key', async () => {
    expect((await type('keys change k-1 --permission sending --expires-at never')).out).toContain('has Sending Access');
    expect(calls.at(-1)?.body).toEqual({ permission: 'sending', expires_at: null });
    expect(await type('keys change k-1')).toMatchObject({
      code: 2,
      complaints: expect.stringContaining('What to change?'),
    });
    expect(await type('keys change')).toMatchObject({ code: 2, complaints: expect.stringContaining('Which key?') });
  });

  test('revoke ends one, and passes on what the API states when it does not know it', async () => {
    expect(await type('keys revoke k-1')).toMatchObject({ code: 0, out: expect.stringContaining('is revoked') });
    expect(await type('keys revoke k-9')).toMatchObject({ code: 1, complaints: 'There is no API key with this id.' });
    expect(await type('keys revoke')).toMatchObject({ code: 2, complaints: expect.stringContaining('Which key?') });
  });
});

describe('rapporteur teams and tokens', () => {
  test('teams create makes a team with plan and tokens', async () => {
    const { out } = await type('teams create "Second team" --plan pro --tokens 360000');
    expect(out.split('\n')[0]).toBe('rap_the-whole-key');
    expect(calls.at(-1)?.body).toEqual({ name: 'Second team', plan: 'pro', tokens: 360_000 });
  });

  test('teams list shows the limits of each plan', async () => {
    expect((await type('teams list')).out).toMatch(/t-1 +First team +self_hosted +50 +3000 +30/);
  });

  test('teams list marks what a team has of its own', async () => {
    teams = [{ ...first, retention_days: 90, own_limits: { ...first.own_limits, retention_days: 90 } }];
    expect((await type('teams list')).out).toMatch(/50 +3000 +90\*/);
  });

  test('teams show prints all data of one, by name or id', async () => {
    for (const name of ['"First team"', 't-1']) {
      const { out } = await type(`teams show ${name}`);
      expect(out).toMatch(/Plan +self_hosted\n.*50 requests a second[^]*all as its plan says[^]*1 good, 1 revoked/);
    }
    expect(await type('teams show')).toMatchObject({ code: 2, complaints: expect.stringContaining('Which team?') });
  });

  test('teams change moves, renames and gives limits of its own, or takes them away', async () => {
    const { out } = await type('teams change "First team" --plan pro --requests-per-second 10 --retention-days plan');
    expect(calls.at(-1)).toMatchObject({
      method: 'PATCH',
      body: { plan: 'pro', requests_per_second: 10, retention_days: null },
    });
    expect(out).toContain('plan pro: 10 requests a second');
    expect(await type('teams change t-1')).toMatchObject({
      code: 2,
      complaints: expect.stringContaining('--plan PLAN'),
    });
    expect(await type('teams change t-1 --daily-bot-cap lots')).toMatchObject({
      code: 2,
      complaints: '--daily-bot-cap (or the word plan) must be a whole number above zero, not lots.',
    });
  });

  test('tokens grant requires a number above zero', async () => {
    expect(await type('tokens grant 5')).toMatchObject({ code: 0 });
    expect(await type('tokens grant many')).toMatchObject({
      code: 2,
      complaints: expect.stringContaining('above zero'),
    });
  });
});

describe('rapporteur plans', () => {
  test('list, create and change', async () => {
    expect((await type('plans list')).out).toMatch(/club +4 +40 +4 +2/);
    await type('plans create club --requests-per-second 4 --daily-bot-cap 40 --retention-days 4');
    expect(calls.at(-1)?.body).toEqual({ name: 'club', requests_per_second: 4, daily_bot_cap: 40, retention_days: 4 });
    expect((await type('plans change club --daily-bot-cap 50')).out).toContain('2 teams');
    expect(calls.at(-1)).toMatchObject({ path: '/admin/v1/plans/club', body: { daily_bot_cap: 50 } });
  });

  test.each([
    ['plans create', 'What is the plan called?'],
    ['plans create club --daily-bot-cap 4', 'A plan needs --requests-per-second'],
    ['plans create club --requests-per-second 0.5', 'must be a whole number above zero'],
    ['plans change club', 'What to change?'],
    ['plans change', 'Which plan?'],
  ])('%s receives %s', async (line, words) => {
    expect(await type(line)).toMatchObject({ code: 2, complaints: expect.stringContaining(words) });
  });
});

test('recordings that wait for a bucket are listed with the reason', async () => {
  const { code, out } = await type('storage spilled');
  expect(code).toBe(0);
  expect(out).toMatch(/t-1 +b-1 +artifacts\/video.mp4 +4 +2 +The object store refuses this access key\./);
});

test('a bot is put under a legal hold and released', async () => {
  expect(await type('bots hold b-1')).toMatchObject({ code: 0 });
  expect(await type('bots release b-1')).toMatchObject({ code: 0 });
  expect(calls.slice(-2).map(({ body }) => body)).toEqual([{ held: true }, { held: false }]);
});

describe('the path to the admin API', () => {
  test('leads to the stack that runs, wherever its data folder is, and requires a choice when several run', async () => {
    runningStacks = ['elsewhere'];
    const gone = await type('teams list');
    expect(gone).toMatchObject({
      code: 1,
      complaints: expect.stringContaining(join(folder, 'elsewhere', 'admin.json')),
    });
    runningStacks = [join(folder, '.rapporteur')];
    expect(await type('teams list')).toMatchObject({ code: 0 });
    runningStacks = ['/srv/one', '/srv/two'];
    expect(await type('teams list')).toMatchObject({
      code: 2,
      complaints: expect.stringMatching(/--data-folder:\n {2}\/srv\/one\n {2}\/srv\/two$/),
    });
    expect(await type('teams list --data-folder .rapporteur')).toMatchObject({ code: 0 });
  });

  test('is given with an address and a token file', async () => {
    expect(await type(`teams list --admin-url ${server.url}/ --admin-token-file token`)).toMatchObject({
      code: 0,
    });
    expect(calls.at(-1)?.authorization).toBe('Bearer a token from a file');
    expect(await type('teams list --admin-url http://127.0.0.1:1')).toMatchObject({
      code: 2,
      complaints: expect.stringContaining('together'),
    });
  });

  test('states what to do when nothing is there', async () => {
    expect(await type('teams list --data-folder elsewhere')).toMatchObject({
      code: 1,
      complaints: expect.stringContaining('npm start'),
    });
    const gone = await type('teams list --admin-url http://127.0.0.1:1 --admin-token-file token');
    expect(gone).toMatchObject({
      code: 1,
      complaints: expect.stringContaining('Nothing responds at http://127.0.0.1:1'),
    });
  });

  test.each([
    ['keys mend', "unknown command 'mend'"],
    ['keys', 'Usage: rapporteur keys'],
    ['keys list --loud', "unknown option '--loud'"],
    ['keys list --team', "option '--team <team>' argument missing"],
    ['nonsense', "unknown command 'nonsense'"],
  ])('"%s" is not understood: %s, and help is near', async (line, sentence) => {
    const { code, complaints } = await type(line);
    expect(code).toBe(2);
    expect(complaints).toContain(sentence);
    expect(complaints).toMatch(/--help/);
  });

  test('help is not a mistake, and every command has an example and --json', async () => {
    expect(await type('')).toMatchObject({ code: 0, out: expect.stringContaining('doctor') });
    expect(await type('--help')).toMatchObject({ code: 0, out: expect.stringContaining('--data-folder') });
    for (const { noun, commands } of groups) {
      for (const [verb, { example }] of Object.entries(commands)) {
        expect(example.startsWith(`${noun} ${verb}`.trim())).toBe(true);
        const help = await type(`${noun} ${verb} --help`);
        expect(help).toMatchObject({ code: 0, out: expect.stringContaining(`npm run rapporteur -- ${example}`) });
        expect(help.out).toContain('--json');
      }
    }
  });

  test('--json gives what programs read', async () => {
    const { out } = await type('teams list --json');
    expect(JSON.parse(out)).toEqual([first]);
    expect(JSON.parse((await type('keys list --json --team t-1')).out)).toEqual(keysOfFirst);
  });

  test.each(['bash', 'zsh', 'fish'])('completion for %s names every command and runs in bash', async (shell) => {
    const { code, out } = await type(`completion ${shell}`);
    expect(code).toBe(0);
    for (const { noun } of groups) expect(out).toContain(noun);
    if (shell === 'fish') expect(out).toContain("'__fish_seen_subcommand_from transcripts' -a 'search'");
    if (shell !== 'bash') return;
    const script = `${out}\nCOMP_WORDS=(rapporteur bots t); COMP_CWORD=2; _rapporteur; echo "\${COMPREPLY[@]}"`;
    expect(execFileSync('bash', ['-c', script], { encoding: 'utf8' })).toBe('tail transcript\n');
  });
});

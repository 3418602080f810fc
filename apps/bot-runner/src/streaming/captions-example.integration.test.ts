import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { WebSocket } from 'ws';

const root = join(import.meta.dirname, '../../../..');
const port = 20_000 + (process.pid % 20_000);
let folder: string;
let example: ChildProcess;

beforeAll(async () => {
  const guide = await readFile(join(root, 'docs/guides/streaming.md'), 'utf8');
  const code =
    guide
      .split('```ts\n')
      .findLast((block) => block.includes('Live captions'))
      ?.split('```')[0] ?? '';
  folder = await mkdtemp(join(tmpdir(), 'rapporteur-captions-'));
  // Node resolves `ws` there.
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'captions.mts'), code);
  example = spawn(process.execPath, [join(folder, 'captions.mts')], {
    env: { PORT: String(port) },
    stdio: 'inherit',
  });
  await waitFor(
    async () =>
      await fetch(`http://127.0.0.1:${port}`).then(
        (response) => response.ok,
        () => false,
      ),
    {
      what: 'the example to serve its page',
    },
  );
});
afterAll(async () => {
  example.kill('SIGKILL');
  if (example.exitCode === null && example.signalCode === null) await once(example, 'exit');
  await rm(folder, { recursive: true, force: true });
});

test('the captions of the guide resume a session and reach every open page', async () => {
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toContain('Live captions');
  const captions: unknown[] = [];
  const page = new WebSocket(`ws://127.0.0.1:${port}/page`);
  page.on('message', (text: Buffer) => captions.push(JSON.parse(String(text))));
  await once(page, 'open');
  const resumedAfter: number[] = [];
  const connect = async (): Promise<WebSocket> => {
    const bot = new WebSocket(`ws://127.0.0.1:${port}/bot`);
    bot.on('message', (text: Buffer) => resumedAfter.push((JSON.parse(String(text)) as { after: number }).after));
    await once(bot, 'open');
    bot.send(JSON.stringify({ protocol_version: 2, mode: 'transcription', session_id: 's-1', next_sequence: 2 }));
    return bot;
  };
  const bot = await connect();
  const data = { segment_id: 'a-1', sequence: 7, is_final: true, text: 'Hello.', speaker: { name: 'Ann' } };
  bot.send(JSON.stringify({ event: 'session.started', data: { sequence: 6 } }));
  bot.send(JSON.stringify({ event: 'transcript.segment', data }));
  await waitFor(() => captions.length === 1, { what: 'the caption' });
  expect(captions).toEqual([data]);
  bot.close();
  const again = await connect();
  await waitFor(() => resumedAfter.length === 2, { what: 'the second resume' });
  expect(resumedAfter).toEqual([0, 7]);
  again.close();
  page.close();
}, 60_000);

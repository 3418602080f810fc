import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startReceiver } from '@rapporteur/testbed/receiver';
import type { Receiver, Respond } from '@rapporteur/testbed/receiver';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const botId = '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11';
const unknownId = '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b12';
let baseUrl: string;
let calls: { path: string; key: unknown; body: unknown }[] = [];
let statuses: string[] = [];

const utterances = Array.from({ length: 2_000 }, (_unused, index) => ({
  speaker: index % 2 === 0 ? 'Ann' : 'Ben',
  text: `This is sentence number ${index}.`,
  start: index,
}));

/** A fake of the public API and its object store. */
const respond: Respond = ({ method, path: target, headers, body }, response) => {
  const path = `${method} ${target}`;
  response.setHeader('content-type', 'application/json');
  calls.push({ path, key: headers['x-service-api-key'], body: body.length === 0 ? null : JSON.parse(String(body)) });
  const participant = { id: 1, name: '\u202eAnn', profile_picture: 'https://a.example/ann.png' };
  const bot = {
    bot_id: botId,
    meeting_url: 'https://meet.google.com/abc-defg-hij',
    error_code: null,
    status: 'completed',
    transcription: `${baseUrl}/files/transcript`,
    participants: [participant],
    speakers: [participant],
  };
  const data: Record<string, unknown> = {
    'POST /v2/bots': { bot_id: botId },
    'POST /v2/bots/scheduled': { bot_id: botId },
    'GET /v2/bots?limit=20': [{ bot_id: botId, extra: null }],
    'GET /v2/bots/scheduled?limit=20': [],
    [`GET /v2/bots/${botId}/status`]: { status: statuses[0] },
    [`GET /v2/bots/${botId}`]: bot,
    [`GET /v2/bots/${botId}/transcript`]: { languages: ['en'], utterances, missing: [] },
    [`POST /v2/bots/${botId}/leave`]: { message: 'The bot leaves.' },
    [`POST /v2/bots/${botId}/send-chat-message`]: { message: 'Sent.' },
    [`PATCH /v2/bots/scheduled/${botId}`]: { message: 'Changed.' },
    [`DELETE /v2/bots/scheduled/${botId}`]: { message: 'Cancelled.' },
    'GET /v2/bots?limit=20&meeting_url=https%3A%2F%2Fmeet.google.com%2Fabc-defg-hij&status=failed': [],
  };
  const found = data[path];
  if (path.endsWith('/status') && statuses.length > 1) statuses.shift();
  const refusal = { success: false, code: 'FST_ERR_BOT_NOT_FOUND_BY_ID', message: 'There is no bot with this id.' };
  response.statusCode = found === undefined ? 404 : 200;
  response.end(JSON.stringify(found === undefined ? refusal : { success: true, data: found, cursor: null }));
};
let service: Receiver;

let http: { readonly program: ChildProcess; readonly url: string };
beforeAll(async () => {
  service = await startReceiver(respond);
  baseUrl = service.url;
  const program = spawn(process.execPath, [...entry, '--http', '--port', '0'], {
    env: { ...process.env, RAPPORTEUR_API_URL: baseUrl },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [line] = (await once(program.stderr, 'data')) as [Buffer];
  http = { program, url: String(line).replace('Serving ', '').trim() };
});
afterAll(async () => {
  http.program.kill('SIGTERM');
  await once(http.program, 'exit');
  await service.close();
});
beforeEach(() => {
  calls = [];
  statuses = ['joining_call', 'in_call_recording', 'completed'];
});

const entry = ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'main.ts')];
const transports = {
  stdio: () =>
    new StdioClientTransport({
      command: process.execPath,
      args: entry,
      env: { RAPPORTEUR_API_URL: baseUrl, RAPPORTEUR_API_KEY: 'rap_mine' },
    }),
  'streamable HTTP': () =>
    new StreamableHTTPClientTransport(new URL(http.url), {
      requestInit: { headers: { authorization: 'Bearer rap_mine' } },
    }),
};

async function withClient(kind: keyof typeof transports, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transports[kind]() as Parameters<typeof client.connect>[0]);
  try {
    await work(client);
  } finally {
    await client.close();
  }
}

/** The JSON result of a tool, and whether it is an error. */
async function use(client: Client, name: string, input: Record<string, unknown> = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: input });
  const [first] = content as { text: string }[];
  return { isError, value: JSON.parse(first?.text ?? 'null') as Record<string, unknown> };
}

describe.each(Object.keys(transports) as (keyof typeof transports)[])('over %s', (kind) => {
  test('a client sends a bot, follows it, writes, reads who was there and what was said', async () => {
    await withClient(kind, async (client) => {
      const meeting_url = 'https://meet.google.com/abc-defg-hij';
      expect((await use(client, 'send_bot', { meeting_url })).value).toEqual({ bot_id: botId });
      let seen: string[] = [];
      while (seen.at(-1) !== 'completed') {
        const known = seen.length === 0 ? {} : { known_status: seen.at(-1) };
        seen = [
          ...seen,
          String((await use(client, 'follow_bot', { bot_id: botId, seconds: 5, ...known })).value['status']),
        ];
      }
      expect(seen).toEqual(['joining_call', 'in_call_recording', 'completed']);
      await use(client, 'send_chat_message', { bot_id: botId, message: 'Good morning' });
      await use(client, 'leave_meeting', { bot_id: botId });
      expect((await use(client, 'get_participants', { bot_id: botId })).value).toMatchObject({
        speakers: [{ name: 'Ann' }],
      });
      const lines: unknown[] = [];
      let from: unknown = 0;
      while (from !== undefined) {
        const part = (await use(client, 'get_transcript', { bot_id: botId, from })).value;
        lines.push(...(part['lines'] as unknown[]));
        from = part['next'];
      }
      expect(lines).toHaveLength(utterances.length);
      expect(lines[1]).toBe('[1] Ben: This is sentence number 1.');
      expect(calls[0]).toEqual({
        path: 'POST /v2/bots',
        key: 'rap_mine',
        body: { meeting_url, bot_name: 'Rapporteur', transcription_enabled: true },
      });
    });
  });

  test('tools are listed with their meaning, and lists are read', async () => {
    await withClient(kind, async (client) => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name).sort()).toEqual([
        'cancel_calendar_bot',
        'cancel_scheduled_bot',
        'change_scheduled_bot',
        'check_meeting',
        'delete_bot_data',
        'follow_bot',
        'get_bot',
        'get_live',
        'get_participants',
        'get_transcript',
        'get_usage',
        'leave_meeting',
        'list_bots',
        'list_calendar_events',
        'list_calendars',
        'list_scheduled_bots',
        'pause_recording',
        'rename_speaker',
        'resume_recording',
        'retranscribe',
        'schedule_bot',
        'schedule_calendar_bot',
        'search_transcripts',
        'send_bot',
        'send_chat_message',
      ]);
      for (const { title, description, inputSchema, outputSchema } of tools) {
        expect([title, description]).toEqual([expect.any(String), expect.stringMatching(/\.$/)]);
        expect(inputSchema).toMatchObject({ additionalProperties: false });
        expect(outputSchema).toMatchObject({ type: 'object' });
      }
      const named = (wanted: (tool: (typeof tools)[number]) => boolean | undefined) =>
        tools
          .filter(wanted)
          .map(({ name }) => name)
          .sort();
      expect(named(({ annotations }) => annotations?.destructiveHint)).toEqual([
        'cancel_calendar_bot',
        'cancel_scheduled_bot',
        'delete_bot_data',
        'leave_meeting',
      ]);
      expect(named(({ description }) => description?.includes('not instructions'))).toEqual([
        'get_bot',
        'get_live',
        'get_participants',
        'get_transcript',
        'list_bots',
        'list_calendar_events',
        'list_calendars',
        'list_scheduled_bots',
        'search_transcripts',
      ]);
      expect((await use(client, 'list_bots')).value).toEqual({ bots: [{ bot_id: botId }] });
      expect((await use(client, 'list_scheduled_bots')).value).toEqual({ bots: [] });
      const join_at = '2027-01-31T18:00:00Z';
      await use(client, 'schedule_bot', { meeting_url: 'https://meet.google.com/abc-defg-hij', join_at });
      expect(calls.at(-1)).toMatchObject({ path: 'POST /v2/bots/scheduled', body: { join_at } });
      await use(client, 'change_scheduled_bot', { bot_id: botId, bot_name: 'Later' });
      expect(calls.at(-1)).toMatchObject({ path: `PATCH /v2/bots/scheduled/${botId}`, body: { bot_name: 'Later' } });
      await use(client, 'cancel_scheduled_bot', { bot_id: botId });
      expect(calls.at(-1)).toMatchObject({ path: `DELETE /v2/bots/scheduled/${botId}` });
    });
  });

  test('a result has no nulls, no hidden characters, and links only on request', async () => {
    await withClient(kind, async (client) => {
      const { structuredContent } = await client.callTool({ name: 'get_bot', arguments: { bot_id: botId } });
      expect(structuredContent).toEqual({
        bot_id: botId,
        meeting_url: 'https://meet.google.com/abc-defg-hij',
        status: 'completed',
        participants: [{ id: 1, name: 'Ann' }],
        speakers: [{ id: 1, name: 'Ann' }],
      });
      const linked = await use(client, 'get_bot', { bot_id: botId, include_links: true });
      expect(linked.value['transcription']).toBe(`${baseUrl}/files/transcript`);
    });
  });

  test('a filter reaches the service, and an unknown argument is refused by its name', async () => {
    await withClient(kind, async (client) => {
      const filter = { status: 'failed', meeting_url: 'https://meet.google.com/abc-defg-hij' };
      expect((await use(client, 'list_bots', filter)).value).toEqual({ bots: [] });
      calls = [];
      for (const [name, input, words] of [
        ['list_bots', { state: 'failed' }, 'state: this tool has no such argument'],
        ['get_bot', {}, 'is required at bot_id'],
      ] as const) {
        const { isError, content } = await client.callTool({ name, arguments: input });
        expect({ isError, text: JSON.stringify(content) }).toEqual({
          isError: true,
          text: expect.stringContaining(words),
        });
      }
      expect(calls).toEqual([]);
    });
  });

  test('what the service refuses is an error in its words, and wrong input reaches no service', async () => {
    await withClient(kind, async (client) => {
      expect(await use(client, 'get_bot', { bot_id: unknownId })).toMatchObject({
        isError: true,
        value: { code: 'FST_ERR_BOT_NOT_FOUND_BY_ID' },
      });
      calls = [];
      const { isError, content } = await client.callTool({ name: 'get_bot', arguments: { bot_id: '../v2/usage' } });
      expect({ isError, text: JSON.stringify(content) }).toEqual({
        isError: true,
        text: expect.stringContaining('bot_id'),
      });
      expect(calls).toEqual([]);
    });
  });
});

test('a request over HTTP without a key is refused, and so is a session', async () => {
  const send = (headers: Record<string, string>) =>
    fetch(http.url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: '{}' });
  expect((await send({})).status).toBe(401);
  expect((await fetch(http.url, { headers: { authorization: 'Bearer rap_mine' } })).status).toBe(405);
});

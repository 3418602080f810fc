import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import type { Request, Response } from 'express';
import { publicDocument } from '@rapporteur/contracts/public-api';
import { cpuMsOfReading, longestTurnMs } from '@rapporteur/testbed';
import { maximumListValues, maximumValues } from './json-text.ts';
import { createContract } from './validator.ts';

const mib = 1024 * 1024;
const contract = createContract({ document: publicDocument });

/** CPU of parsing and splitting a text of 3 MiB, about 20 ms on the reference machine: longer work stops all other requests. */
const reference = JSON.stringify(' <>&"aA0é\n'.repeat(250_000));
const allowedMs = cpuMsOfReading(() => (JSON.parse(reference) as string).replaceAll('é', 'e').split('\n'), null, 0);

async function accept(id: string, payload: Buffer): Promise<void> {
  const operation = contract.operations.find((one) => one.id === id);
  if (operation === undefined) throw new Error(`No ${id}.`);
  const request = Object.assign(Readable.from([payload]), {
    params: {},
    url: '/',
    headers: { 'content-type': 'application/json', 'content-length': String(payload.byteLength) },
  }) as unknown as Request;
  for (const handler of contract.accept(operation)) await handler(request, {} as Response, () => undefined);
}

const smallest = { bot_name: 'R', meeting_url: 'https://meet.google.com/abc-defg-hij' };
const list = <T>(length: number, item: (index: number) => T): T[] =>
  Array.from({ length }, (_unused, index) => item(index));
const members = (length: number, name: (index: number) => string) =>
  Object.fromEntries(list(length, (index) => [name(index), index]));
const most = maximumValues - 10;
const mostOfList = maximumListValues - 10;

describe('no part of accepting the largest body takes longer than 20 ms without a turn for others', () => {
  test.each<[string, string, unknown]>([
    ['free members', 'createBot', { ...smallest, extra: members(most, (index) => `k${index}`) }],
    ['unknown members', 'createBot', { ...smallest, ...members(most, (index) => `k${index}`) }],
    ['a long text', 'createBot', { ...smallest, entry_message: 'x'.repeat(mib - 200) }],
    ['escapes', 'createBot', { ...smallest, entry_message: '\n'.repeat(mib / 2 - 200) }],
    ['names', 'createBot', { ...smallest, ignored_participant_names: list(most, (index) => `n${index}`) }],
    ['addresses', 'createBot', { ...smallest, bot_image: list(most, (index) => `https://a.example/${index}`) }],
    [
      'parameters',
      'createBot',
      { ...smallest, transcription_config: { custom_params: { a: list(most / 2, (at) => [at]) } } },
    ],
    ['a batch of texts', 'createBots', list(100, () => ({ ...smallest, extra: { a: 'x'.repeat(50_000) } }))],
    ['a batch of escapes', 'createBots', list(100, () => ({ ...smallest, extra: { a: '\n'.repeat(25_000) } }))],
    [
      'a batch of members',
      'createBots',
      list(100, (bot) => ({ ...smallest, extra: members(490, (index) => `${bot}${'k'.repeat(80)}${index}`) })),
    ],
    ['a batch of one', 'createBots', [{ ...smallest, ...members(most, (index) => `${'k'.repeat(50)}${index}`) }]],
    ['a batch of far too many', 'createBots', list(mostOfList, () => 1)],
    ['events', 'createWebhookEndpoint', { url: 'https://a.example', events: list(most, () => 'bot.failed') }],
    ['domains', 'setCalendarSettings', { own_domains: list(most, (index) => `a${index}.example`) }],
  ])('%s', async (_what, id, body) => {
    const payload = Buffer.from(JSON.stringify(body));
    // Compiled at the operation's first request.
    await accept(id, Buffer.from('{}')).catch(() => undefined);
    expect(await longestTurnMs(() => accept(id, payload), allowedMs)).toBeLessThan(allowedMs);
  });
});

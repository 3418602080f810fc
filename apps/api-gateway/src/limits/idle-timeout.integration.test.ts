import { once } from 'node:events';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { send, startEdge } from '../testing/gateway-under-test.ts';
import type { Edge } from '../testing/gateway-under-test.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.stop());

/** More than the socket buffers hold for a client that does not read. */
const requests = 40;
const report = {
  bot_id: '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11',
  status: 'queued',
  transcription_status: 'not-applicable',
  captions: null,
  transcription_progress: null,
  transcription_message: null,
  updated_at: '2026-11-21T09:00:00.000Z',
};

describe('a caller that takes nothing of its response', () => {
  test('loses it, instead of having it kept in memory for ever', async () => {
    const lines: string[] = [];
    const log = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        lines.push(String(chunk));
        done();
      },
    });
    const url = await edge.startGateway({ callerIdleMs: 300, log });
    const socket = connect(Number(new URL(url).port), '127.0.0.1').pause();
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write('GET /docs/api/swagger-ui-bundle.js HTTP/1.1\r\nhost: gateway\r\n\r\n'.repeat(requests));
    await waitFor(() => lines.some((line) => line.includes('"outcome":"aborted"')), {
      what: 'the response to be abandoned',
    });
    socket.destroy();
  });

  test('is not held up by an owner that takes longer than that', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    edge.scheduler.response = { status: 200, body: { success: true, data: report }, after: promise };
    const url = await edge.startGateway({ callerIdleMs: 100 });
    const key = await edge.createKey(await edge.createTeam(), 'full');
    const startedAt = performance.now();
    const response = send('get', `${url}/v2/bots/${report.bot_id}/status`, { key });
    await waitFor(() => performance.now() - startedAt > 1_000, { what: 'ten times the limit to pass' });
    resolve();
    expect(await response).toMatchObject({ status: 200, body: { data: report } });
  });
});

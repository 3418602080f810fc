import { afterEach, expect, test } from '@jest/globals';
import type { ApiClient, WatchEvent } from './api-client.ts';
import { startFakeNode } from './fake-node.ts';
import type { FakeNode } from './fake-node.ts';

const pod = {
  metadata: { name: 'bot-1', namespace: 'bots', uid: '1' },
  spec: { nodeName: 'fake-1', containers: [{ name: 'bot', image: 'bot-runner' }] },
  status: { phase: 'Pending' },
};

let node: FakeNode;
afterEach(() => node.stop());

test('a pod starts although the API server did not take the first report of it', async () => {
  const reported = Promise.withResolvers<string>();
  let refusals = 1;
  const request = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    if (!path.endsWith('/pods/bot-1/status')) return path.includes('/pods/') ? pod : { metadata: {} };
    if (method === 'PATCH' && refusals > 0) {
      refusals -= 1;
      throw new Error('connect ECONNREFUSED');
    }
    reported.resolve((body as { status: { phase: string } }).status.phase);
    return pod;
  };
  const watch = async (_path: string, onEvent: (event: WatchEvent) => void, signal: AbortSignal): Promise<void> => {
    onEvent({ type: 'ADDED', object: pod });
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  };
  node = await startFakeNode({ request, watch, close: () => undefined } as ApiClient, 'fake-1');
  await expect(reported.promise).resolves.toBe('Running');
});

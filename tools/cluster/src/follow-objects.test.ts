import { expect, test } from '@jest/globals';
import { ApiRefusal } from './api-client.ts';
import type { ApiClient, WatchEvent } from './api-client.ts';
import { followObjects } from './follow-objects.ts';

const eventOf = (type: string, resourceVersion: string): WatchEvent => ({
  type,
  object: { metadata: { resourceVersion } },
});

/** Each stream sends these events and ends, or is refused; after the last one `stopped` aborts. */
async function follow(streams: readonly (readonly WatchEvent[] | ApiRefusal)[]) {
  const stopped = new AbortController();
  const from: (string | null)[] = [];
  const seen: string[] = [];
  const watch = async (path: string, onEvent: (event: WatchEvent) => void): Promise<void> => {
    const stream = streams[from.length] ?? [];
    from.push(new URLSearchParams(path.split('?')[1]).get('resourceVersion'));
    if (from.length === streams.length) stopped.abort();
    if (stream instanceof ApiRefusal) throw stream;
    for (const event of stream) onEvent(event);
  };
  const client = { watch, close: () => undefined } as unknown as ApiClient;
  await followObjects(client, '/api/v1/pods', ({ type }) => seen.push(type), stopped.signal);
  return { from, seen };
}

test('a stream that ended is continued after its last event, bookmarks included', async () => {
  const { from, seen } = await follow([
    [eventOf('ADDED', '5'), eventOf('BOOKMARK', '9')],
    [eventOf('MODIFIED', '10')],
    [],
  ]);
  expect(from).toEqual([null, '9', '10']);
  expect(seen).toEqual(['ADDED', 'MODIFIED']);
});

test.each([
  ['a refusal', new ApiRefusal(410, 'too old')],
  ['an event', [{ type: 'ERROR', object: { code: 410 } }]],
])('it begins anew when %s states that the event is gone', async (_how, gone) => {
  const { from, seen } = await follow([[eventOf('ADDED', '5')], gone, [eventOf('ADDED', '20')]]);
  expect(from).toEqual([null, '5', null]);
  expect(seen).toEqual(['ADDED', 'ADDED']);
});

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { startSimulator } from '../index.ts';

test('the video of a planned shared screen is there before the meeting begins', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'simulator-screens-'));
  const mediaFolder = join(folder, 'media');
  const simulator = await startSimulator({ dataFolder: join(folder, 'data'), mediaFolder });
  try {
    const response = await fetch(`${simulator.controlUrl}/rooms`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        platform: 'zoom',
        participants: [{ name: 'Alice Martin', sentences: [] }],
        framesPerSecond: 5,
        loopSeconds: 2,
        events: [{ on: 'admitted', afterSeconds: 60, do: 'share-screen', participant: 0 }],
      }),
    });
    expect(response.status).toBe(201);
    const videos = (await readdir(mediaFolder)).filter((name) => name.endsWith('.ivf'));
    expect(videos).toHaveLength(2);
  } finally {
    await simulator.stop();
    await rm(folder, { recursive: true, force: true });
  }
}, 60_000);

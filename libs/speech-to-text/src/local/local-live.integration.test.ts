import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { LiveEvent } from '../live-provider.ts';
import { openLocalLive } from './local-live.ts';

const bytesPerMs = 32;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rapporteur-local-live-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A recognizer that hears the same two words in everything. */
async function recognizer(script: string) {
  const path = join(folder, crypto.randomUUID());
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return { pocketsphinx: path, ffmpeg: 'ffmpeg' };
}

function audio(...parts: [loudness: number, lengthMs: number][]): Buffer {
  return Buffer.concat(
    parts.map(([loudness, lengthMs]) => {
      const pcm = Buffer.alloc(lengthMs * bytesPerMs);
      for (let at = 0; at < pcm.byteLength; at += 2) pcm.writeInt16LE((at % 4 === 0 ? 1 : -1) * loudness, at);
      return pcm;
    }),
  );
}

function textsOf(events: readonly LiveEvent[]) {
  return events.flatMap((event) =>
    event.kind === 'utterance' ? [[event.utterance.isFinal, event.utterance.text, event.utterance.startMs]] : [],
  );
}

describe('the local engine, live', () => {
  test('recognizes each utterance when it has ended, at its place in the audio', async () => {
    const programs = await recognizer('echo "hello 0.20 0.50 0.9"; echo "there 0.50 0.80 0.9"');
    const events: LiveEvent[] = [];
    const session = openLocalLive({ onEvent: (event) => void events.push(event) }, programs);
    const pcm = audio([0, 2_000], [3_000, 1_000], [0, 3_000], [3_000, 1_000]);
    for (let at = 0; at < pcm.byteLength; at += 3_200) expect(session.send(pcm.subarray(at, at + 3_200))).toBe(true);
    await session.finish(10_000);
    expect(await session.ended).toBeNull();
    const [first, second] = textsOf(events);
    expect([first?.slice(0, 2), second?.slice(0, 2)]).toEqual([
      [true, 'hello there'],
      [true, 'hello there'],
    ]);
    // A window begins 200 ms before its speech.
    expect(Math.abs(Number(first?.[2]) - 2_000)).toBeLessThanOrEqual(40);
    expect(Math.abs(Number(second?.[2]) - 6_000)).toBeLessThanOrEqual(40);
    expect(session.send(pcm)).toBe(false);
  });

  test('is lost, with the reason, when its program fails', async () => {
    const session = openLocalLive({ onEvent: () => undefined }, await recognizer('exit 3'));
    session.send(audio([3_000, 500], [0, 2_000]));
    expect(await session.ended).toMatchObject({ kind: 'failed' });
    await session.close();
  });
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkGallery } from './check-gallery.ts';
import type { GalleryPlace } from './check-gallery.ts';
import { drawMarker } from './marker.ts';
import { runProgram } from '@rapporteur/process-identity';

const size = { width: 640, height: 180 };
const tile = { width: 320, height: 180 };
const framesPerSecond = 25;
const frames = 75;
const places: readonly GalleryPlace[] = [
  { name: 'Alice Martin', participant: 3, area: { left: 0, top: 0, ...tile } },
  { name: 'Bruno Keller', participant: 5, area: { left: 320, top: 0, ...tile } },
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gallery-check-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Two participants side by side, each with a name below. @param participant null: a plain place */
async function film(
  shown: readonly { readonly name: string; readonly participant: number | null; readonly still?: boolean }[],
): Promise<string> {
  const raw = Buffer.alloc(size.width * size.height * frames, 60);
  for (let index = 0; index < frames; index += 1) {
    for (const [column, { participant, still }] of shown.entries()) {
      if (participant === null) continue;
      const counter = still === true ? 7 : index;
      const { pixels } = drawMarker(tile, { counter, participant, flash: index % framesPerSecond < 3 });
      for (let line = 0; line < tile.height; line += 1)
        raw.set(
          pixels.subarray(line * tile.width, (line + 1) * tile.width),
          (index * size.height + line) * size.width + column * tile.width,
        );
    }
  }
  const source = join(folder, 'gallery.gray');
  const path = join(folder, `${crypto.randomUUID()}.mp4`);
  await writeFile(source, raw);
  const names = shown.map(
    ({ name }, column) =>
      `drawtext=font=DejaVu Sans:text=${name}:fontsize=15:fontcolor=white:x=${column * 320 + 14}:y=156`,
  );
  await runProgram({
    program: 'ffmpeg',
    arguments: [
      ...`-nostdin -v error -f rawvideo -pix_fmt gray -s ${size.width}x${size.height} -r ${framesPerSecond} -i`.split(
        ' ',
      ),
      source,
      '-vf',
      names.join(','),
      ...'-c:v libx264 -preset ultrafast -pix_fmt yuv420p'.split(' '),
      path,
    ],
    deadlineMs: 60_000,
  });
  return path;
}

const check = async (path: string, expected: readonly GalleryPlace[] = places) =>
  await checkGallery(path, { spans: [{ fromMs: 0, untilMs: 3_000, places: expected }] });
const alice = { name: 'Alice Martin', participant: 3 };
const bruno = { name: 'Bruno Keller', participant: 5 };

describe('the check of a gallery', () => {
  test('has nothing against everybody in their place, under their own name', async () => {
    const { report, problems } = await check(await film([alice, bruno]));
    expect(problems).toEqual([]);
    expect(report.map(({ names }) => names[0]?.name)).toEqual(['Alice Martin', 'Bruno Keller']);
  });

  test("finds a name that is another's, and one that is missing", async () => {
    const swapped = await check(
      await film([
        { ...alice, name: bruno.name },
        { ...bruno, name: alice.name },
      ]),
    );
    expect(swapped.problems).toHaveLength(2);
    expect(swapped.problems[0]).toMatch(/^In the place of Alice Martin .* the most similar is Bruno Keller/);
    const missing = await check(await film([alice, { ...bruno, name: '-' }]));
    expect(missing.problems).toEqual([expect.stringMatching(/^In the place of Bruno Keller .* the name is missing/)]);
  });

  test("finds a video that is another participant's, one that is frozen, and one where none should be", async () => {
    const { problems } = await check(
      await film([
        { ...alice, participant: 5 },
        { ...bruno, still: true },
      ]),
    );
    expect(problems).toContainEqual(expect.stringMatching(/Alice Martin .* the right video is in only 0 %/));
    expect(problems).toContainEqual(expect.stringMatching(/Bruno Keller .* of the room's frames are shown/));
    const dark = places.map((place) => ({ ...place, participant: null }));
    expect((await check(await film([alice, { ...bruno, participant: null }]), dark)).problems).toEqual([
      expect.stringMatching(/Alice Martin .* a video is visible/),
    ]);
  });
});

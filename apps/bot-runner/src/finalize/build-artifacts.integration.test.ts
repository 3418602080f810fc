import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ParticipantAudio } from '@rapporteur/recorder';
import { listParticipants } from '../story/participant-list.ts';
import { quietLogger } from '../testing/quiet-logger.ts';
import { participantFiles } from './build-artifacts.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'participant-files-'));
  await writeFile(join(folder, 'fragment'), Buffer.alloc(10_000, 7));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const second = 48_000;
/** 50 packets of 20 ms for each second. */
const audio = (participantId: string, fromSecond: number, seconds: number, path = 'fragment'): ParticipantAudio => ({
  participantId,
  participantName: `Page's ${participantId}`,
  runs: [
    {
      participantId,
      participantName: `Page's ${participantId}`,
      path: join(folder, path),
      dataAt: 0,
      startUs: fromSecond * 1_000_000,
      // The first 200 ms and the last 500 ms are only kept.
      sizes: new Int16Array(seconds * 50).fill(10).fill(-10, 0, 10).fill(-10, -25),
      startSample: fromSecond * second,
    },
  ],
});

const seen = (participantId: string, name: string, change: 'appeared' | 'left') =>
  ({
    kind: 'participant',
    change,
    participantId,
    name,
    avatarUrl: null,
    isSelf: false,
    isHost: false,
    atMs: 0,
  }) as const;
const participants = listParticipants([
  seen('a', 'Ann', 'appeared'),
  seen('b', 'Bob', 'appeared'),
  seen('a', 'Ann', 'left'),
  seen('a2', 'Ann', 'appeared'),
]);

const files = async (ownAudio: readonly ParticipantAudio[]) =>
  await participantFiles({
    recordedParticipants: { ownAudio, samples: 60 * second, preSkip: 312 },
    participants,
    folder,
    logger: quietLogger,
  });

describe('the files of participants', () => {
  test('are one per participant, also after leaving and rejoining, in their order', async () => {
    const made = await files([audio('b', 1, 3), audio('a', 5, 2), audio('a2', 20, 4)]);
    expect(made.map(({ key, participant }) => [key, participant])).toEqual([
      ['artifacts/participant-1.ogg', { id: 1, name: 'Ann', speechSeconds: 4.6 }],
      ['artifacts/participant-2.ogg', { id: 2, name: 'Bob', speechSeconds: 2.3 }],
    ]);
    for (const { content } of made)
      expect((await readFile('file' in content ? content.file : '')).toString('latin1', 0, 4)).toBe('OggS');
  });

  test('have the page’s name for a participant that is on no list', async () => {
    const [made] = await files([audio('x', 1, 1)]);
    expect([made?.key, made?.participant?.id, made?.participant?.name]).toEqual([
      'artifacts/participant-unlisted-1.ogg',
      null,
      "Page's x",
    ]);
  });

  test('lack one whose pieces are gone, and nothing else', async () => {
    const made = await files([audio('a', 1, 1, 'gone'), audio('b', 1, 1)]);
    expect(made.map(({ participant }) => participant?.name)).toEqual(['Bob']);
  });

  test('are of those who spoke most, where there are more than can be named', async () => {
    const made = await files(Array.from({ length: 90 }, (_, index) => audio(`x${index}`, 1, 1 + (index % 9))));
    expect(made).toHaveLength(80);
    expect(Math.min(...made.map(({ participant }) => participant?.speechSeconds ?? 0))).toBeGreaterThan(1);
  });
});

import { describe, expect, test } from '@jest/globals';
import type { PageAudioNews } from '@rapporteur/contracts';
import { AudioOwners } from './audio-owners.page.ts';
import type { ContributingSource } from './audio-owners.page.ts';

const track = { id: 'track' } as MediaStreamTrack;
const beginMs = 100_000;

/** Frames of 10 ms: who is in them, and how loud. Read every 50 ms, as the list then is. */
type Frames = readonly {
  readonly fromMs: number;
  readonly toMs: number;
  readonly key: string;
  readonly level?: number;
}[];

function listen(frames: Frames, untilMs: number, known: ReadonlySet<string> = new Set(['1', '2'])) {
  const reported: string[] = [];
  const news: PageAudioNews[] = [];
  const owners = new AudioOwners((key) =>
    known.has(key) ? { participantId: `p${key}`, participantName: null } : null,
  );
  owners.follow((one) => {
    news.push(one);
    for (const { sinceMs, owner } of one.changes) {
      const who = owner === null || owner === 'several' ? String(owner) : owner.participantId;
      reported.push(`${Math.round(sinceMs - beginMs)} ${who}`);
    }
  });
  for (let nowMs = 0; nowMs <= untilMs; nowMs += 50) {
    const list = frames
      .map(({ fromMs, toMs, key, level = 0.2 }): ContributingSource => {
        const lastMs = Math.min(Math.floor((nowMs - fromMs) / 10) * 10 + fromMs, toMs - 10);
        return { key, atMs: beginMs + lastMs, level };
      })
      .filter(({ atMs }, index) => atMs >= beginMs + (frames[index]?.fromMs ?? 0))
      .toSorted((one, other) => one.atMs - other.atMs);
    // A list has each source once, with its last time.
    const latest = [...new Map(list.map((source) => [source.key, source])).values()];
    owners.read(track, latest, beginMs + nowMs);
    owners.notify([track], beginMs + nowMs);
  }
  return { reported, news };
}

describe('whose a track is', () => {
  test('passes from one to the other between two readings, at the end of the one’s last frame', () => {
    const { reported } = listen(
      [
        { fromMs: 200, toMs: 520, key: '1' },
        { fromMs: 520, toMs: 1_000, key: '2' },
      ],
      1_000,
    );
    expect(reported).toEqual(['130 p1', '520 p2']);
  });

  test('has no owner after a time without speech, from the last frame on', () => {
    const { reported } = listen([{ fromMs: 200, toMs: 500, key: '1' }], 1_000);
    expect(reported).toEqual(['130 p1', '500 null']);
  });

  test('is shared by two who are in the same frames, unless one is ten times as loud', () => {
    const both = (level: number): Frames => [
      { fromMs: 0, toMs: 1_000, key: '1' },
      { fromMs: 400, toMs: 700, key: '2', level },
    ];
    expect(listen(both(0.1), 900).reported).toEqual(['-20 p1', '360 several', '700 p1']);
    expect(listen(both(0.01), 900).reported).toEqual(['-20 p1']);
  });

  test('stays the one’s where one frame holds the end of the one and the beginning of the other', () => {
    const { reported } = listen(
      [
        { fromMs: 0, toMs: 410, key: '1' },
        { fromMs: 400, toMs: 800, key: '2' },
      ],
      700,
    );
    expect(reported).toEqual(['-20 p1', '410 p2']);
  });

  test('has no owner while no record names the participant of a source', () => {
    const { reported } = listen([{ fromMs: 0, toMs: 500, key: '9' }], 500);
    expect(reported).toEqual([]);
  });

  test('is reported a few times a second also when nothing changes, and never as known before it was read', () => {
    const { news } = listen([{ fromMs: 0, toMs: 3_000, key: '1' }], 2_000);
    const knownMs = news.slice(1).map(({ knownUntilMs }) => knownUntilMs - beginMs);
    expect(knownMs.length).toBeGreaterThanOrEqual(10);
    expect(Math.max(...knownMs)).toBeLessThanOrEqual(1_980);
    expect(knownMs.every((ms, index) => index === 0 || ms - (knownMs[index - 1] ?? 0) <= 250)).toBe(true);
  });
});

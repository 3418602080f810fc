import { describe, expect, test } from '@jest/globals';
import type { RemoteTrack } from '../web-client/media-offer.page.ts';
import { TeamsSpeechDetector } from './speech-layers.page.ts';
import type { TeamsSpeechLayers } from './speech-layers.page.ts';

const allLayers: TeamsSpeechLayers = { contributingSources: true, dominantSpeaker: true, outlines: true };

interface Moment {
  /** Level of the mix; omitted: no packets arrive. */
  readonly level?: number;
  readonly sources?: readonly number[];
  readonly outlined?: readonly string[];
  readonly dominant?: string;
}

/** Plays a second of each moment, polled every 50 ms, and returns the reported speech. */
function listen(
  moments: readonly Moment[],
  names: Readonly<Record<string, string>> = {},
  layers = allLayers,
): string[] {
  let moment: Moment = {};
  let nowMs = 0;
  const said: string[] = [];
  const receiver = {
    getSynchronizationSources: () =>
      moment.level === undefined ? [] : [{ timestamp: nowMs, source: 1, audioLevel: moment.level }],
    getContributingSources: () =>
      (moment.sources ?? []).map((source) => ({ timestamp: nowMs, source, audioLevel: moment.level ?? 0 })),
  };
  const mix = { receiver, track: { readyState: 'live' }, streamIds: ['mainAudio'] } as unknown as RemoteTrack;
  const inputs = {
    mix: () => mix,
    outlined: () => moment.outlined ?? null,
    nameOf: (id: string) => names[id],
  };
  const speakers = new TeamsSpeechDetector(inputs, layers, ({ layer, key, speaking }) =>
    said.push(`${speaking ? 'start' : 'stop'} ${layer} ${key}`),
  );
  for (moment of moments) {
    if (moment.dominant !== undefined) speakers.dominates(moment.dominant, nowMs);
    for (let step = 0; step < 20; step += 1, nowMs += 50) speakers.poll(nowMs);
  }
  return said;
}

describe('TeamsSpeechDetector', () => {
  const names = { 101: 'Alice', 102: 'Bruno' };

  test('the dominant speaker speaks while the mix sounds', () => {
    expect(listen([{ dominant: '101', level: 0.2 }, {}, { dominant: '102', level: 0.2 }, {}], names)).toEqual([
      'start dominant 101',
      'stop dominant 101',
      'start dominant 102',
      'stop dominant 102',
    ]);
  });

  test('sources of the mix are believed before the dominant speaker', () => {
    const reported = listen([{ dominant: '102', level: 0.2, sources: [101] }, { level: 0 }], names);
    expect(reported).toEqual(['start sources 101', 'stop sources 101']);
  });

  test('without a dominant stream the outlines decide', () => {
    expect(listen([{ dominant: '999', level: 0.2, outlined: ['Alice'] }, { outlined: [] }], names)).toEqual([
      'start outlines Alice',
      'stop outlines Alice',
    ]);
  });

  test('sound that no layer can place is an unknown voice', () => {
    expect(listen([{ level: 0.2, outlined: [] }, {}])).toEqual(['start mix mix', 'stop mix mix']);
  });

  test('a name that is lost in the middle ends its turn', () => {
    expect(
      listen(
        [
          { dominant: '101', level: 0.2 },
          { dominant: '999', level: 0.2 },
        ],
        names,
      ),
    ).toEqual(['start dominant 101', 'stop dominant 101', 'start mix mix']);
  });

  test('a layer that is taken away says nothing', () => {
    const none = { contributingSources: false, dominantSpeaker: false, outlines: false };
    const reported = listen([{ dominant: '101', level: 0.2, sources: [101], outlined: ['Alice'] }, {}], names, none);
    expect(reported).toEqual(['start mix mix', 'stop mix mix']);
  });
});

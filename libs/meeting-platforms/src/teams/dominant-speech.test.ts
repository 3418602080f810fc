import { describe, expect, test } from '@jest/globals';
import { DominantSpeech } from './speech-layers.page.ts';
import { dominantSpeakerIn } from './main-channel.page.ts';

const limits = { quietMs: 500, gapMs: 120, settleMs: 250 };

/** Polls every 50 ms; `loud` returns whether there is speech. */
function run(
  speech: DominantSpeech,
  untilMs: number,
  loud: (atMs: number) => boolean,
  names: Record<number, string> = {},
) {
  const reported: string[] = [];
  for (let at = 0; at <= untilMs; at += 50) {
    const name = names[at];
    if (name !== undefined) speech.dominates(name, at);
    for (const change of speech.addSample(loud(at), at)) {
      reported.push(`${change.speaking ? 'start' : 'stop'} ${change.key} ${change.atMs}`);
    }
  }
  return reported;
}

describe('DominantSpeech', () => {
  test('the dominant speaker speaks while the mix is loud, and a short pause belongs to the turn', () => {
    const loud = (at: number): boolean => (at >= 200 && at < 1_000) || (at >= 1_300 && at < 2_000);
    expect(run(new DominantSpeech(limits), 3_000, loud, { 0: 'a' })).toEqual(['start a 200', 'stop a 1950']);
  });

  test('with a gap between them the new name begins with the first sound after it', () => {
    const loud = (at: number): boolean => at < 1_000 || at >= 1_400;
    const reported = run(new DominantSpeech(limits), 2_000, loud, { 0: 'a', 1_200: 'b' });
    expect(reported).toEqual(['start a 0', 'stop a 950', 'start b 1400']);
  });

  test('a name that comes before the old voice has faded out of the buffer waits for the gap', () => {
    const loud = (at: number): boolean => at < 1_000 || at >= 1_400;
    const reported = run(new DominantSpeech(limits), 2_000, loud, { 0: 'a', 900: 'b' });
    expect(reported).toEqual(['start a 0', 'stop a 950', 'start b 1400']);
  });

  test('without a gap the turn changes a moment after the channel says so', () => {
    expect(run(new DominantSpeech(limits), 1_500, () => true, { 0: 'a', 1_000: 'b' })).toEqual([
      'start a 0',
      'stop a 1200',
      'start b 1250',
    ]);
  });

  test('audio without a name has no speaker, and a name without audio is silent', () => {
    expect(run(new DominantSpeech(limits), 1_000, () => true)).toEqual([]);
    expect(run(new DominantSpeech(limits), 1_000, () => false, { 0: 'a' })).toEqual([]);
  });
});

describe('dominantSpeakerIn', () => {
  const message = (text: string): Uint8Array => new TextEncoder().encode(`\u0000\u0000\u0001[${text}`);

  test('reads the newest of the history behind whatever bytes come first', () => {
    expect(dominantSpeakerIn(message('[{"type":"dsh","history":[102,101]}]'))).toBe('102');
    expect(dominantSpeakerIn(message('[{"type":"x"},{"type":"dsh","history":["7"]}]'))).toBe('7');
  });

  test('any other message says nothing', () => {
    expect(dominantSpeakerIn(message('[{"recognitionResults":[]}]'))).toBeNull();
    expect(dominantSpeakerIn(message('[{"type":"dsh","history":[]}]'))).toBeNull();
    expect(dominantSpeakerIn(message('[{broken'))).toBeNull();
    expect(dominantSpeakerIn(new Uint8Array())).toBeNull();
  });
});

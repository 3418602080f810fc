import { describe, expect, test } from '@jest/globals';
import type { MeetingPlatformName } from '@rapporteur/contracts';
import { refusals } from '@rapporteur/contracts';
import { sampleText } from '@rapporteur/simulator';
import type { SampledText } from '@rapporteur/simulator';
import { pageRecord, readLines } from './testing/page-record.ts';
import type { PageReading } from './web-client/page-state.ts';
import { endReasonOf } from './web-client/page-state.ts';

const waits: ReadonlySet<string> = new Set(['lobby', 'waiting-for-host']);

describe.each(Object.keys(pageRecord) as MeetingPlatformName[])('texts of the public record on %s', (platform) => {
  const rows = pageRecord[platform].map(([text, state, cause]) => [text, state, cause ?? null] as const);
  test.each(rows)('"%s" is %s, by cause %s', (text, state, cause) => {
    for (const headed of [true, false]) {
      const reading = readLines(platform, text.split(' / '), headed);
      const found = state === 'waits' && waits.has(reading.state) ? 'waits' : reading.state;
      expect([found, cause === null ? null : reading.cause]).toEqual([state, cause]);
    }
    if (cause !== null) expect(refusals[cause].help.length).toBeGreaterThan(0);
  });
});

/** What a bot makes of a page that it reads after its request: an unknown page without an error waits by its shape. */
function fateOf(reading: PageReading): 'waits' | 'refused' | 'technical' {
  if (endReasonOf(reading.state) !== null || reading.state === 'captcha') return 'refused';
  return reading.cause === 'technical' ? 'technical' : 'waits';
}

const fits = ({ kind }: SampledText, fate: ReturnType<typeof fateOf>): boolean =>
  kind === 'none' ? fate !== 'refused' : fate === kind;

describe.each(Object.keys(pageRecord) as MeetingPlatformName[])('300 sampled texts in no list on %s', (platform) => {
  test('no bot is lost in a lobby, no refusal is taken for a change of the page, and no other text for a refusal', () => {
    const seeds = Array.from({ length: 300 }, (_, seed) => 1_000 + seed);
    const wrong = seeds.flatMap((seed) => {
      const text = sampleText(seed);
      const reading = readLines(platform, [text.title, ...text.lines], seed % 3 !== 0);
      return fits(text, fateOf(reading)) ? [] : [{ seed, ...text, ...reading }];
    });
    expect(wrong).toEqual([]);
  });
});

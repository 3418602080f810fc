import { describe, expect, test } from '@jest/globals';
import type { MeetingPlatformName } from '@rapporteur/contracts';
import { refusals } from '@rapporteur/contracts';
import { sampleText } from '@rapporteur/simulator';
import type { SampledText } from '@rapporteur/simulator';
import { builtInPagePack } from './page-packs/index.ts';
import { pageRecord, readLines } from './testing/page-record.ts';
import { clientPartsOf } from './web-client/pack-client.ts';
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

/** Dialogs by their text and buttons, and the button that is pressed; null: none is. */
test.each<[text: string, buttons: readonly string[], pressed: string | null]>([
  ['Gemini is taking notes in this call', ['Leave', 'Join now'], 'Join now'],
  ['Gemini will take notes for me and everyone in this call. Join to agree.', ['Join'], 'Join'],
  ['This call is being recorded', ['Got it'], 'Got it'],
  ['Este texto es desconocido', ['Leave', 'Join now'], 'Join now'],
  ['An assistant will summarise what is said', ['Leave meeting', 'Continue'], 'Continue'],
  ["Are you still there? You're the only one here", ['Leave now', 'Stay in the call'], 'Stay in the call'],
  ['You are alone in this call. It will end in 2 minutes.', ['Stay', 'Leave now'], 'Stay'],
  ['The host would like you to unmute', ['Unmute', 'Stay muted'], 'Stay muted'],
  ['The host has asked you to start your video', ['Start my video', 'Later'], 'Later'],
  ['The host would like to promote you to be a panelist', ['Join as Panelist', 'Stay as Attendee'], 'Stay as Attendee'],
  ['This meeting is being transcribed for AI Companion.', ['Leave', 'OK'], 'OK'],
  ['Audio and video are blocked until consent is given', ['Leave meeting', 'Accept'], 'Accept'],
  ['Start taking notes with Gemini', ['Start taking notes', 'Not now'], 'Not now'],
  ['Turn on notes for everyone', ['Turn on', 'OK'], null],
  ['Something new', ['Got it'], 'Got it'],
  ['Your free meeting will end in 10 minutes', ['OK'], 'OK'],
  ['This webinar will end in 5 minutes', ['Dismiss'], 'Dismiss'],
  ['You have been assigned to Breakout Room: Blue', ['Later', 'Join'], 'Join'],
  ['The host is inviting you to join Breakout Room: Blue', ['Not now', 'Join Breakout Room'], 'Join Breakout Room'],
  ['Breakout Rooms will close in 60 seconds.', ['Return to main session', 'Cancel'], 'Return to main session'],
  ['Do you want to return to the main meeting?', ['Stay here', 'Return'], 'Return'],
  ['Do you really want to go?', ['Delete everything', 'Frobnicate'], null],
])('of the dialog "%s" with %j the button %j is pressed', (text, buttons, pressed) => {
  for (const platform of Object.keys(pageRecord) as MeetingPlatformName[]) {
    const kinds = clientPartsOf(builtInPagePack(platform)).dialogKinds;
    const kind = kinds.find(({ applies }) => applies({ text: [text, ...buttons].join(' '), buttons }));
    expect(kind?.press({ buttons }) ?? null).toBe(pressed);
  }
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

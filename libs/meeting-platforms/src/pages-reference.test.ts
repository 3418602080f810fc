import { describe, expect, test } from '@jest/globals';
import type { MeetingPlatformName } from '@rapporteur/contracts';
import { refusals } from '@rapporteur/contracts';
import { sampleText } from '@rapporteur/simulator';
import type { SampledText } from '@rapporteur/simulator';
import { builtInPagePack } from './page-packs/index.ts';
import { joinPage } from './testing/join-page.ts';
import phrases from './testing/page-phrases.json' with { type: 'json' };
import { pageRecord, readLines } from './testing/page-record.ts';
import { clientPartsOf } from './web-client/page-client.ts';
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
  ["Join breakout room? You've been assigned to a breakout room.", ['Close', 'Join room'], 'Join room'],
  ["Breakout room 'Blue team' is open", ['Dismiss', 'Join'], 'Join'],
  [
    "Your breakout room has changed. You've been assigned to a different breakout room.",
    ['Close', 'Join room'],
    'Join room',
  ],
  ["Your breakout room has closed. We'll move you back to your meeting in 5 seconds.", ['Close'], 'Close'],
  ['Room time limit about to expire. This room will close in 30 seconds', ['Close'], 'Close'],
  ["You're invited to join breakout room Red", ['Not now', 'Join'], 'Join'],
  ['Return to main meeting', ['Stay', 'Rejoin'], 'Rejoin'],
  ['The host closed breakout rooms. Return to the main call', ['Return now', 'Later'], 'Return now'],
  [
    'Recording and transcription have started. Do you consent to being recorded?',
    ['No', 'Yes, I consent'],
    'Yes, I consent',
  ],
  [
    'To speak, share video or content you have to give consent to recording',
    ['Give consent', 'Cancel'],
    'Give consent',
  ],
  ['This webinar is being livestreamed', ['Leave Webinar', 'Continue'], 'Continue'],
  ['This meeting is being archived', ['Leave meeting', 'Got it'], 'Got it'],
  ['This meeting may be recorded. By continuing, you agree.', ['Leave', 'Agree and continue'], 'Agree and continue'],
  ['AI Companion is summarizing this meeting', ['Leave', 'OK'], 'OK'],
  ['Smart notes are on for this meeting', ['Leave', 'Join'], 'Join'],
  ['Are you still watching?', ['Leave', "Yes, I'm here"], "Yes, I'm here"],
  ['No one else is in the call. Do you want to stay?', ['Leave', 'Keep waiting'], 'Keep waiting'],
  ['The call is about to end because you are alone', ['Leave now', 'Stay in call'], 'Stay in call'],
  ['Your meeting will end in 5 minutes', ['End now', 'Extend'], 'Extend'],
  ['You were inactive', ['Leave', "I'm still here"], "I'm still here"],
  ['The host wants to unmute you', ['Decline', 'Allow'], 'Decline'],
  ['Host would like to turn your camera on', ['Later', 'Turn on'], 'Later'],
  ['The organizer asked you to turn on your camera', ['Not now', 'Turn on camera'], 'Not now'],
  ['Ada invites you to speak', ['Decline', 'Accept'], 'Decline'],
  ['Ada asked you to share your screen', ['Cancel', 'Share'], 'Cancel'],
  ['Ada is requesting remote control of your screen', ['Approve', 'Decline'], 'Decline'],
  ['You have been promoted to co-host', ['Got it'], 'Got it'],
  ['The host would like you to join as a panelist', ['Join as Panelist', 'Decline'], 'Decline'],
  ['Take notes with Gemini', ['Start now', 'Not now'], 'Not now'],
  ['Start recording?', ['Start', 'Cancel'], 'Cancel'],
  ['Turn on live captions', ['Turn on', 'No thanks'], 'No thanks'],
  ['You are muted', ['OK'], 'OK'],
  ['How was the call quality?', ['Submit', 'Close'], 'Close'],
  ['Leave the call? Are you sure you want to leave the call?', ['Leave', 'Stay'], 'Stay'],
  ['Leave meeting?', ['Cancel', 'Leave'], null],
  [
    "You're the only one here. This meeting will end in less than 2 minutes",
    ['Leave now', 'Stay in the meeting'],
    'Stay in the meeting',
  ],
  ['Verbatim unknown text', ['Leave now', 'Stay'], 'Stay'],
  ['Unknown', ['Unmute', 'Stay muted'], 'Stay muted'],
  ['Unknown', ['Start video', 'Keep video off'], 'Keep video off'],
  ['Unknown', ['Join now', 'Leave'], 'Join now'],
])('of the dialog "%s" with %j the button %j is pressed', (text, buttons, pressed) => {
  for (const platform of Object.keys(pageRecord) as MeetingPlatformName[]) {
    const kinds = clientPartsOf(builtInPagePack(platform)).dialogKinds;
    const kind = kinds.find(({ applies }) => applies({ text: [text, ...buttons].join(' '), buttons }));
    expect(kind?.press({ buttons }) ?? null).toBe(pressed);
  }
});

/** Titles below which a page names its reason. */
const titles: Readonly<Record<MeetingPlatformName, readonly string[]>> = {
  meet: ["You can't join this video call", "You can't join this call"],
  teams: ['Sorry', "Sorry, we couldn't connect you", "You can't join this meeting"],
  zoom: ['Unable to join this meeting', 'Unable to join this webinar', 'Error'],
};
const notCauses = ['waits', 'none', 'removed', 'left', 'ended-by-host', 'technical', 'refused'];

/** Whether a page of these lines is read as the group of its phrase. */
function isReadAs(group: string, { state, cause, rule }: PageReading): boolean {
  const isEnd = endReasonOf(state) !== null || state === 'captcha';
  if (group === 'waits') return waits.has(state) || rule === 'unrecognised';
  if (group === 'none') return !isEnd && cause === undefined;
  if (group === 'refused') return isEnd;
  return group === (notCauses.includes(group) && group !== 'technical' ? state : cause);
}

/** The same with another word for the meeting, or other articles and forms of the verbs. */
function twinsOf(text: string): string[] {
  const meetings = /meeting/i.test(text) ? ['webinar', 'event', 'call', 'session'] : [];
  const forms = [
    ['The host', 'The organizer'],
    ["You've", 'You have'],
    ["You're", 'You are'],
    ["can't", 'cannot'],
  ] as const;
  return [
    ...meetings.map((word) =>
      text.replaceAll('meeting', word).replaceAll('Meeting', `${word.charAt(0).toUpperCase()}${word.slice(1)}`),
    ),
    ...forms.flatMap(([one, other]) => (text.includes(one) ? [text.replaceAll(one, other)] : [])),
  ];
}

describe.each(Object.keys(pageRecord) as MeetingPlatformName[])('phrases of every kind on %s', (platform) => {
  test.each(Object.entries(phrases))('of the group %s', (group, texts) => {
    const hints = phrases.none;
    const wrong = texts.flatMap((text, index) => {
      const lines = text.split(' / ');
      const hint = hints[index % hints.length]!.split(' / ');
      const pages = [lines, ...twinsOf(text).map((twin) => twin.split(' / '))];
      if (group === 'waits') pages.push([...lines, ...hint], [...hint, ...lines]);
      if (group === 'none') pages.push(['Ready when you are', ...lines]);
      // A title of its own precedes the reason.
      if (!notCauses.includes(group) && lines.length === 1)
        pages.push(...titles[platform].map((title) => [title, text, 'Return to home screen']));
      return pages.flatMap((page) =>
        [true, false]
          .map((headed) => readLines(platform, page, headed))
          .flatMap((reading) => (isReadAs(group, reading) ? [] : [{ page, reading }])),
      );
    });
    expect(wrong).toEqual([]);
  });
});

/** What becomes of a bot whose page shows this after its request, and the call after two minutes. */
async function fateOf(lines: readonly string[], reading: PageReading): Promise<SampledText['kind']> {
  const shown = { text: lines.join(' '), lines, reading };
  const call = { text: '', reading: { state: 'in-call', rule: 'test' } } as const;
  const { outcome } = await joinPage((second) => (second < 120 ? shown : call));
  if (outcome.joined) return 'waits';
  return outcome.end.reason === 'page-unusable' ? 'technical' : 'refused';
}

describe.each(Object.keys(pageRecord) as MeetingPlatformName[])('300 sampled texts in no list on %s', (platform) => {
  test('no bot is lost in a lobby, no refusal is taken for a change of the page, and no other text for a refusal', async () => {
    const wrong = [];
    for (let seed = 1_000; seed < 1_300; seed += 1) {
      const text = sampleText(seed);
      const lines = [text.title, ...text.lines];
      const reading = readLines(platform, lines, seed % 3 !== 0);
      const fate = await fateOf(lines, reading);
      const fits = fate === (text.kind === 'none' ? 'waits' : text.kind);
      if (!fits || (fate === 'technical' && reading.cause !== 'technical'))
        wrong.push({ seed, fate, ...text, reading });
    }
    expect(wrong).toEqual([]);
  });
});

import type { CaptionsAccess, CaptionVersion } from '../platform.ts';
import { eventually } from './eventually.ts';
import type { RoomOptions } from './harness.ts';
import type { AttendedMeeting, MediaScenario } from './attended-meeting.ts';

const captionsOf = ({ signals }: AttendedMeeting): CaptionVersion[] =>
  signals.flatMap((signal) => (signal.kind === 'caption' ? [signal.caption] : []));
const withCaptions = (captions: object, more: object = {}): RoomOptions => ({ variant: { captions, ...more } });
const languageAsked = async ({ room }: AttendedMeeting): Promise<string | undefined> =>
  (await room.log()).findLast(({ kind }) => kind === 'captionsOn')?.text;

function expectAccess(access: CaptionsAccess, wanted: Partial<CaptionsAccess>): void {
  const differs = Object.entries(wanted).some(([field, value]) => access[field as keyof CaptionsAccess] !== value);
  if (differs) throw new Error(`The captions should be ${JSON.stringify(wanted)}, and are ${JSON.stringify(access)}.`);
}

/** The words only: final versions have punctuation and capitals. */
const wordsOf = (text: string): string => text.toLowerCase().replaceAll(/[^a-z' ]/g, '');

const readsOn = (platform: string): MediaScenario => ({
  name: `reads captions with their speakers while they are on, and none before (${platform})`,
  room: withCaptions({}),
  platforms: [platform],
  check: async (meeting) => {
    const { session, room, signals, botName } = meeting;
    await eventually('speech of a participant', () =>
      signals.some((signal) => signal.kind === 'speaker' && signal.turn.name !== null),
    );
    if (captionsOf(meeting).length > 0) throw new Error('Captions came before they were on.');
    expectAccess(await session.openCaptions({ language: null }), { on: true });
    await eventually('final captions of two speakers', () => {
      const finals = captionsOf(meeting).filter(({ isFinal }) => isFinal);
      return new Set(finals.map(({ name }) => name)).size >= 2;
    });
    const captions = captionsOf(meeting);
    const strangers = captions.filter(({ name }) => name === null || !room.participantNames.includes(name));
    if (strangers.length > 0 || botName === '')
      throw new Error(`These captions have no participant: ${strangers[0]?.text}`);
    const last = captions.findLast(({ isFinal }) => isFinal);
    const before = captions.filter(({ key }) => key === last?.key);
    const [first] = before;
    if (last === undefined || first === undefined || before.length < 3) throw new Error('No caption grew.');
    if (!wordsOf(last.text).startsWith(wordsOf(first.text).slice(0, 2))) throw new Error('A key names two utterances.');
  },
});

const offeredNowhere = (platform: string): MediaScenario => ({
  name: `says that a meeting offers no captions (${platform})`,
  room: withCaptions({ offered: 'missing' }),
  platforms: [platform],
  check: async ({ session }) => {
    expectAccess(await session.openCaptions({ language: null }), { on: false, reason: 'not_offered' });
  },
});

export const captionScenarios: readonly MediaScenario[] = [
  readsOn('meet'),
  readsOn('teams'),
  readsOn('zoom'),
  offeredNowhere('zoom'),
  offeredNowhere('meet'),
  offeredNowhere('teams'),
  {
    name: "sets the meeting's language of captions only when it is asked to",
    room: withCaptions({}),
    platforms: ['teams'],
    check: async (meeting) => {
      expectAccess(await meeting.session.openCaptions({ language: 'de' }), { on: true, language: 'de-de' });
      const asked = await languageAsked(meeting);
      if (asked !== 'de-de') throw new Error(`The page was asked for captions in ${asked}.`);
    },
  },
  {
    name: 'reads captions in a language of its own, behind a control with another name',
    room: withCaptions({ control: 'renamed', finals: 'missing', languages: ['en-US', 'de-DE'] }),
    platforms: ['meet'],
    check: async (meeting) => {
      expectAccess(await meeting.session.openCaptions({ language: 'de' }), { on: true, language: 'de-DE' });
      const asked = await languageAsked(meeting);
      if (asked !== 'de-DE') throw new Error(`The page was asked for captions in ${asked}.`);
      await eventually('captions in two languages', () => {
        const languages = captionsOf(meeting).map(({ language }) => language);
        return new Set(languages).size === 2;
      });
    },
  },
  {
    name: "sets the meeting's language of captions when it turns them on first and is asked to",
    room: withCaptions({ control: 'renamed', finals: 'late' }),
    platforms: ['zoom'],
    check: async (meeting) => {
      expectAccess(await meeting.session.openCaptions({ language: 'de' }), { on: true, language: 'German' });
      const asked = await languageAsked(meeting);
      if (asked !== 'de-DE') throw new Error(`The page was asked for captions in ${asked}.`);
    },
  },
  {
    name: 'turns captions on in the language of the page where the wanted one is not offered',
    room: withCaptions({}),
    platforms: ['meet'],
    check: async ({ session }) => {
      expectAccess(await session.openCaptions({ language: 'xx-XX' }), { on: true, language: null });
    },
  },
];

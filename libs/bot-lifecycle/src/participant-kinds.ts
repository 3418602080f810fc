/*
 * Who in a meeting is no person, by the shown name. Each entry is matched as a part of a name made of whole words, in any
 * case (`holdsName`). An entry that is also a person's name needs a second word: "gong" alone is a surname.
 */

/** Programs that record or take notes. They are silent, and leave when all people have left. */
export const notetakerNames: readonly string[] = [
  'notetaker',
  'note taker',
  'note-taker',
  'notetaking',
  'notes bot',
  'meeting bot',
  'recording bot',
  'recorder bot',
  'meeting notes',
  'meeting assistant',
  'meeting recorder',
  'ai assistant',
  'ai notes',
  'ai companion',
  'fireflies',
  'fireflies.ai',
  'otter.ai',
  'otterpilot',
  'otter pilot',
  'read.ai',
  'read ai',
  'fathom.video',
  'fathom ai',
  'tl;dv',
  'tldv',
  'meetgeek',
  'avoma',
  'gong.io',
  'gong recorder',
  'gong assistant',
  'chorus.ai',
  'chorus recorder',
  'grain.com',
  'grain recorder',
  'krisp.ai',
  'sembly',
  'sembly ai',
  'supernormal',
  'circleback',
  'circleback.ai',
  'fellow.app',
  'airgram',
  'notta bot',
  'notta.ai',
  'tactiq',
  'spinach.ai',
  'spinach ai',
  'bluedot.ai',
  'jamie ai',
  'modjo',
  'salesloft recorder',
  'zoominfo recorder',
  'recall.ai',
  'meetingbaas',
  'meeting baas',
  'attendee bot',
  'vexa',
  'copilot',
];

/** Devices of meeting rooms: a hum of theirs is no attendance, speech of theirs is. */
export const roomDeviceNames: readonly string[] = [
  'room',
  'rooms',
  'boardroom',
  'meetingroom',
  'conferenceroom',
  'auditorium',
  'rally bar',
  'polycom',
  'poly studio',
  'neat bar',
  'neat board',
  'webex board',
  'webex desk',
  'surface hub',
  'konferenzraum',
  'besprechungsraum',
  'sitzungszimmer',
  'salle de réunion',
  'salle de conférence',
  'sala de reuniones',
  'sala de juntas',
  'sala de reunião',
  'sala riunioni',
  'vergaderzaal',
  'vergaderruimte',
  '会議室',
  '会议室',
  '會議室',
  '회의실',
];

export type ParticipantKind = 'person' | 'program' | 'room';

export interface NamesOfPrograms {
  /** Parts of names, from the customer. */
  readonly ignored_participant_names: readonly string[];
  /** Whole names of bots of this service. */
  readonly bot_names: readonly string[];
}

/** What a participant of this name is; a name that says nothing is a person's. */
export function participantKind(shownName: string, names: NamesOfPrograms): ParticipantKind {
  const name = plain(shownName);
  if (name === '') return 'person';
  if (names.bot_names.some((bot) => plain(bot) === name)) return 'program';
  const holds = (part: string): boolean => holdsName(name, part);
  if (names.ignored_participant_names.map(plain).some(holds) || plainNotetakers.some(holds)) return 'program';
  return plainRoomDevices.some(holds) ? 'room' : 'person';
}

const longestName = 500;
// Leave rules judge every participant at every observation.
const [plainNotetakers, plainRoomDevices] = [notetakerNames.map(plain), roomDeviceNames.map(plain)];

function plain(name: string): string {
  return name
    .slice(0, longestName)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('\u2019', "'")
    .split(/\s+/)
    .join(' ')
    .trim();
}

const spacedLetter = /[\p{L}\p{M}\p{N}]/u;
const unspacedLetter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** `part` is in `name`, and no word is cut by its ends. Scripts without spaces between words have no such limit. */
function holdsName(name: string, part: string): boolean {
  if (part === '') return false;
  const [first, last] = [part.at(0)!, part.at(-1)!];
  for (let at = name.indexOf(part); at >= 0; at = name.indexOf(part, at + 1)) {
    const cutsBefore = joins(name.charAt(at - 1), first);
    if (!cutsBefore && !joins(last, name.charAt(at + part.length))) return true;
  }
  return false;
}

function joins(left: string, right: string): boolean {
  return [left, right].every((letter) => spacedLetter.test(letter) && !unspacedLetter.test(letter));
}

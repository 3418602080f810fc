import type { MediaCache } from '../media/media-cache.ts';
import { renderMixedSound, renderPersonMedia } from '../media/person-media.ts';
import type { PersonMedia } from '../media/person-media.ts';
import type { PictureKind, PictureLoop } from '../media/picture-loop.ts';
import type { SoundPacket } from '../media/sound-track.ts';
import { beepOwners, planSchedule } from './schedule.ts';
import type { ScheduledSentence, ScheduleOptions } from './schedule.ts';
import { speak } from './speech.ts';
import type { Utterance } from './speech.ts';
import type { Voice } from './default-people.ts';

export type PersonPlan = {
  name: string;
  voice: Voice;
  sentences: readonly string[];
  absent?: boolean | undefined;
  camera?: boolean | undefined;
};
export type PreparedPeople = {
  schedule: ScheduledSentence[];
  media: PersonMedia[];
  /** The sound of these people mixed into one; a second of work unless it was asked for before. */
  mixOf(personIndexes: readonly number[]): Promise<(SoundPacket | null)[]>;
  /** The picture of the screen that this person shares; a second of work unless it was asked for before. */
  screenOf(personIndex: number): Promise<PictureLoop>;
  /** A person's picture as it would be sent in another way; the same holds. */
  pictureOf(personIndex: number, kind: PictureKind): Promise<PictureLoop | null>;
};

const RENDERED_AT_ONCE = 2;

/**
 * Speaks every sentence, plans who says what when, and renders each person's picture and sound. Everything is cached,
 * so a second room with the same people is ready in a moment.
 */
export async function preparePeople(
  cache: MediaCache,
  people: readonly PersonPlan[],
  options: ScheduleOptions & { framesPerSecond: number; picture: PictureKind },
): Promise<PreparedPeople> {
  const spoken = await eachInTurn(people, RENDERED_AT_ONCE, async (person) => ({
    name: person.name,
    sentences: await eachInTurn(person.sentences, 1, async (text) => {
      const utterance = await speak(cache, person.voice, text);
      return { text, durationMs: utterance.durationMs, words: utterance.words, utterance };
    }),
  }));
  const schedule = planSchedule(spoken, options);
  const owners = beepOwners(schedule, options.loopSeconds);
  const plans = spoken.map((person, personIndex) => ({
    name: person.name,
    personIndex,
    framesPerSecond: options.framesPerSecond,
    loopSeconds: options.loopSeconds,
    turns: turnsOf(schedule, personIndex, person.sentences),
    beepSeconds: owners.flatMap((owner, second) => (owner === personIndex ? [second] : [])),
  }));
  const media = await eachInTurn(plans, RENDERED_AT_ONCE, (plan) => renderPersonMedia(cache, plan, options.picture));
  const mixOf = (personIndexes: readonly number[]) =>
    renderMixedSound(
      cache,
      plans.filter(({ personIndex }) => personIndexes.includes(personIndex)),
    );
  const screenOf = async (personIndex: number) => {
    const name = `Presentation of ${people[personIndex]?.name ?? 'somebody'}`;
    const { framesPerSecond, loopSeconds } = options;
    const plan = { name, personIndex: people.length, framesPerSecond, loopSeconds, turns: [], beepSeconds: [] };
    return (await renderPersonMedia(cache, plan, options.picture)).picture;
  };
  const pictureOf = async (personIndex: number, kind: PictureKind) => {
    const plan = plans[personIndex];
    return plan === undefined ? null : (await renderPersonMedia(cache, plan, kind)).picture;
  };
  return { schedule, media, mixOf, screenOf, pictureOf };
}

function turnsOf(
  schedule: readonly ScheduledSentence[],
  personIndex: number,
  sentences: readonly { text: string; utterance: Utterance }[],
) {
  return schedule
    .filter((entry) => entry.personIndex === personIndex)
    .map((entry) => {
      const said = sentences.find((sentence) => sentence.text === entry.sentence);
      if (said === undefined) throw new Error(`Nobody spoke the sentence "${entry.sentence}".`);
      return { startMs: entry.startMs, endMs: entry.endMs, utterance: said.utterance };
    });
}

/** Like Promise.all over a map, with at most `atOnce` running. */
async function eachInTurn<In, Out>(
  items: readonly In[],
  atOnce: number,
  work: (item: In, index: number) => Promise<Out>,
): Promise<Out[]> {
  const results: Out[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

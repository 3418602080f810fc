import type { MediaCache } from '../media/media-cache.ts';
import { renderMixedAudio, renderParticipantMedia } from '../media/participant-media.ts';
import type { ParticipantMedia } from '../media/participant-media.ts';
import type { VideoKind, VideoLoop } from '../media/video-loop.ts';
import type { AudioPacket } from '../media/audio-track.ts';
import { beepOwners, planSchedule } from './schedule.ts';
import type { ScheduledSentence, ScheduleOptions } from './schedule.ts';
import { speak } from './speech.ts';
import type { Utterance } from './speech.ts';
import type { MemberKind } from '../rooms/members.ts';
import type { Voice } from './default-participants.ts';

export type ParticipantPlan = {
  name: string;
  /** The voices at its microphone, which say the sentences in turn. */
  voice: readonly Voice[];
  sentences: readonly string[];
  /** The language of its sentences; omitted: English. */
  language?: string | undefined;
  absent?: boolean | undefined;
  camera?: boolean | undefined;
  kind?: MemberKind | undefined;
  deviceOf?: number | undefined;
};
export type PreparedParticipants = {
  schedule: ScheduledSentence[];
  media: ParticipantMedia[];
  /** The audio of these participants mixed into one; a second of work unless it was made before. */
  mixOf(participantIndexes: readonly number[]): Promise<(AudioPacket | null)[]>;
  /** The video of the screen that this participant shares; a second of work unless it was made before. */
  screenOf(participantIndex: number): Promise<VideoLoop>;
  /** A participant's video in another encoding; a second of work unless it was made before. */
  videoOf(participantIndex: number, kind: VideoKind): Promise<VideoLoop | null>;
};

const RENDERED_AT_ONCE = 2;

/**
 * Synthesizes every sentence, plans the schedule, and renders each participant's video and audio. Everything is cached,
 * so a second room with the same participants is ready at once.
 */
export async function prepareParticipants(
  cache: MediaCache,
  participants: readonly ParticipantPlan[],
  options: ScheduleOptions & { framesPerSecond: number; video: VideoKind },
): Promise<PreparedParticipants> {
  const spoken = await eachInTurn(
    participants,
    RENDERED_AT_ONCE,
    async ({ name, voice: spokenBy, sentences, language }) => ({
      name,
      language,
      sentences: await eachInTurn(sentences, 1, async (text, index) => {
        const voice = index % spokenBy.length;
        const utterance = await speak(cache, spokenBy[voice]!, text);
        return { text, voice, durationMs: utterance.durationMs, words: utterance.words, utterance };
      }),
    }),
  );
  const schedule = planSchedule(spoken, options);
  const owners = beepOwners(schedule, options.loopSeconds);
  const plans = spoken.map((participant, participantIndex) => ({
    name: participant.name,
    participantIndex,
    framesPerSecond: options.framesPerSecond,
    loopSeconds: options.loopSeconds,
    turns: turnsOf(schedule, participantIndex, participant.sentences),
    beepSeconds: owners.flatMap((owner, second) => (owner === participantIndex ? [second] : [])),
  }));
  const media = await eachInTurn(plans, RENDERED_AT_ONCE, (plan) => renderParticipantMedia(cache, plan, options.video));
  const mixOf = (participantIndexes: readonly number[]) =>
    renderMixedAudio(
      cache,
      plans.filter(({ participantIndex }) => participantIndexes.includes(participantIndex)),
    );
  const screenOf = async (participantIndex: number) => {
    const name = `Presentation of ${participants[participantIndex]?.name ?? 'a participant'}`;
    const { framesPerSecond, loopSeconds } = options;
    const plan = {
      name,
      participantIndex: participants.length,
      framesPerSecond,
      loopSeconds,
      turns: [],
      beepSeconds: [],
    };
    return (await renderParticipantMedia(cache, plan, options.video)).video;
  };
  const videoOf = async (participantIndex: number, kind: VideoKind) => {
    const plan = plans[participantIndex];
    return plan === undefined ? null : (await renderParticipantMedia(cache, plan, kind)).video;
  };
  return { schedule, media, mixOf, screenOf, videoOf };
}

function turnsOf(
  schedule: readonly ScheduledSentence[],
  participantIndex: number,
  sentences: readonly { text: string; utterance: Utterance }[],
) {
  return schedule
    .filter((entry) => entry.participantIndex === participantIndex)
    .map((entry) => {
      const said = sentences.find((sentence) => sentence.text === entry.sentence);
      if (said === undefined) throw new Error(`No participant spoke the sentence "${entry.sentence}".`);
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

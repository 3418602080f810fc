import { boundReport } from '@rapporteur/contracts';
import { systemClock } from '@rapporteur/service-runtime/process';
import { ChatReports } from '../reporting/follow-story.ts';
import { MeetingStory } from '../story/meeting-story.ts';
import type { StoryEvent } from '../story/story-event.ts';

export interface Crowd {
  readonly participants: number;
  readonly turns: number;
  readonly messages: number;
}

/** A story in which this many participants appear and speak. */
export function storyOfCrowd({ participants, turns }: Pick<Crowd, 'participants' | 'turns'>): MeetingStory {
  const story = new MeetingStory();
  const idOf = (index: number): string => `p${index % participants}`;
  for (let index = 0; index < participants; index += 1) story.add(appearance(idOf(index), `Participant ${index}`));
  for (let turnId = 0; turnId < turns; turnId += 1)
    story.add({
      kind: 'speaker',
      change: 'started',
      turnId,
      participantId: idOf(turnId * 7),
      name: null,
      startMs: turnId,
      endMs: null,
      source: 'tiles',
      confidence: 1,
    });
  return story;
}

/** CPU time in ms of a message and a list, from the story to the bounded report. Throws when one is not reported. */
export function chatInCrowd(crowd: Crowd): { readonly messageMs: number; readonly listMs: number } {
  const story = storyOfCrowd(crowd);
  let reported = 0;
  const chat = new ChatReports({
    story,
    report: (body) => {
      boundReport(body);
      reported += 1;
    },
    clock: systemClock,
  });
  const messagesMs = cpuMs(() => {
    for (let index = 0; index < crowd.messages; index += 1) {
      const senderName = `Participant ${index % crowd.participants}`;
      const atMs = systemClock.now();
      const message = { id: `m${index}`, senderId: null, senderName, text: 'Hello', sentAtMs: atMs, own: false };
      story.add({ kind: 'chat', ...message });
      chat.add(message, atMs);
    }
  });
  if (reported !== crowd.messages) throw new Error(`${reported} of ${crowd.messages} messages were reported.`);
  story.add(appearance('late', 'Latecomer'));
  const listMs = cpuMs(() => {
    const { participants, speakers } = story.participants;
    boundReport({ kind: 'participants', participants: [...participants], speakers: [...speakers] });
  });
  return { messageMs: messagesMs / crowd.messages, listMs };
}

function appearance(participantId: string, name: string): StoryEvent {
  return { kind: 'participant', change: 'appeared', participantId, name, avatarUrl: null, isSelf: false, atMs: 0 };
}

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

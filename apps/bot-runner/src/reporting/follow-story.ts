import type { MeetingSession } from '@rapporteur/meeting-platforms';
import type { Clock, Logger } from '@rapporteur/service-runtime/process';
import { MeetingStory } from '../story/meeting-story.ts';
import { storyEventOf } from '../story/story-of-session.ts';
import { ChatReports } from './chat-reports.ts';
import { startParticipantReports } from './participant-reports.ts';
import type { Reporter } from './reporter.ts';

interface FollowedSession {
  readonly session: Pick<MeetingSession, 'onSignal'>;
  readonly report: Reporter['report'];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Events of the meeting, kept for the recording and reported. */
export function followStory({ session, report, clock, logger }: FollowedSession) {
  const story = new MeetingStory();
  const chat = new ChatReports({ story, report, clock });
  session.onSignal((signal) => {
    const event = storyEventOf(signal);
    if (event !== null) story.add(event);
    if (signal.kind === 'chat') chat.add(signal.message, signal.atMs);
    if (signal.kind === 'step')
      logger.info({ step: signal.step, sinceStartMs: Math.round(performance.now()) }, `Meeting page: ${signal.step}.`);
  });
  return { story, chat, participants: startParticipantReports({ story, report, clock }) };
}

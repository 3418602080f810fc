import type { Clock } from '@rapporteur/service-runtime/process';
import type { ReportBody } from './reporter.ts';
import type { MeetingStory } from '../story/meeting-story.ts';
import { listParticipants } from '../story/participant-list.ts';

export interface ParticipantReportsOptions {
  readonly story: MeetingStory;
  readonly report: (body: ReportBody) => void;
  readonly clock: Clock;
  readonly everyMs?: number;
}

/** Reports who is there whenever that has changed, at most once per interval: participants come in bursts. */
export function startParticipantReports({ story, report, clock, everyMs = 5_000 }: ParticipantReportsOptions): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  let reported = '';
  let polled = 0;
  const poll = (): void => {
    if (story.events.length === polled) return;
    polled = story.events.length;
    const { participants, speakers } = listParticipants(story.events);
    const text = JSON.stringify([participants, speakers]);
    if (text === reported || participants.length === 0) return;
    reported = text;
    report({ kind: 'participants', participants, speakers });
  };
  const looping = (async () => {
    while (!stopping.signal.aborted) {
      await clock.sleep(everyMs, stopping.signal).catch(() => undefined);
      if (!stopping.signal.aborted) poll();
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await looping;
    },
  };
}

import type { Clock } from '@rapporteur/service-runtime/process';
import type { ReportBody } from './reporter.ts';
import type { MeetingStory } from '../story/meeting-story.ts';

export interface ParticipantReportsOptions {
  readonly story: MeetingStory;
  readonly report: (body: ReportBody) => void;
  readonly clock: Clock;
  readonly everyMs?: number;
}

/** Reports the participants when they have changed, at most once per interval: participants come in bursts. */
export function startParticipantReports({ story, report, clock, everyMs = 5_000 }: ParticipantReportsOptions): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  let reported = 0;
  const poll = (): void => {
    const { participants, speakers, revision } = story.participants;
    if (revision === reported || participants.length === 0) return;
    reported = revision;
    report({ kind: 'participants', participants: [...participants], speakers: [...speakers] });
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

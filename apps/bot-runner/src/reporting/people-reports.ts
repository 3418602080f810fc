import type { Clock } from '@rapporteur/service-runtime/process';
import type { ReportBody } from './reporter.ts';
import type { MeetingStory } from '../story/meeting-story.ts';
import { listPeople } from '../story/people-list.ts';

export interface PeopleReportsOptions {
  readonly story: MeetingStory;
  readonly report: (body: ReportBody) => void;
  readonly clock: Clock;
  readonly everyMs?: number;
}

/** Reports who is there whenever that has changed, at most once per interval: people come in bursts. */
export function startPeopleReports({ story, report, clock, everyMs = 5_000 }: PeopleReportsOptions): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  let told = '';
  let looked = 0;
  const look = (): void => {
    if (story.events.length === looked) return;
    looked = story.events.length;
    const { participants, speakers } = listPeople(story.events);
    const text = JSON.stringify([participants, speakers]);
    if (text === told || participants.length === 0) return;
    told = text;
    report({ kind: 'people', participants, speakers });
  };
  const looping = (async () => {
    while (!stopping.signal.aborted) {
      await clock.sleep(everyMs, stopping.signal).catch(() => undefined);
      if (!stopping.signal.aborted) look();
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await looping;
    },
  };
}

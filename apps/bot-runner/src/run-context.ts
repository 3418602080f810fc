import type { MeetingPlatformName, ReportBody } from '@rapporteur/contracts';
import type { RecordingMode } from '@rapporteur/recorder';
import type { Clock, Logger } from '@rapporteur/service-runtime/process';

/** The identity of this run for the scheduler. Every report and lease request carries it. */
export interface RunIdentity {
  readonly botId: string;
  readonly attempt: number;
  /** Grows with each run of the bot; only the newest one may write. */
  readonly fencing: number;
}

/** What the features of a run have in common. Each names the part that it uses. */
export interface RunContext {
  readonly identity: RunIdentity;
  readonly platform: MeetingPlatformName;
  readonly mode: RecordingMode;
  /** Where the fragments of every attempt are. */
  readonly workFolder: string;
  readonly ffmpegPath: string;
  readonly report: (body: ReportBody) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

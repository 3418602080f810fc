import type { Database } from '@rapporteur/database';
import type { Bus, Inbox } from '@rapporteur/event-bus';
import type { Clock } from '@rapporteur/service-runtime';
import type { SignArtifacts } from './artifact-urls.ts';

export interface BotEventsDependencies {
  readonly database: Database;
  readonly bus: Bus;
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly signArtifacts: SignArtifacts;
  /** Called after a commit: deliveries may be due. */
  readonly onStored: () => void;
}

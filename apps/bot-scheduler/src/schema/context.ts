import type { FinalOutcome } from '@rapporteur/bot-lifecycle';
import type { EventDefinition } from '@rapporteur/contracts';
import type { Database, Executor } from '@rapporteur/database';
import type { SecretBox } from '@rapporteur/secret-box';
import type { Clock, Logger, Service } from '@rapporteur/service-runtime';
import type { SchedulerConfig } from '../config.ts';
import type { SchedulerCounters } from '../metrics.ts';
import type { BotRow } from './bot-entity.ts';

/** The part of an outbox used here: an event is published only if the transaction commits. */
export interface EventSink {
  add<T>(transaction: Executor, definition: EventDefinition<T>, data: T, id?: string): Promise<unknown>;
  /** Called once the transaction of a move has committed. */
  readonly onMove?: (move: CommittedMove) => void;
}

export interface CommittedMove {
  readonly from: BotRow;
  readonly to: BotRow;
  readonly at: Date;
  /** Null: the bot continues. */
  readonly final: FinalOutcome | null;
}

/** What the features of this service have in common. Each names the part that it uses. */
export interface Context {
  readonly service: Service;
  readonly config: SchedulerConfig;
  readonly counters: SchedulerCounters;
  readonly database: Database;
  readonly events: EventSink & { notify(ids?: readonly string[]): void };
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Notifies the launcher that bots wait for a run. */
  readonly notifyRuns: () => void;
  /** Core NATS: has a runner renew its lease now; the reply contains its commands. */
  readonly notifyRunner: (subject: string) => void;
}

/** A bot and the requesting team. */
export interface BotPlace {
  readonly botId: string;
  readonly teamId: string;
}

/** A public request about one bot. */
export interface BotCall {
  readonly teamId: string;
  readonly params: { readonly bot_id: string };
}

export const botPlaceOf = ({ teamId, params }: BotCall): BotPlace => ({ teamId, botId: params.bot_id });

/** Requests over the bus, and replies to them. */
export interface RequestBus {
  reply(
    subject: string,
    handle: (body: unknown, subject: string) => Promise<unknown>,
    options?: { readonly limit?: number; readonly everyInstance?: boolean },
  ): { stop(): Promise<void> };
  request(subject: string, body: unknown, options: { readonly timeoutMs: number }): Promise<unknown>;
}

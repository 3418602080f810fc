import type {
  MeetingPlatformName,
  Artifact,
  CaptionsUnavailableReason,
  CommandResult,
  EventOrder,
  MatchedCandidates,
  ObservedCall,
  PagePackOverlay,
  Participant,
  RunnerCommand,
  RunnerConfiguration,
  ResourceUsage,
} from '@rapporteur/contracts';
import type { EndCode, LifecycleStatusCode, Phase, TokenCharge } from '@rapporteur/bot-lifecycle';
import type { RowOf } from '@rapporteur/database';
import type { MeetingLink } from '@rapporteur/meeting-links';
import type {
  botAccessEntity,
  botCommandEntity,
  botEntity,
  botScreenshotEntity,
  botSecretEntity,
  grantEndEntity,
  leaseEntity,
  scheduledBotEntity,
} from './entities.ts';
import type { CanaryOutcome, CanaryResult, CanaryStep } from '@rapporteur/contracts';
import type { canaryRunEntity, operatorNoticeEntity } from './canary-entities.ts';
import type { objectDeletionEntity } from './deletion-entities.ts';
import type { pagePackEntity } from './page-pack-entities.ts';
import type { TranscriptionRow } from './transcription-state.ts';

export type RunMode = 'attend' | 'finalize';

/** The create body as the gateway forwarded it, defaults applied, without its secrets: those are in bot_secrets. */
export type StoredRequest = Readonly<Record<string, unknown>>;

/** Target of a bot's own callback; set when callbacks are enabled for it. */
export interface CallbackRow {
  readonly url: string;
  readonly method: 'POST' | 'PUT';
  /** Field of bot_secrets that holds the secret; null: there is none. */
  readonly secretField: string | null;
}

/** Set when the bot was created through the legacy API. */
export interface LegacyRow {
  readonly webhookUrl: string | null;
}

/** Resource usage of one bot. */
export interface ResourceUsageRow extends ResourceUsage {
  /** Total length of the recordings sent to a transcription provider, repetitions included; absent: none. */
  readonly providerMs?: number;
}

/** The failure of a run that another one replaces by rejoining. */
export interface RunFailureRow {
  readonly code: EndCode;
  /** ISO 8601: the last renewal. */
  readonly at: string;
}

/** The state of the meeting's page when a bot failed. */
export interface FailureEvidenceRow {
  readonly rule: string | null;
  readonly state: string | null;
  readonly title: string | null;
  readonly host: string | null;
  readonly steps: readonly { readonly step: string; readonly atMs: number }[];
}

/**
 * launching: its ticket is issued. held: a runner redeemed it and renews. done: the bot ended through it. lost: marked
 * as failed; its runner is fenced.
 */
export type LeaseState = 'launching' | 'held' | 'done' | 'lost';

export type ScheduledState = 'scheduled' | 'cancelled' | 'completed' | 'failed';

/** Whether a bot reads the meeting's own captions, by its last report. */
export interface CaptionsStatusRow {
  readonly available: boolean;
  readonly reason: CaptionsUnavailableReason | null;
}

/** One bot as PostgreSQL returns it; numeric and bigint columns are strings. */
export type BotRow = RowOf<
  typeof botEntity,
  {
    meeting_platform: MeetingPlatformName;
    configuration: RunnerConfiguration;
    extra: Record<string, unknown> | null;
    wants_run: RunMode | null;
    failure: RunFailureRow | null;
    failure_evidence: FailureEvidenceRow | null;
    matched_candidates: MatchedCandidates | null;
    observed: ObservedCall | null;
    phase: Phase;
    captions: CaptionsStatusRow | null;
    status: LifecycleStatusCode;
    resource_usage: ResourceUsageRow | null;
    end_code: EndCode | null;
    participants: Participant[];
    speakers: Participant[];
    artifacts: Artifact[];
    tokens: TokenCharge | null;
    request: StoredRequest;
    callback: CallbackRow | null;
    legacy: LegacyRow | null;
    event_order: EventOrder | null;
    transcription: TranscriptionRow | null;
  }
>;

/** A command for a bot in its meeting, and its result. */
export type BotCommandRow = RowOf<
  typeof botCommandEntity,
  { command: RunnerCommand; outcome: CommandResult['outcome'] | 'expired' | null }
>;

/** An operator's overlay of a platform's page pack. */
export type PagePackRow = RowOf<
  typeof pagePackEntity,
  { platform: MeetingPlatformName; overlay: PagePackOverlay | null; previous_overlay: PagePackOverlay | null }
>;

/** One bot of a canary. */
export type CanaryRunRow = RowOf<
  typeof canaryRunEntity,
  {
    platform: MeetingPlatformName;
    outcome: CanaryOutcome | null;
    failed_step: CanaryStep | null;
    result: CanaryResult | null;
  }
>;

/** A notice to the operator that is not accepted yet. */
export type OperatorNoticeRow = RowOf<typeof operatorNoticeEntity>;

/** A bot whose objects storage has not confirmed to be deleted. */
export type ObjectDeletionRow = RowOf<typeof objectDeletionEntity>;

/** An ended bot whose upload grants are not confirmed as ended. */
export type GrantEndRow = RowOf<typeof grantEndEntity>;

export type BotScreenshotRow = RowOf<typeof botScreenshotEntity>;

/** Separate from `bots`, so that counting a read does not rewrite the bot. */
export type BotAccessRow = RowOf<typeof botAccessEntity>;

export type LeaseRow = RowOf<typeof leaseEntity, { mode: RunMode; state: LeaseState }>;

export type BotSecretRow = RowOf<typeof botSecretEntity>;

/**
 * A bot that joins later. Once it runs, `bots` has a row with the same id, and `state` is set to that bot's outcome.
 */
export type ScheduledBotRow = RowOf<
  typeof scheduledBotEntity,
  {
    state: ScheduledState;
    meeting_platform: MeetingPlatformName;
    link: MeetingLink;
    request: StoredRequest;
    extra: Record<string, unknown> | null;
    legacy: LegacyRow | null;
  }
>;

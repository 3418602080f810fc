import type {
  Artifact,
  CommandResult,
  EventOrder,
  Participant,
  RunnerCommand,
  RunnerConfiguration,
  ResourceUsage,
} from '@rapporteur/contracts';
import type { EndCode, LifecycleStatusCode, Phase, TokenCharge } from '@rapporteur/bot-lifecycle';
import type { MeetingLink } from '@rapporteur/meeting-links';
import type { TranscriptionRow } from './transcription-state.ts';

export type RunMode = 'attend' | 'finalize';

/** The create body as the gateway forwarded it, defaults filled in, without its secrets: those are in bot_secrets. */
export type StoredRequest = Readonly<Record<string, unknown>>;

/** Where a bot's own callback goes; present when callbacks are enabled for it. */
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

/** What one bot has used. */
export interface ResourceUsageRow extends ResourceUsage {
  /** Length of what was given to a provider of transcription, repetitions included; absent: nothing was. */
  readonly providerMs?: number;
}

/** How a run failed in place of which another one rejoins. */
export interface RunFailureRow {
  readonly code: EndCode;
  /** ISO 8601: the last sign of life. */
  readonly at: string;
}

/** What the page of the meeting showed when a bot failed. */
export interface FailureEvidenceRow {
  readonly rule: string | null;
  readonly state: string | null;
  readonly title: string | null;
  readonly host: string | null;
  readonly steps: readonly { readonly step: string; readonly atMs: number }[];
}

/** One bot, as PostgreSQL gives it; numeric and bigint columns arrive as text. */
export interface BotRow {
  readonly id: string;
  readonly team_id: string;
  readonly created_at: Date;
  readonly bot_name: string;
  /** As the customer wrote it. */
  readonly meeting_url: string;
  readonly meeting_platform: 'zoom' | 'meet' | 'teams';
  readonly meeting_id: string;
  /** What duplicates are found by. */
  readonly canonical_url: string;
  readonly join_url: string;
  readonly simulated: boolean;
  readonly configuration: RunnerConfiguration;
  readonly extra: Record<string, unknown> | null;
  readonly transcription_wanted: boolean;
  /** When it should be picked up. */
  readonly due_at: Date;
  /** Set while the bot waits for its next run; taken away by the launch that claims it. */
  readonly wants_run: RunMode | null;
  /** Number of the newest run, 0 before the first. */
  readonly attempt: number;
  readonly finalize_attempts: number;
  /** Runs that were launched to rejoin after one had failed during the attendance. */
  readonly rejoins: number;
  /** The newest failure of a run that attended; null: none failed. */
  readonly failure: RunFailureRow | null;
  /** What the runner reported with the newest end of its attendance; null: nothing. */
  readonly failure_evidence: FailureEvidenceRow | null;
  readonly phase: Phase;
  readonly status: LifecycleStatusCode;
  /** When it came into its phase. */
  readonly phase_since: Date;
  /** Null before its runner reported it. */
  readonly resource_usage: ResourceUsageRow | null;
  /** Sequence of the newest history row. */
  readonly history_count: number;
  readonly updated_at: Date;
  readonly leave_requested_at: Date | null;
  readonly end_code: EndCode | null;
  readonly end_message: string | null;
  readonly recorded: boolean | null;
  readonly joined_at: Date | null;
  readonly exited_at: Date | null;
  readonly ended_at: Date | null;
  readonly duration_ms: string | null;
  readonly participants: Participant[];
  readonly speakers: Participant[];
  readonly artifacts: Artifact[];
  readonly artifacts_deleted: boolean;
  readonly reserved_tokens: string;
  readonly tokens: TokenCharge | null;
  /** Counts all bots of the deployment: the integer id of the legacy lists. */
  readonly number: string;
  /**
   * Counts the team's own bots without gaps, in the order of `created_at`: the daily cap is found by it. Null: a
   * scheduled bot that was refused when it became due, which counts nowhere.
   */
  readonly team_number: string | null;
  readonly request: StoredRequest;
  readonly callback: CallbackRow | null;
  readonly legacy: LegacyRow | null;
  readonly deduplication_key: string | null;
  /** The second at which a scheduled bot knocks; null: it was sent at once. */
  readonly join_at: Date | null;
  /** Whether it can use its meeting's chat; null until it has said so. */
  readonly chat_available: boolean | null;
  /** Place of its newest public event; null: it has only that of its admission. */
  readonly event_order: EventOrder | null;
  /** When its data was forgotten, by request or by the plan's retention. */
  readonly data_deleted_at: Date | null;
  /** Null before its recording was given to be transcribed. */
  readonly transcription: TranscriptionRow | null;
}

/** Something asked of a bot in its meeting, and what came of it. */
export interface BotCommandRow {
  readonly id: string;
  readonly bot_id: string;
  /** The run it is meant for. */
  readonly attempt: number;
  readonly command: RunnerCommand;
  readonly created_at: Date;
  /** From then on it is not handed to the runner any more. */
  readonly expires_at: Date;
  readonly outcome: CommandResult['outcome'] | 'expired' | null;
  readonly message: string | null;
}

/** A bot whose objects storage has not confirmed to be deleted. */
export interface ObjectDeletionRow {
  readonly bot_id: string;
  readonly team_id: string;
}

/** A bot that has ended and whose upload grants storage has not confirmed to be ended. */
export interface GrantEndRow {
  readonly bot_id: string;
  readonly team_id: string;
  readonly due_at: Date;
}

/** A bot whose data is not deleted. */
export interface LegalHoldRow {
  readonly bot_id: string;
  readonly placed_at: Date;
}

export interface BotScreenshotRow {
  readonly bot_id: string;
  /** From 1 per bot, over all its runs. */
  readonly number: number;
  /** Relative to the bot's own prefix. */
  readonly key: string;
  readonly taken_at: Date;
}

/** Apart from `bots`, so that reading a bot does not rewrite it. */
export interface BotAccessRow {
  readonly bot_id: string;
  readonly access_count: string;
  readonly last_accessed_at: Date;
}

export interface BotHistoryRow {
  readonly bot_id: string;
  readonly sequence: number;
  readonly code: string;
  readonly at: Date;
  /** Unix seconds. */
  readonly start_time: string | null;
  readonly error_message: string | null;
}

/**
 * launching: its ticket is out. held: a runner redeemed it and renews. done: the bot ended through it. lost: marked as
 * failed; its runner may do nothing more.
 */
export type LeaseState = 'launching' | 'held' | 'done' | 'lost';

export interface LeaseRow {
  readonly bot_id: string;
  readonly attempt: number;
  readonly fencing: number;
  readonly mode: RunMode;
  readonly run_name: string;
  readonly state: LeaseState;
  readonly created_at: Date;
  readonly renewed_at: Date | null;
  readonly applied_sequence: number;
  readonly ended_at: Date | null;
}

/** How one run ended, with what was seen of it. Written once. */
export interface RunEndRow {
  readonly bot_id: string;
  readonly attempt: number;
  /** Null: only exit code and signal are known, or nothing. */
  readonly cause: string | null;
  readonly exit_code: number | null;
  readonly signal: string | null;
  /** Null: nobody saw it end; its lease expired. */
  readonly ended_at: Date | null;
  readonly written_at: Date;
  readonly status: Readonly<Record<string, unknown>> | null;
  readonly last_log_lines: readonly string[];
}

export interface LaunchTicketRow {
  /** SHA-256 of the ticket in hex; the ticket itself is only in the runner's environment. */
  readonly ticket_hash: string;
  readonly bot_id: string;
  readonly attempt: number;
  readonly expires_at: Date;
  readonly redeemed_at: Date | null;
  /** What the runner's process named itself with. */
  readonly redeemed_by: string | null;
}

export interface TeamLimitsRow {
  readonly team_id: string;
  readonly version: number;
  readonly name: string;
  readonly plan_name: string;
  readonly daily_bot_cap: number;
  readonly retention_days: number;
  readonly byok_transcription: boolean;
}

/** `balance - reserved` is what new bots may reserve from. */
export interface TokenAccountRow {
  readonly team_id: string;
  readonly balance: string;
  readonly reserved: string;
  /** `team_number` and `created_at` of the team's newest bot. */
  readonly bot_count: string;
  readonly newest_bot_at: Date | null;
}

export interface BotSecretRow {
  readonly bot_id: string;
  readonly field: string;
  readonly team_id: string;
  /** Sealed by libs/secret-box for exactly this team, bot and field. */
  readonly sealed: Buffer;
  /** When nobody needs it any more; null: that follows from the field. */
  readonly forget_at: Date | null;
}

export type ScheduledState = 'scheduled' | 'cancelled' | 'completed' | 'failed';

/** A bot that joins later. Once it runs there is a bot of the same id, and `state` follows that bot's end. */
export interface ScheduledBotRow {
  readonly id: string;
  readonly team_id: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly join_at: Date;
  readonly state: ScheduledState;
  readonly cancelled_at: Date | null;
  /** When its bot was created. */
  readonly spawned_at: Date | null;
  readonly bot_name: string;
  readonly meeting_url: string;
  readonly meeting_platform: 'zoom' | 'meet' | 'teams';
  readonly link: MeetingLink;
  readonly request: StoredRequest;
  readonly extra: Record<string, unknown> | null;
  readonly legacy: LegacyRow | null;
  readonly deduplication_key: string | null;
}

export interface TokenLedgerRow {
  readonly id: string;
  readonly team_id: string;
  readonly at: Date;
  readonly kind: 'granted' | 'reserved' | 'released' | 'charged';
  readonly tokens: string;
  readonly bot_id: string | null;
  readonly grant_id: string | null;
  readonly note: string | null;
  /** The repeated transcription that it is charged for. */
  readonly request_id: string | null;
}

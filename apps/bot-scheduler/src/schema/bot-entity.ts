import type { EndCode, LifecycleStatusCode, Phase, TokenCharge } from '@rapporteur/bot-lifecycle';
import type {
  Artifact,
  CaptionsUnavailableReason,
  DegradationStep,
  EventOrder,
  IntegritySummary,
  MatchedCandidates,
  MeetingPlatformName,
  ObservedCall,
  Participant,
  ResourceUsage,
  RunnerConfiguration,
} from '@rapporteur/contracts';
import { defineTable, jsonb, text } from '@rapporteur/database';
import type { RowOf } from '@rapporteur/database';
import { column, key, optional, tokens } from './columns.ts';
import type { RunMode } from './run-entities.ts';

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
  /** The page's own sentence that the rule read. */
  readonly said: string | null;
  /** The shape of the kept page. */
  readonly shape: string | null;
  /** Where the evidence is, below the bot's key in the object store. */
  readonly folder: string | null;
  readonly steps: readonly { readonly step: string; readonly atMs: number }[];
}

/** Whether a bot reads the meeting's own captions, by its last report. */
export interface CaptionsStatusRow {
  readonly available: boolean;
  readonly reason: CaptionsUnavailableReason | null;
}

export const botEntity = defineTable({
  name: 'bots',
  columns: {
    id: key('uuid', 'bots_key'),
    team_id: column('uuid'),
    /** Time of the creating request; strictly increases within a team. */
    created_at: column('timestamptz'),
    /** Time of admission: for a scheduled bot, when it was due. Daily cap and duplicates count from here. */
    admitted_at: column('timestamptz'),
    /** The API key of the creating request; null: a calendar created the bot. */
    api_key_id: optional('uuid'),
    bot_name: column('text'),
    /** The link as the customer sent it. */
    meeting_url: column('text'),
    meeting_platform: column(text<MeetingPlatformName>()),
    meeting_id: column('text'),
    /** Key of the search for duplicates. */
    canonical_url: column('text'),
    join_url: column('text'),
    simulated: column('boolean'),
    configuration: column(jsonb<RunnerConfiguration>()),
    extra: optional(jsonb<Record<string, unknown>>()),
    transcription_wanted: column('boolean'),
    /** Earliest time of the next launch. */
    due_at: column('timestamptz'),
    /** Set while the bot waits for its next run; cleared by the launch that claims it. */
    wants_run: optional(text<RunMode>()),
    /** Number of the newest run, 0 before the first. */
    attempt: column('integer'),
    finalize_attempts: column('integer'),
    /** Runs that were launched to rejoin after a failure during the attendance. */
    rejoins: column('integer', { default: 0 }),
    /** Runs that were launched to replace a displaced one. */
    moves: column('integer', { default: 0 }),
    /** The newest failure of an attending run; null: none failed. */
    failure: optional(jsonb<RunFailureRow>()),
    /** Why the storage did not take what a run sent, the newest reason; null: not reported. */
    upload_failure: optional('text'),
    /** What the recording gives up for want of CPU; null: nothing. */
    degraded: optional(text<DegradationStep>()),
    /** Evidence that the runner reported with the newest end of its attendance; null: none. */
    failure_evidence: optional(jsonb<FailureEvidenceRow>()),
    /** Version of the page pack that its newest run uses; null: not reported. */
    page_pack_version: optional('text'),
    /** The candidate of the page pack that matched each element. Null: not reported. */
    matched_candidates: optional(jsonb<MatchedCandidates>()),
    /** What the runner could read of the call; null: not reported. */
    observed: optional(jsonb<ObservedCall>()),
    phase: column(text<Phase>()),
    status: column(text<LifecycleStatusCode>()),
    /** When the current phase began. */
    phase_since: column('timestamptz', { default: () => 'now()' }),
    /** Null until its runner reports it. */
    resource_usage: optional(jsonb<ResourceUsageRow>()),
    /** Sequence of the newest history row. */
    history_count: column('integer'),
    updated_at: column('timestamptz'),
    leave_requested_at: optional('timestamptz'),
    end_code: optional(text<EndCode>()),
    end_message: optional('text'),
    recorded: optional('boolean'),
    joined_at: optional('timestamptz'),
    exited_at: optional('timestamptz'),
    ended_at: optional('timestamptz'),
    duration_ms: optional('bigint'),
    participants: column(jsonb<Participant[]>()),
    speakers: column(jsonb<Participant[]>()),
    artifacts: column(jsonb<Artifact[]>()),
    /** Every store has confirmed the deletion of its objects. */
    artifacts_deleted: column('boolean'),
    reserved_tokens: tokens,
    tokens: optional(jsonb<TokenCharge>()),
    /** Numbers all bots of the deployment: the integer id of the legacy lists. */
    // TypeORM's types of schemas lack `identity`, which its schema builder makes.
    number: column('bigint', { generated: 'identity' as 'increment' }),
    /**
     * Numbers the team's bots without gaps, by `admitted_at`; the daily cap is computed from it. Null: a scheduled bot
     * that was refused when it became due and counts toward no limit.
     */
    team_number: optional('bigint'),
    request: column(jsonb<StoredRequest>()),
    callback: optional(jsonb<CallbackRow>()),
    legacy: optional(jsonb<LegacyRow>()),
    deduplication_key: optional('text'),
    /** The join time of a scheduled bot; null: it joins at once. */
    join_at: optional('timestamptz'),
    /** Whether it can use its meeting's chat; null until it is reported. */
    chat_available: optional('boolean'),
    /** Whether it can read its meeting's own captions; null: not reported, or not requested. */
    captions: optional(jsonb<CaptionsStatusRow>()),
    /** What its recording lacks; null: nothing is recorded. */
    integrity: optional(jsonb<IntegritySummary>()),
    /** Sequence of its newest public event; null: only its admission's. */
    event_order: optional(jsonb<EventOrder>()),
    /** When its data was deleted, by request or by the plan's retention; from then on none is shown. */
    data_forgotten_at: optional('timestamptz'),
    /** Null until a transcription of its recording is requested. */
    transcription: optional(jsonb<TranscriptionRow>()),
    /** From its end to the deletion of its data; null: the team's retention. */
    retention_hours: optional('integer'),
  },
  uniques: [
    { name: 'bots_number', columns: ['number'] },
    { name: 'bots_team_number', columns: ['team_id', 'team_number'] },
  ],
  indices: [
    { name: 'bots_by_creation', columns: ['team_id', 'created_at', 'id'] },
    { name: 'bots_by_admission', columns: ['team_id', 'admitted_at', 'id'] },
    { name: 'bots_in_progress', columns: ['team_id', 'admitted_at', 'id'], where: 'ended_at is null' },
    { name: 'bots_by_end', columns: ['team_id', 'ended_at'], where: 'ended_at is not null' },
    {
      name: 'bots_to_forget',
      columns: ['team_id', 'ended_at', 'id'],
      where: 'ended_at is not null and data_forgotten_at is null',
    },
    // On expressions, which TypeORM cannot describe: see reading/search-index.ts and data-deletion/retention.ts.
    { name: 'bots_search', columns: ['team_id'], synchronize: false },
    { name: 'bots_to_forget_early', columns: ['ended_at'], synchronize: false },
    { name: 'bots_by_meeting', columns: ['team_id', 'canonical_url', 'admitted_at'] },
    { name: 'bots_that_want_a_run', columns: ['due_at'], where: 'wants_run is not null' },
    { name: 'bots_in_queue', columns: ['due_at'], where: "phase = 'queued'" },
  ],
  checks: [
    { name: 'bots_wants_run_known', expression: "wants_run in ('attend', 'finalize')" },
    { name: 'bots_end_is_whole', expression: '(end_code is null) = (recorded is null)' },
  ],
});

export type BotRow = RowOf<typeof botEntity>;

/** `transcription` of a bot: its newest transcription request and its result. */
export interface TranscriptionRow {
  readonly requestId: string;
  readonly provider: string;
  readonly ownKey: boolean;
  readonly status: 'queued' | 'processing' | 'done' | 'error';
  /** The provider's job ids, for the owner of the key. */
  readonly providerIds: readonly string[];
  /** Error message of the last request. */
  readonly message: string | null;
  /** The original end reason, where TRANSCRIPTION_FAILED replaced it. */
  readonly end: { readonly code: string; readonly message: string } | null;
  /** Legacy address for the webhook of this request's end; null: the bot's own address. */
  readonly webhookUrl: string | null;
}

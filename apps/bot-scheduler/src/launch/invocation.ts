import { botInvocation } from '@rapporteur/contracts';
import type {
  ZoomInvocation,
  AttendanceEnd,
  BotInvocation,
  LiveTranscription,
  OutboundRules,
  PagePackOverlay,
} from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import { readBusAddress } from '@rapporteur/event-bus';
import { proxyOf } from '@rapporteur/outbound-http';
import type { SimulatorSettings, SchedulerConfig } from '../config.ts';
import type { BotRow } from '../schema/bot-entity.ts';
import type { LeaseRow } from '../schema/run-entities.ts';
import type { UploadGrant } from '../service-clients.ts';
import { recordingMembersOf } from './recording-settings.ts';
import type { RecordingSettings } from './recording-settings.ts';

export interface InvocationSettings {
  /** Bus address for runners. */
  readonly busUrl: string;
  readonly leaseRenewMs: number;
  readonly leaseLostAfterMs: number;
  readonly rejoinsAfterFailure: number;
  readonly simulator: SimulatorSettings | null;
  readonly outbound: OutboundRules;
  readonly recording: RecordingSettings;
}

export interface InvocationFacts {
  readonly bot: BotRow;
  readonly lease: LeaseRow;
  readonly storage: UploadGrant;
  readonly credentials: string | null;
  readonly zoom: ZoomInvocation | null;
  /** When an earlier run of the bot, failed or displaced, began to record; null: none did. */
  readonly recordingSince: Date | null;
  readonly liveTranscription: LiveTranscription | null;
  readonly pagePack: PagePackOverlay | null;
  readonly otherBotNames: readonly string[];
}

/** No recording ends because of a shorter outage of the bus, the scheduler or its database. */
const longestOutageMs = 15 * 60_000;

/**
 * How long a runner without lease replies stays in its meeting. The scheduler expires no lease for an outage. Where
 * another run would rejoin in its place, an isolated runner must leave when its lease expires.
 */
function runnerLimitMs({ leaseLostAfterMs, rejoinsAfterFailure }: InvocationSettings): number {
  return rejoinsAfterFailure > 0 ? leaseLostAfterMs : Math.max(leaseLostAfterMs, longestOutageMs);
}

/**
 * The one document that a runner gets: bot-invocation.v1. Throws UNAVAILABLE for a simulated bot without a simulator.
 */
export function writeInvocation(settings: InvocationSettings, facts: InvocationFacts): BotInvocation {
  const { simulator } = settings;
  const { bot, lease, storage, credentials, zoom, recordingSince, liveTranscription, pagePack } = facts;
  return botInvocation.parse({
    version: 1,
    mode: lease.mode,
    botId: bot.id,
    teamId: bot.team_id,
    attempt: lease.attempt,
    fencing: lease.fencing,
    configuration: { ...bot.configuration, other_bot_names: [...facts.otherBotNames] },
    joinAt: lease.mode === 'attend' && bot.rejoins + bot.moves === 0 ? (bot.join_at?.toISOString() ?? null) : null,
    rejoin: recordingSince === null ? null : { recordingSince: recordingSince.toISOString() },
    meeting: { platform: bot.meeting_platform, joinUrl: bot.join_url, meetingId: bot.meeting_id },
    attendanceEnd: lease.mode === 'finalize' ? attendanceEndOf(bot) : null,
    bus: { url: settings.busUrl, credentials },
    lease: { renewEveryMs: settings.leaseRenewMs, lostAfterMs: runnerLimitMs(settings) },
    storage: { url: storage.url, grant: storage.grant },
    simulator: routeOf(bot, simulator),
    outbound: settings.outbound,
    ...recordingMembersOf(settings.recording, bot.meeting_platform),
    zoom,
    liveTranscription,
    pagePack,
  } satisfies BotInvocation);
}

function routeOf(bot: BotRow, simulator: SimulatorSettings | null): BotInvocation['simulator'] {
  if (!bot.simulated) return null;
  // Without the simulator's rules the bot would join an unrelated real meeting with the same code.
  if (simulator === null)
    throw fail('UNAVAILABLE', { message: 'The simulator this bot was sent to is no longer configured.' });
  return { hostResolverRules: simulator.hostResolverRules, certificateSpki: simulator.certificateSpki };
}

function attendanceEndOf(bot: BotRow): AttendanceEnd {
  return {
    code: bot.end_code ?? 'UNKNOWN_ERROR',
    message: bot.end_message ?? '',
    joinedAt: bot.joined_at?.toISOString() ?? null,
    exitedAt: bot.exited_at?.toISOString() ?? null,
    recorded: bot.recorded ?? true,
  };
}

/** The settings that every runner of this deployment gets with its ticket. */
export function runnerSettingsOf(config: SchedulerConfig, simulator: SimulatorSettings | null): InvocationSettings {
  const busUrl = config.runnerBusUrl ?? config.busUrl;
  readBusAddress(busUrl, {
    caFile: config.runnerBusCaFile,
    certFile: config.runnerBusCertFile,
    keyFile: config.runnerBusKeyFile,
  });
  return {
    busUrl,
    leaseRenewMs: config.leaseRenewMs,
    leaseLostAfterMs: config.leaseLostAfterMs,
    rejoinsAfterFailure: config.rejoinsAfterFailure,
    simulator,
    outbound: {
      allow: [...config.runnerAllowedAddresses],
      requireHttps: config.runnerRequireHttps,
      caFile: config.runnerCaFile ?? null,
      proxy: proxyOf({
        httpProxy: config.runnerHttpProxy,
        httpsProxy: config.runnerHttpsProxy,
        noProxy: config.runnerNoProxy,
      }),
    },
    recording: config,
  };
}

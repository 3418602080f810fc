import { z } from 'zod';
import { botTranscriptReply, botTranscriptRequest, providerProblemReply } from './bot-transcripts.ts';
import {
  providerProblemRequest,
  renameSpeakerReply,
  renameSpeakerRequest,
  transcriptionProgressReply,
  transcriptSearchReply,
  transcriptSearchRequest,
  transcriptTextReply,
  transcriptTextRequest,
} from './bot-transcripts.ts';
import { calendarBotChecksReply, calendarBotChecksRequest } from './calendar-bots.ts';
import { calendarBotsReply, calendarBotsRequest } from './calendar-bots.ts';
import { fleetReport } from './fleet-report.ts';
import * as http from './internal-http.ts';
import { canaryList, canaryRunRequest, pagePackView } from './operator-views.ts';
import { botId, instant, teamId } from './shapes.ts';

const mib = 1_048_576;
const success = z.object({ success: z.literal(true) });
const noMembers = z.object({});
/** An operator's request for one bot: the team is entered in the audit log. */
const teamOfBot = success.extend({ teamId: teamId.optional() });
const oneBot = z.object({ botId, teamId });

/**
 * The calls between services, by the client that sends them: POST with a signed internal token, which the owner admits
 * from `callers` only. service-runtime derives the route (`serveCall`) and the client (`createClient`) from them.
 * Public operations are forwarded by the gateway under the same path behind `/internal`: `POST /v2/bots` -> `POST
 * {owner}/internal/v2/bots`.
 */
export const internalCalls = {
  /** Calls that bot-scheduler serves. */
  bots: {
    /** One of the fields that the caller may read; null: there is none. */
    secret: {
      path: '/internal/v1/bot-secrets',
      callers: ['delivery', 'transcriber'],
      body: oneBot.extend({ field: z.string() }),
      reply: z.object({ secret: z.string().nullable() }),
    },
    /** Bots that are in neither list do not exist. */
    states: {
      path: '/internal/v1/bot-states',
      callers: ['sso-idp'],
      body: z.object({ botIds: z.array(botId).max(1_000) }),
      reply: z.object({ active: z.array(z.string()), ended: z.array(z.string()) }),
      bodyLimitBytes: 65_536,
    },
  },
  /** Calls that bot-scheduler serves for calendars. */
  calendarBots: {
    /** The timeout is shorter than calendar-sync's claim of a change: nothing is sent again while it may be in progress. */
    apply: {
      path: '/internal/v1/calendar-bots',
      callers: ['calendar-sync'],
      body: calendarBotsRequest,
      reply: calendarBotsReply,
      bodyLimitBytes: 16 * mib,
      timeoutMs: 15_000,
    },
    check: {
      path: '/internal/v1/calendar-bot-checks',
      callers: ['calendar-sync'],
      body: calendarBotChecksRequest,
      reply: calendarBotChecksReply,
      bodyLimitBytes: 16 * mib,
      timeoutMs: 15_000,
    },
  },
  /** Calls that bot-scheduler serves for operators. */
  operators: {
    fleet: { path: '/internal/v1/fleet', callers: ['api-gateway'], body: noMembers, reply: fleetReport },
    pagePacks: { path: '/internal/v1/page-packs', callers: ['api-gateway'], body: noMembers, reply: pagePackView },
    canaries: { path: '/internal/v1/canaries', callers: ['api-gateway'], body: noMembers, reply: canaryList },
    /** The canary runs as soon as no other one of its platform does. 404: there is none of that name. Idempotent. */
    runCanary: {
      path: '/internal/v1/canaries/run',
      callers: ['api-gateway'],
      body: canaryRunRequest,
      reply: success,
    },
    /** During a legal hold the data of a bot is not deleted, neither on request nor by retention. 404. Idempotent. */
    holdBot: {
      path: '/internal/v1/legal-holds',
      callers: ['api-gateway'],
      body: z.object({ botId, held: z.boolean() }),
      reply: teamOfBot,
    },
    /** Starts another run to replace the bot's present one. 404; 409: it attends no meeting. Idempotent. */
    moveBot: { path: '/internal/v1/bot-moves', callers: ['api-gateway'], body: z.object({ botId }), reply: teamOfBot },
  },
  /** Calls that storage-config serves. */
  storage: {
    /** A grant with a smaller number than the newest one of this bot is refused from then on (403). */
    grantUpload: {
      path: '/internal/v1/upload-grants',
      callers: ['bot-scheduler', 'transcriber'],
      body: http.uploadGrantRequest,
      reply: z.object({ url: z.url(), grant: z.string() }),
    },
    /** Bots that have ended: from the reply on no grant of a runner writes anything for them. Idempotent. */
    endGrants: {
      path: '/internal/v1/upload-grants/end',
      callers: ['bot-scheduler'],
      body: z.object({ bots: z.array(oneBot).min(1).max(500) }),
      reply: success,
      bodyLimitBytes: 100_000,
    },
    signUrls: {
      path: '/internal/v1/artifact-urls',
      callers: ['bot-scheduler', 'delivery', 'api-gateway'],
      /** name -> object key relative to bots/<botId>/. */
      body: z.object({ botId, keys: z.record(z.string(), z.string()) }),
      /** name -> signed URL, valid until expiresAt (4 hours). */
      reply: z.object({ urls: z.record(z.string(), z.url()), expiresAt: instant }),
      bodyLimitBytes: 100_000,
    },
    /** No grant of the bot writes any more, and its objects are deleted in every store that may have some. Idempotent. */
    deleteBotObjects: {
      path: '/internal/v1/bot-objects/delete',
      callers: ['bot-scheduler'],
      body: oneBot,
      reply: http.deleteBotObjectsReply,
    },
    /** The oldest first. */
    spilledObjects: {
      path: '/internal/v1/spilled-objects',
      callers: ['api-gateway'],
      body: z.object({ limit: z.int().min(1).max(1_000) }),
      reply: http.spilledObjects,
    },
  },
  /** Calls that transcriber serves. */
  transcripts: {
    read: {
      path: '/internal/v1/bot-transcripts',
      callers: ['bot-scheduler', 'delivery'],
      body: botTranscriptRequest,
      reply: botTranscriptReply,
    },
    text: {
      path: '/internal/v1/bot-transcript-texts',
      callers: ['bot-scheduler'],
      body: transcriptTextRequest,
      reply: transcriptTextReply,
    },
    progress: {
      path: '/internal/v1/transcription-progress',
      callers: ['bot-scheduler'],
      body: botTranscriptRequest,
      reply: transcriptionProgressReply,
    },
    /** 400: the transcript has no such speaker. Idempotent. */
    renameSpeaker: {
      path: '/internal/v1/speaker-names',
      callers: ['bot-scheduler'],
      body: renameSpeakerRequest,
      reply: renameSpeakerReply,
      timeoutMs: 15_000,
    },
    /** Why a server of the deployment cannot transcribe now. */
    providerProblem: {
      path: '/internal/v1/provider-problem',
      callers: ['bot-scheduler'],
      body: providerProblemRequest,
      reply: providerProblemReply,
    },
    /** Frequent words in very many transcripts take some seconds. */
    search: {
      path: '/internal/v1/transcript-searches',
      callers: ['bot-scheduler'],
      body: transcriptSearchRequest,
      reply: transcriptSearchReply,
      timeoutMs: 10_000,
    },
  },
  /** Calls that sso-idp serves for stored credentials. */
  credentials: {
    status: {
      path: '/internal/v1/platform-credentials/standing',
      callers: ['bot-scheduler'],
      body: http.credentialChoice,
      reply: http.credentialStatus,
    },
    /** Requests a token from the platform, with retries, after refreshing the credential's own where needed. */
    joinToken: {
      path: '/internal/v1/platform-credentials/join-tokens',
      callers: ['bot-scheduler'],
      body: http.joinTokenCommand,
      reply: http.joinTokenResult,
      timeoutMs: 22_000,
    },
  },
  /** Calls that sso-idp serves for logins. */
  logins: {
    /** One slot per bot. Idempotent. */
    reserve: {
      path: '/internal/v1/login-sessions/reserve',
      callers: ['bot-scheduler'],
      body: http.reserveLoginRequest,
      reply: http.reserveLoginReply,
      timeoutMs: 10_000,
    },
    /** Reserves nothing. */
    availability: {
      path: '/internal/v1/login-sessions/availability',
      callers: ['bot-scheduler'],
      body: z.object({ teamId, selector: http.loginSelector }),
      reply: http.loginAvailability,
    },
    /** Idempotent. */
    release: {
      path: '/internal/v1/login-sessions/release',
      callers: ['bot-scheduler'],
      body: oneBot,
      reply: success,
    },
    /** For a bot whose runner holds its lease. */
    signIn: {
      path: '/internal/v1/login-sessions/sign-in',
      callers: ['bot-scheduler'],
      body: http.signInCommand,
      reply: http.signInReply,
      timeoutMs: 10_000,
    },
  },
  /** The pages that sso-idp serves for the browsers of bots. */
  ssoPages: {
    signIn: {
      path: '/internal/v1/meet-sso/sign-in',
      callers: ['api-gateway'],
      body: http.meetSignInCall,
      reply: http.ssoPage,
      bodyLimitBytes: 65_536,
    },
    signOut: {
      path: '/internal/v1/meet-sso/sign-out',
      callers: ['api-gateway'],
      body: http.meetSignOutCall,
      reply: http.ssoPage,
      bodyLimitBytes: 65_536,
    },
  },
} as const;

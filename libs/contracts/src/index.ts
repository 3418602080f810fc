export { boundReport } from './bound-report.ts';
export type { ReportBody } from './bound-report.ts';
export {
  zoomInvocation,
  botInvocation,
  outboundRules,
  runnerConfiguration,
  simulatorRoute,
  streamingConfiguration,
  onOrOff,
  videoSize,
  captureStrategy,
} from './bot-invocation.v1.ts';
export type {
  ZoomInvocation,
  BotInvocation,
  LiveEngine,
  LiveTranscription,
  OutboundRules,
  RunnerConfiguration,
  StreamingConfiguration,
  CaptureStrategyName,
} from './bot-invocation.v1.ts';
export {
  botChatMessage,
  botCaptionsStatus,
  botChatStatus,
  botDataDeleted,
  botDataDeletionConfirmed,
  botDataDeletionFailed,
  botEnded,
  botEvents,
  botProviderDeletionRequested,
  botRedeliveryRequested,
  botStatusChanged,
} from './events/bots.v1.ts';
export {
  transcriptEvents,
  transcriptionChoice,
  transcriptionEnded,
  transcriptionRequested,
  transcriptionStarted,
} from './events/transcripts.v1.ts';
export type { TranscriptionChoice } from './events/transcripts.v1.ts';
export type { EventOrder } from './events/bots.v1.ts';
export { runnerStart } from './runner-start.v1.ts';
export {
  calendarChanged,
  calendarEvents,
  calendarEventsAffected,
  calendarInstance,
  calendarNotice,
} from './events/calendars.v1.ts';
export type { CalendarInstance, CalendarNotice } from './events/calendars.v1.ts';
export { defineEvent, eventEnvelope } from './events/envelope.ts';
export type { EventDefinition, EventEnvelope } from './events/envelope.ts';
export { loginEvents, verificationChange, verificationChanged } from './events/logins.v1.ts';
export type { VerificationChange } from './events/logins.v1.ts';
export { identityEvents, teamChanged, tokensGranted } from './events/identity.v1.ts';
export {
  batchRequest,
  directFragments,
  directFragmentsReply,
  directPartReply,
  directPartRequest,
  grantListing,
  multipartComplete,
  multipartCreate,
  multipartCreated,
  internalRoutes,
  fragmentRelease,
  signInCredentials,
  signInFailure,
  signInTicketCookie,
  spilledObjects,
} from './internal-http.ts';
export { internalCalls } from './internal-calls.ts';
export { canaryList, canaryResult, canarySteps, pagePackView, unrecognisedKinds } from './operator-views.ts';
export type {
  CanaryList,
  CanaryOutcome,
  CanaryResult,
  CanaryStep,
  PagePackView,
  UnrecognisedKind,
} from './operator-views.ts';
export type {
  BatchRequest,
  CredentialChoice,
  CredentialStatus,
  DirectFragments,
  DirectFragmentsReply,
  DirectPartReply,
  DirectPartRequest,
  JoinTokenCommand,
  JoinTokenResult,
  LoginAvailability,
  LoginSelector,
  ReserveLoginReply,
  ReserveLoginRequest,
  SignInCredentials,
  SignInFailure,
  SignInCommand,
  SignInReply,
  DeleteBotObjectsReply,
  SpilledObjects,
  SsoPage,
  UploadGrantRequest,
} from './internal-http.ts';
export { botTranscript } from './bot-transcripts.ts';
export type {
  BotTranscript,
  TranscriptFormat,
  TranscriptHit,
  TranscriptSearchReply,
  TranscriptSearchRequest,
} from './bot-transcripts.ts';
export type { CalendarBotResult, CalendarBotsRequest } from './calendar-bots.ts';
export { fleetReport } from './fleet-report.ts';
export type { FleetReport } from './fleet-report.ts';
export { shownLegacyExtra, unwrapLegacyExtra, wrapLegacyExtra } from './legacy-extra.ts';
export { describeIntegrity, integrityReport, resourceUsage, uploadKinds } from './integrity-report.v1.ts';
export type {
  IntegrityReport,
  IntegritySummary,
  ResourceUsage,
  UploadKind,
  UploadsByKind,
} from './integrity-report.v1.ts';
export { envelopeOf, eventDefinitions, namedContracts } from './named-contracts.ts';
export {
  audioImpairments,
  captureBreaks,
  degradationSteps,
  gapReasons,
  videoStrategies,
  captureStrategies,
  audioStrategies,
  missingVideoReasons,
  strategyReasons,
} from './recording-terms.ts';
export type {
  AudioImpairment,
  DegradationStep,
  CaptureBreak,
  GapReason,
  VideoStrategyName,
  CaptureStrategy,
  AudioStrategyName,
  MissingVideoReason,
  StrategyReason,
} from './recording-terms.ts';
export type {
  PageMediaSource,
  PageMediaSourceGlobal,
  PageAudioChange,
  PageAudioNews,
  PageAudioOwner,
  PageAudioOwners,
  PageTile,
  PageVideo,
} from './page-media-source.ts';
export { linkedParticipantAudio, participantFilesOf, participantLinkName } from './participant-audio.ts';
export {
  attendanceEnd,
  chatMessage,
  chatUnavailableReason,
  commandResult,
  joinTokenReply,
  joinTokenRequest,
  leaseReply,
  leaseRequest,
  liveLimits,
  liveView,
  liveViewSubject,
  liveViewWanted,
  reportLimits,
  runnerCommand,
  runnerReport,
  runnerReportHeader,
  runnerSubjects,
  runsWantedSubject,
  signInResponse,
  signInRequest,
} from './runner-report.v1.ts';
export type {
  AttendanceEnd,
  ObservedCall,
  CaptionsUnavailableReason,
  ChatMessage,
  CommandResult,
  JoinTokenReply,
  JoinTokenRequest,
  LeaseReply,
  LeaseRequest,
  LiveView,
  RunnerCommand,
  RecordingQuality,
  RunnerReport,
  SignInResponse,
  SignInRequest,
  RunnerReportHeader,
} from './runner-report.v1.ts';
export { largestPageStructureBytes, pageStructure } from './page-structure.v1.ts';
export type { PageStructure } from './page-structure.v1.ts';
export { artifact, artifactKind, artifactParticipant, meetingPlatform, participant } from './shapes.ts';
export type { Artifact, ArtifactParticipant, Participant } from './shapes.ts';
export { artifactKinds, artifactLinks, linkedArtifacts, linksOf } from './artifact-kinds.ts';
export type { ArtifactDescriptor, ArtifactKind, ArtifactLink, LinkedArtifact } from './artifact-kinds.ts';
export { calendarProviderNames, calendarProviders } from './calendar-providers.ts';
export type { CalendarProviderDescriptor, CalendarProviderName } from './calendar-providers.ts';
export { loginPlatforms, platformNames, platforms } from './platforms.ts';
export type { LoginPlatform, MeetingPlatformName, PlatformDescriptor, PlatformEndCodes } from './platforms.ts';
export { webhookEventNames, webhookEventOf, webhookEvents } from './webhook-events.ts';
export type { WebhookEventDescriptor, WebhookEventName } from './webhook-events.ts';
export { mostlyReadableOf, readableOf, readEach } from './read-each.ts';
export type { UnreadableElement } from './read-each.ts';
export { refusalCauses, refusals, refusalUnrecognised, waitingUnrecognised } from './refusals.ts';
export type { Refusal, RefusalCause, RefusalHelper } from './refusals.ts';
export { knownDialog, matchedCandidates, pagePack, pagePackLimits, pagePackOverlay } from './page-pack.v1.ts';
export type {
  DialogKind,
  KnownDialog,
  MatchedCandidates,
  PackCaptions,
  PackState,
  PagePack,
  PagePackOverlay,
  TextPattern,
} from './page-pack.v1.ts';

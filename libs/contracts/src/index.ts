export { boundReport } from './bound-report.ts';
export type { ReportBody } from './bound-report.ts';
export {
  alphaInvocation,
  botInvocation,
  outboundRules,
  runnerConfiguration,
  simulatorRoute,
  streamingConfiguration,
  onOrOff,
  pictureSize,
  recordingWay,
} from './bot-invocation.v1.ts';
export type {
  AlphaInvocation,
  BotInvocation,
  OutboundRules,
  OnOrOff,
  PictureSizeName,
  RunnerConfiguration,
  StreamingConfiguration,
  RecordingWayName,
} from './bot-invocation.v1.ts';
export {
  botChatMessage,
  botChatStatus,
  botDataDeleted,
  botEnded,
  botEvents,
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
export { identityEvents, teamChanged, tokensGranted } from './events/identity.v1.ts';
export {
  artifactUrlsReply,
  artifactUrlsRequest,
  batchRequest,
  botStates,
  botStatesRequest,
  botSecretReply,
  botSecretRequest,
  credentialChoice,
  credentialStanding,
  deleteBotObjectsRequest,
  directCommit,
  directUploadReply,
  directUploadRequest,
  grantListing,
  growingFinish,
  growingStart,
  growingStarted,
  internalRoutes,
  joinTokenOrder,
  joinTokenResult,
  legalHoldRequest,
  loginAvailability,
  loginAvailabilityRequest,
  loginSelector,
  meetSignInCall,
  pieceRelease,
  releaseLoginRequest,
  reserveLoginReply,
  reserveLoginRequest,
  signInCredentials,
  signInFailure,
  signInOrder,
  signInReply,
  spilledObjects,
  spilledObjectsRequest,
  ssoPage,
  storageMoveProgress,
  storageMoveRequest,
  uploadGrantReply,
  uploadGrantRequest,
} from './internal-http.ts';
export type {
  BatchRequest,
  BotStates,
  CredentialChoice,
  CredentialStanding,
  DirectUploadReply,
  DirectUploadRequest,
  JoinTokenOrder,
  JoinTokenResult,
  LoginAvailability,
  LoginSelector,
  ReserveLoginReply,
  ReserveLoginRequest,
  SignInCredentials,
  SignInFailure,
  SignInOrder,
  SignInReply,
  SpilledObjects,
  SsoPage,
  StorageMoveProgress,
  UploadGrantRequest,
} from './internal-http.ts';
export {
  calendarBotChecksReply,
  calendarBotChecksRequest,
  calendarBotsReply,
  calendarBotsRequest,
} from './calendar-bots.ts';
export type { CalendarBotResult, CalendarBotsRequest } from './calendar-bots.ts';
export { unwrapLegacyExtra, wrapLegacyExtra } from './legacy-extra.ts';
export { integrityReport, spent } from './integrity-report.v1.ts';
export type { IntegrityReport, Spent } from './integrity-report.v1.ts';
export { envelopeOf, eventDefinitions, namedContracts } from './named-contracts.ts';
export { captureBreaks, gapReasons, pictureWays, recordingWays, soundWays, wayReasons } from './recording-words.ts';
export type {
  CaptureBreak,
  GapReason,
  PictureWayName,
  RecordingWay,
  SoundWayName,
  WayReason,
} from './recording-words.ts';
export type {
  PageMediaSource,
  PageMediaSourceGlobal,
  PageSoundChange,
  PageSoundNews,
  PageSoundOwner,
  PageSoundOwners,
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
  reportLimits,
  runnerCommand,
  runnerReport,
  runnerReportHeader,
  runnerSubjects,
  runsWantedSubject,
  signInAnswer,
  signInRequest,
} from './runner-report.v1.ts';
export type {
  AttendanceEnd,
  ChatMessage,
  CommandResult,
  JoinTokenReply,
  JoinTokenRequest,
  LeaseReply,
  LeaseRequest,
  RunnerCommand,
  RunnerReport,
  SignInAnswer,
  SignInRequest,
  RunnerReportHeader,
} from './runner-report.v1.ts';
export { artifact, artifactKind, artifactParticipant, meetingPlatform, person } from './shapes.ts';
export type { Artifact, ArtifactKind, ArtifactParticipant, MeetingPlatformName, Person } from './shapes.ts';

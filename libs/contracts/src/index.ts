export { botInvocation, runnerConfiguration, simulatorRoute } from './bot-invocation.v1.ts';
export type { BotInvocation, RunnerConfiguration } from './bot-invocation.v1.ts';
export { botEnded, botEvents, botQueued, botStatusChanged } from './events/bots.v1.ts';
export { defineEvent, eventEnvelope } from './events/envelope.ts';
export type { EventDefinition, EventEnvelope } from './events/envelope.ts';
export { identityEvents, teamChanged, tokensGranted } from './events/identity.v1.ts';
export {
  artifactUrlsReply,
  artifactUrlsRequest,
  grantListing,
  internalRoutes,
  uploadGrantReply,
  uploadGrantRequest,
} from './internal-http.ts';
export type { UploadGrantRequest } from './internal-http.ts';
export { envelopeOf, eventDefinitions, namedContracts } from './named-contracts.ts';
export type { PageMediaSource, PageMediaSourceGlobal, PageVideo } from './page-media-source.ts';
export { attendanceEnd, leaseReply, leaseRequest, runnerReport, runnerSubjects } from './runner-report.v1.ts';
export type { AttendanceEnd, LeaseReply, LeaseRequest, RunnerReport } from './runner-report.v1.ts';
export { artifact, artifactKind, meetingPlatform, person } from './shapes.ts';
export type { Artifact, ArtifactKind, MeetingPlatformName, Person } from './shapes.ts';

export { createMeetPlatform } from './meet/meet-platform.ts';
export { createPlatform } from './create-platform.ts';
export { signInToMeet } from './sign-in/meet-sign-in.ts';
export type { MeetSignIn } from './sign-in/meet-sign-in.ts';
export { eraseSession } from './sign-in/sign-in.ts';
export type { SignInFailureReason, SignInOutcome, SignInPorts } from './sign-in/sign-in.ts';
export { signInToTeams } from './sign-in/teams-sign-in.ts';
export type { TeamsSignIn } from './sign-in/teams-sign-in.ts';
export { createZoomSdkPlatform } from './zoom-sdk/zoom-sdk-platform.ts';
export type { SdkTokens } from './zoom-sdk/zoom-sdk-platform.ts';
export type {
  CaptionsAccess,
  CaptionsRefusal,
  CaptionVersion,
  CaptionOptions,
  ChatAccess,
  ChatDelivery,
  ChatMessage,
  ChatRefusal,
  JoinOptions,
  JoinOutcome,
  MeetingParticipant,
  MeetingPlatform,
  MeetingSession,
  ParticipantVideo,
  OutgoingDevices,
  BotImage,
  SpeakerSource,
  SpeakerTurn,
  SessionClock,
  SessionEnd,
  SessionEndReason,
  PagePackUse,
  SessionEvidence,
  SessionHealth,
  SessionLog,
  SessionPorts,
  SessionSignal,
  SessionState,
} from './platform.ts';

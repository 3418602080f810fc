export { createMeetPlatform } from './meet/meet-platform.ts';
export { createPlatform } from './create-platform.ts';
export { createZoomSdkPlatform } from './zoom-sdk/zoom-sdk-platform.ts';
export type { SdkTokens } from './zoom-sdk/zoom-sdk-platform.ts';
export type {
  ChatAccess,
  ChatDelivery,
  ChatMessage,
  ChatRefusal,
  JoinOptions,
  JoinOutcome,
  MeetingPerson,
  MeetingPlatform,
  MeetingVisit,
  OthersPictures,
  OutgoingDevices,
  ShownPicture,
  SpeakerSource,
  SpeakerTurn,
  VisitClock,
  VisitEnd,
  VisitEndReason,
  VisitEvidence,
  VisitHealth,
  VisitLog,
  VisitPorts,
  VisitSignal,
  VisitState,
} from './platform.ts';

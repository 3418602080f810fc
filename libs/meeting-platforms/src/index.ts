export { createMeetPlatform } from './meet/meet-platform.ts';
export { createPlatform } from './create-platform.ts';
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

export { decide, newBotState } from './decide.ts';
export type {
  BotEnd,
  BotState,
  Decision,
  FinalOutcome,
  LifecycleInput,
  ReportedStatusCode,
  StatusStep,
} from './decide.ts';
export { delayReasonOf, delayReasons, startObstacles } from './delay-reasons.ts';
export type { DelayReason, StartObstacleCause } from './delay-reasons.ts';
export { endCodeOf, endReasons, isEndCode } from './end-reasons.ts';
export type { Charging, EndCode, EndKind, EndReason } from './end-reasons.ts';
export { botActions, degradedMessage, explainBot } from './explain-bot.ts';
export type { BotAction, BotExplanation, BotFacts } from './explain-bot.ts';
export { evaluateLeaveRules, longestRecordingSeconds } from './leave-rules.ts';
export { participantKind } from './participant-kinds.ts';
export type { ParticipantKind } from './participant-kinds.ts';
export type {
  LeaveConfiguration,
  LeaveObservation,
  LeaveRuleName,
  LeaveVerdict,
  SeenParticipant,
} from './leave-rules.ts';
export { endOfRejoinedBot, mayMove, mayRejoin } from './rejoin.ts';
export type { FailedAttendance, RejoinedEnd } from './rejoin.ts';
export { endCodeOfFailedRun } from './run-exit.ts';
export { runEndCauses } from './run-exit.ts';
export type { RunEndCause, RunExit } from './run-exit.ts';
export { hasRecorded, isFinal, lifecycleStatusCodes, mayLeave, phases, reasonStatusCodes } from './statuses.ts';
export type { LifecycleStatusCode, Phase, ReasonStatusCode, StatusCode } from './statuses.ts';
export { chargeFor, reservedTokensFor, tokensOf } from './token-charging.ts';
export type { Meter, MeteredMs, TokenCharge } from './token-charging.ts';
export { transitions } from './transitions.ts';
export type { Transition, Trigger } from './transitions.ts';

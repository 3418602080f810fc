export { ApiDocument } from './document/document.ts';
export type { Operation } from './document/document.ts';
export { Random } from './run/random.ts';
export { Sender } from './run/send.ts';
export { Operator } from './stack/operator.ts';
export type { Plan, Team } from './stack/operator.ts';
export { residentMibOf, startServiceStack } from './stack/service-stack.ts';
export type { CopiedApp, CopyOptions, RunningCopy, ServiceStack, ServiceStackOptions } from './stack/service-stack.ts';
export { numberedMeeting } from './values/numbered-meeting.ts';

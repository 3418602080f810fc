export type { LinkResult, MeetingLink } from './meeting-link.ts';
export { parseMeetingLink } from './parse-meeting-link.ts';
export type { ParseOptions } from './parse-meeting-link.ts';

export type { LinkResult, MeetingLink, MeetingPlatform, RefusedLink } from './meeting-link.ts';
export { longestLink, parseMeetingLink } from './parse-meeting-link.ts';
export type { ParseOptions } from './parse-meeting-link.ts';

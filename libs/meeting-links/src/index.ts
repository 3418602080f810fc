export type { LinkResult, MeetingLink, MeetingPlatform, PlatformLinks, RefusedLink } from './meeting-link.ts';
export { platformLinks } from './platform-links.ts';
export { longestLink, parseMeetingLink } from './parse-meeting-link.ts';
export type { ParseOptions } from './parse-meeting-link.ts';

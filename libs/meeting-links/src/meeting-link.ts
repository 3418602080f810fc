import type { MeetingPlatformName } from '@rapporteur/contracts/platforms';

export type MeetingPlatform = MeetingPlatformName;

/** A link to a meeting on a supported platform. */
export interface MeetingLink {
  readonly platform: MeetingPlatform;
  /** The meeting's own id on its platform. */
  readonly meetingId: string;
  /** The same text for every link to the same meeting: identifies duplicates. */
  readonly canonicalUrl: string;
  /** The address for the bot's browser. */
  readonly joinUrl: string;
  /**
   * True when the link is to a simulator of this deployment: `joinUrl` then works only in a browser that is routed
   * there.
   */
  readonly simulated: boolean;
}

export interface RefusedLink {
  readonly accepted: false;
  /** A sentence that states the problem. */
  readonly reason: string;
  /** The platform of the link's meeting; null: the link is to no meeting, or the platform is unknown. */
  readonly platform: MeetingPlatform | null;
}

export type LinkResult = { readonly accepted: true; readonly link: MeetingLink } | RefusedLink;

export function accept(link: Omit<MeetingLink, 'simulated'>): LinkResult {
  return { accepted: true, link: { ...link, simulated: false } };
}

export function refuse(reason: string, platform: MeetingPlatform | null = null): RefusedLink {
  return { accepted: false, reason, platform };
}

/** The links of one platform. */
export interface PlatformLinks {
  readonly isHost: (hostname: string) => boolean;
  /** The reason for a link on a host of the platform that has no meetings which bots can enter, or null. */
  readonly otherHost: (url: URL) => string | null;
  /** The meeting of a link on a host of the platform. */
  readonly read: (url: URL) => LinkResult;
  /** Hosts with which a link without a scheme begins, the one of most meetings first. */
  readonly hosts: readonly [string, ...string[]];
  /** Every link in free text, in any wrapper, contains one of these. */
  readonly hints: readonly string[];
}

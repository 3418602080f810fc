/** A link that leads to a meeting this house knows how to join. */
export interface MeetingLink {
  readonly platform: 'meet' | 'teams' | 'zoom';
  /** The meeting's own id on its platform. */
  readonly meetingId: string;
  /** The same text for every link to the same meeting: what duplicates are found by. */
  readonly canonicalUrl: string;
  /** What the bot's browser opens. */
  readonly joinUrl: string;
  /** True when the link names a simulator of this deployment: `joinUrl` is then only right in a browser that is routed there. */
  readonly simulated: boolean;
}

export type LinkResult =
  | { readonly accepted: true; readonly link: MeetingLink }
  | { readonly accepted: false; readonly reason: string };

export function accept(link: Omit<MeetingLink, 'simulated'>): LinkResult {
  return { accepted: true, link: { ...link, simulated: false } };
}

export function refuse(reason: string): LinkResult {
  return { accepted: false, reason };
}

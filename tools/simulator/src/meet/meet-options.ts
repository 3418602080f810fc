import * as z from 'zod';

export const joinLabels = ['ask', 'ask-anyway', 'now', 'call-now', 'anyway', 'here-too', 'meeting'] as const;
export const lobbyTexts = [
  'brings',
  'admits',
  'asking',
  'someone-lets-you-in',
  'host-to-join',
  'waiting-room',
] as const;
export const notFoundTexts = [
  'check-code',
  'invalid-name',
  'expired',
  'does-not-work',
  'not-found',
  'link-expired',
] as const;

/** What a Meet meeting of the simulator can vary. Real meetings vary in the same ways, from join to join. */
export const meetOptionsSchema = z.strictObject({
  lobbyShape: z.enum(['classic', 'new']).default('new'),
  /** `by-page`: German or Hungarian unless the address says `hl=en`, as the browser prefers; else English. */
  language: z.enum(['by-page', 'en', 'de', 'hu']).default('by-page'),
  /** What gets a knock blocked: nothing, a click that is no trusted event, or also one that no pointer moved towards. */
  knock: z.enum(['off', 'untrusted', 'pointer']).default('untrusted'),
  /** Elements carry the site's own stable names (`jsname`); without them only labels and icons say what is what. */
  ids: z.boolean().default(true),
  nameField: z.enum(['labelled', 'placeholder', 'bare']).default('labelled'),
  joinLabel: z.enum(joinLabels).default('ask'),
  /** The label of the button that shows who is in the call. */
  participantsLabel: z.enum(['people', 'show-everyone']).default('people'),
  lobbyText: z.enum(lobbyTexts).default('brings'),
  permissionSheet: z.boolean().default(false),
  gotIt: z.boolean().default(false),
  /** The sheet that advertises signing in, whose words are those of a lobby. */
  accountSheet: z.boolean().default(false),
  recordingNotice: z.boolean().default(false),
  /** Drops a guest whose recording notice is not to be seen while it should be. */
  dropIfNoticeHidden: z.boolean().default(false),
  /** The dialog on note-taking: no audio comes until it has a response. */
  consentDialog: z.boolean().default(false),
  toolbarHides: z.boolean().default(false),
  /**
   * `native`: three re-assigned audio tracks; `encoded`: no receivers, the page decodes and mixes, only `dcrpc` says
   * who speaks; `as-found`: encoded where the page finds RTCRtpReceiver.prototype.createEncodedStreams.
   */
  audioStack: z.enum(['as-found', 'native', 'encoded']).default('as-found'),
  /** A fourth audio track: one that sends silence, or one that never sends. */
  extraTrack: z.enum(['none', 'silent', 'muted']).default('none'),
  /** Media is offered so long after admission. */
  mediaAfterMs: z.int().min(0).max(60_000).default(0),
  /** `fails`: the call of a page that receives no frames never comes up. */
  videoRefused: z.enum(['taken', 'fails']).default('taken'),
  /** Somebody presents: from the start, or some seconds after the bot is in. */
  screenShare: z.enum(['none', 'from-start', 'later']).default('none'),
  signInWall: z.enum(['none', 'redirect', 'page']).default('none'),
  /** A challenge that a human would have to solve covers the pre-join page. */
  captcha: z.boolean().default(false),
  /** The platform refuses this guest when it knocks. */
  blocked: z.boolean().default(false),
  /** Then the page leaves the host. */
  homeAfterBlockSeconds: z.number().min(0.5).max(600).default(60),
  notFound: z.enum(['no', ...notFoundTexts]).default('no'),
  removedText: z.enum(['removed', 'were-removed']).default('removed'),
  endedText: z.enum(['host', 'call', 'meeting']).default('host'),
  /** Microphone and camera are switched off for whoever waits this long. */
  lobbyMutesAfterSeconds: z.number().min(0.5).max(3_600).default(180),
  /** Field 36 of CreateMeetingDevice: what the site thinks of the guest. */
  detectedAsBot: z.enum(['no', 'maybe', 'yes']).default('no'),
});

export type MeetOptions = z.infer<typeof meetOptionsSchema>;

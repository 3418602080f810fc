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

/** The variants of a Meet meeting of the simulator. Real meetings vary in the same respects, from join to join. */
export const meetOptionsSchema = z.strictObject({
  lobbyShape: z.enum(['classic', 'new']).default('new'),
  /** `by-page`: German or Hungarian unless the address has `hl=en`, by the browser's preference; else English. */
  language: z.enum(['by-page', 'en', 'de', 'hu']).default('by-page'),
  /**
   * Which clicks on the join button are blocked: none, untrusted events, or also those without a preceding pointer
   * movement.
   */
  clickCheck: z.enum(['off', 'untrusted', 'pointer']).default('untrusted'),
  /** Elements have the site's own stable names (`jsname`); without them only labels and icons identify them. */
  ids: z.boolean().default(true),
  nameField: z.enum(['labelled', 'placeholder', 'bare']).default('labelled'),
  joinLabel: z.enum(joinLabels).default('ask'),
  /** The label of the button that opens the list of participants. */
  participantsLabel: z.enum(['people', 'show-everyone']).default('people'),
  lobbyText: z.enum(lobbyTexts).default('brings'),
  permissionSheet: z.boolean().default(false),
  gotIt: z.boolean().default(false),
  /** The sheet that advertises signing in, with the texts of a lobby. */
  accountSheet: z.boolean().default(false),
  recordingNotice: z.boolean().default(false),
  /** Removes a guest whose recording notice is hidden while it should be visible. */
  dropIfNoticeHidden: z.boolean().default(false),
  /** The dialog on note-taking: no audio comes until it has a response. */
  consentDialog: z.boolean().default(false),
  toolbarHides: z.boolean().default(false),
  /**
   * `native`: three re-assigned audio tracks; `encoded`: no receivers, the page decodes and mixes, only `dcrpc` reports
   * speakers; `as-found`: encoded where the page finds RTCRtpReceiver.prototype.createEncodedStreams.
   */
  audioStack: z.enum(['as-found', 'native', 'encoded']).default('as-found'),
  /** A fourth audio track: one that sends silence, or one that never sends. */
  extraTrack: z.enum(['none', 'silent', 'muted']).default('none'),
  /** Delay of the media offer after admission. */
  mediaAfterMs: z.int().min(0).max(60_000).default(0),
  /** `fails`: the call of a page that receives no frames never connects. */
  videoRefused: z.enum(['taken', 'fails']).default('taken'),
  /** A participant shares a screen: from the start, or some seconds after the bot has joined. */
  screenShare: z.enum(['none', 'from-start', 'later']).default('none'),
  signInWall: z.enum(['none', 'redirect', 'page']).default('none'),
  /** A challenge that a human would have to solve covers the pre-join page. */
  captcha: z.boolean().default(false),
  /** The platform refuses this guest at its request for admission. */
  blocked: z.boolean().default(false),
  /** Delay until the page leaves the host. */
  homeAfterBlockSeconds: z.number().min(0.5).max(600).default(60),
  notFound: z.enum(['no', ...notFoundTexts]).default('no'),
  removedText: z.enum(['removed', 'were-removed']).default('removed'),
  endedText: z.enum(['host', 'call', 'meeting']).default('host'),
  /** Microphone and camera are switched off for a guest who waits this long. */
  lobbyMutesAfterSeconds: z.number().min(0.5).max(3_600).default(180),
  /** Field 36 of CreateMeetingDevice: the site's classification of the guest. */
  detectedAsBot: z.enum(['no', 'maybe', 'yes']).default('no'),
});

export type MeetOptions = z.infer<typeof meetOptionsSchema>;

import * as z from 'zod';

/** The variants of a Teams meeting of the simulator. Real meetings vary in the same respects, from join to join. */
export const teamsOptionsSchema = z.strictObject({
  /** `light` is in a frame of `/light-meetings/launch`, `full` in the page `/v2/`. */
  client: z.enum(['full', 'light']).default('full'),
  /** Form of the link: with the meeting's number, or its thread and organizer (`/l/meetup-join/`). Both are valid. */
  link: z.enum(['number', 'thread']).default('number'),
  /** Whether the page that offers the app is shown first. */
  launcher: z.boolean().default(true),
  /**
   * Which browsers are offered the app. `by-agent`: those whose user agent is of Windows or macOS; every other goes
   * straight to the web client. `everyone`: all.
   */
  offersApp: z.enum(['by-agent', 'everyone']).default('by-agent'),
  /** How the launcher calls the app: a frame in its markup, its script as well, or not at all. */
  appLink: z.enum(['frame', 'script', 'none']).default('frame'),
  /** Number of first loads of the meeting's link that receive 503. */
  unavailableLoads: z.int().min(0).max(20).default(0),
  /**
   * The dialog about joining with neither audio nor video: before or after Join now; `stacked`: two of it after that,
   * one over the other; `loop`: after each, without end.
   */
  deviceWarning: z.enum(['none', 'before', 'after', 'both', 'stacked', 'loop']).default('none'),
  /** The calling controls hide after 3 s without pointer movement. */
  controlsHide: z.boolean().default(false),
  /** The label of the lobby's button. */
  lobbyButton: z.enum(['leave', 'cancel']).default('leave'),
  /** Which tiles show an outline during speech. */
  outlines: z.enum(['all', 'half', 'none']).default('half'),
  /** Tiles have the name as an attribute, or only as text. */
  tileNames: z.enum(['attribute', 'text']).default('attribute'),
  /** The channel reports the dominant speaker. */
  dominantSpeaker: z.boolean().default(true),
  /** The mix names its speakers as contributing sources. */
  contributingSources: z.boolean().default(false),
  /** How a late joiner receives the earlier members; `none`: only changes come. */
  roster: z.enum(['snapshot', 'none']).default('snapshot'),
  /** The client exposes its debugging objects. */
  globals: z.boolean().default(true),
  /** `signalling`: the service rejects a guest after Join now. */
  signInWall: z.enum(['none', 'dialog', 'redirect', 'signalling']).default('none'),
  /** What reports the end of a call: the signalling, the page or both. */
  ending: z.enum(['both', 'signalling', 'page']).default('both'),
  /** A check that the guest is a human precedes joining; the value names the apostrophe of its text. */
  humanCheck: z.enum(['none', 'typographic', 'straight']).default('none'),
});

export type TeamsOptions = z.infer<typeof teamsOptionsSchema>;

import * as z from 'zod';

/** The default Meeting SDK app; it opens only simulated meetings. */
export const simulatedApp = { key: 'simulated-sdk-key', secret: 'simulated-sdk-secret' } as const;

/**
 * The variants of a Zoom meeting of the simulator. The real web client varies in the same respects, per meeting and per
 * build.
 */
export const zoomOptionsSchema = z.strictObject({
  /**
   * `react` is served at `/wc/<id>/join`, `classic` looks like `/wc/join/<id>` did; either is served at both addresses.
   */
  client: z.enum(['react', 'classic']).default('react'),
  /** The client is in a frame of its own page. */
  framed: z.boolean().default(false),
  cookieBanner: z.boolean().default(false),
  terms: z.boolean().default(false),
  /** The page requests camera and microphone, one after the other. */
  mediaPrompt: z.enum(['none', 'modal', 'element']).default('modal'),
  /** When that prompt appears: over the form while the page loads, or after Join was pressed. */
  mediaPromptAt: z.enum(['join', 'load']).default('join'),
  /**
   * What enables the join button: text from trusted input of any kind (keys, paste, insertion), or from real keys
   * alone.
   */
  nameInput: z.enum(['input', 'keys']).default('input'),
  /** Which clicks the join button accepts: any, or only those of a real input device. */
  joinClick: z.enum(['any', 'trusted']).default('any'),
  /** A guest who declines the prompt never joins the audio channel: the call is silent. */
  silentUnlessAllowed: z.boolean().default(true),
  /** Before the host joins: the error page of an invalid link, a waiting page, or neither. */
  hostNotStarted: z.enum(['no', 'error', 'waits']).default('no'),
  /** Delay of the host after the room's beginning; 0: never. */
  hostStartsAfterMs: z.int().min(0).max(86_400_000).default(0),
  signInWall: z.boolean().default(false),
  /** `at-join`: after Join was pressed; `late`: some seconds into the call. */
  botWall: z.enum(['no', 'at-join', 'late']).default('no'),
  /** Frames with the active speaker. */
  activeSpeakers: z.boolean().default(true),
  /** Frames with the level of each participant. */
  levels: z.boolean().default(true),
  /** A challenge that a human would have to solve, on the page before joining. */
  captcha: z.boolean().default(false),
  /** Hints and notices that a guest acknowledges, before and in the call. */
  tips: z.boolean().default(false),
  /** The More menu has Stop Incoming Video, as builds of the real client have. */
  incomingVideoControl: z.boolean().default(true),
  /** An invisible element covers the join button: the keyboard reaches it, the mouse does not. */
  coveredJoin: z.boolean().default(false),
  /**
   * The owner of the meeting, for an app that joins by SDK: its own account, another (a token is needed), another that
   * admits no app.
   */
  sdkAccount: z.enum(['own', 'external', 'forbidden']).default('own'),
  /** Presence of the authorized user of an OBF token. */
  sdkAuthorizedUser: z.enum(['present', 'absent', 'leaves']).default('present'),
  /** Delay after the room's beginning until an absent authorized user joins; 0: never. */
  sdkAuthorizedUserComesAfterMs: z.int().min(0).max(86_400_000).default(0),
  /** Result of an app's request to record. `granted`: it may at once; `requested`: the host allows it. */
  sdkRecording: z
    .enum([
      'asked',
      'granted',
      'denied',
      'unanswered',
      'disabled',
      'requests-off',
      'all-denied',
      'host-client',
      'never-starts',
    ])
    .default('asked'),
  /** Number of joins by SDK that fail first, without a particular reason. */
  sdkFailures: z.int().min(0).max(20).default(0),
  /** The app, and the valid tokens; anything else is refused. */
  sdkKey: z.string().max(200).default(simulatedApp.key),
  sdkSecret: z.string().max(200).default(simulatedApp.secret),
  obfToken: z.string().max(2_000).default('simulated-obf-token'),
  zakToken: z.string().max(2_000).default('simulated-zak-token'),
});

export type ZoomOptions = z.infer<typeof zoomOptionsSchema>;

/** The options that the page receives: without secrets and tokens. */
export function shownToPages({ sdkSecret: _secret, obfToken: _obf, zakToken: _zak, ...shown }: ZoomOptions): object {
  return shown;
}

import * as z from 'zod';

/** The Meeting SDK app that is known when nothing else is said; it opens nothing but simulated meetings. */
export const simulatedApp = { key: 'simulated-sdk-key', secret: 'simulated-sdk-secret' } as const;

/** What a Zoom meeting of the simulator can vary. The real web client varies in the same ways, per meeting and per build. */
export const zoomOptionsSchema = z.strictObject({
  /** `react` responds at `/wc/<id>/join`, `classic` looks as `/wc/join/<id>` did; either responds at both addresses. */
  client: z.enum(['react', 'classic']).default('react'),
  /** The client sits in a frame of its own page. */
  framed: z.boolean().default(false),
  cookieBanner: z.boolean().default(false),
  terms: z.boolean().default(false),
  /** The page asks for camera and microphone, one after the other. */
  mediaPrompt: z.enum(['none', 'modal', 'element']).default('modal'),
  /** Where that prompt comes: over the form while the page loads, or after Join was pressed. */
  mediaPromptAt: z.enum(['join', 'load']).default('join'),
  /** What wakes the join button: text that came by trusted input of any kind (keys, paste, insertion), or by real keys alone. */
  nameInput: z.enum(['input', 'keys']).default('input'),
  /** Which clicks the join button takes: any, or only those of a real input device. */
  joinClick: z.enum(['any', 'trusted']).default('any'),
  /** Who declines the prompt is never joined to the audio channel: the call is silent. */
  silentUnlessAllowed: z.boolean().default(true),
  /** Before the host: the error page of an invalid link, a page that waits, or nothing of the kind. */
  hostNotStarted: z.enum(['no', 'error', 'waits']).default('no'),
  /** The host comes so long after the room began; 0: never. */
  hostStartsAfterMs: z.int().min(0).max(86_400_000).default(0),
  signInWall: z.boolean().default(false),
  /** `at-join`: after Join was pressed; `late`: some seconds into the call. */
  botWall: z.enum(['no', 'at-join', 'late']).default('no'),
  /** Frames that say who is the active speaker. */
  activeSpeakers: z.boolean().default(true),
  /** Frames that say how loud each participant is. */
  levels: z.boolean().default(true),
  /** A challenge that a human would have to solve, on the page before joining. */
  captcha: z.boolean().default(false),
  /** Hints and notices that a guest acknowledges, before and in the call. */
  tips: z.boolean().default(false),
  /** The More menu has Stop Incoming Video, as builds of the real client have. */
  incomingVideoControl: z.boolean().default(true),
  /** Something invisible lies over the join button: the keyboard gets through, the mouse does not. */
  coveredJoin: z.boolean().default(false),
  /** Whose meeting it is, for an app that joins by SDK: its own account's, another's (a token is needed), another's that lets no app in. */
  sdkAccount: z.enum(['own', 'external', 'forbidden']).default('own'),
  /** Whether whoever an OBF token speaks for is in the meeting. */
  sdkAuthorizedUser: z.enum(['present', 'absent', 'leaves']).default('present'),
  /** When somebody absent comes all the same, after the room began; 0: never. */
  sdkAuthorizedUserComesAfterMs: z.int().min(0).max(86_400_000).default(0),
  /** What becomes of an app's wish to record. `granted`: it may at once; `requested`: the host allows it. */
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
  /** So many joins by SDK fail first, without a particular reason. */
  sdkFailures: z.int().min(0).max(20).default(0),
  /** The app, and the tokens that are good here; anything else is refused. */
  sdkKey: z.string().max(200).default(simulatedApp.key),
  sdkSecret: z.string().max(200).default(simulatedApp.secret),
  obfToken: z.string().max(2_000).default('simulated-obf-token'),
  zakToken: z.string().max(2_000).default('simulated-zak-token'),
});

export type ZoomOptions = z.infer<typeof zoomOptionsSchema>;

/** What the page itself gets to know: not what opens doors. */
export function shownToPages({ sdkSecret: _secret, obfToken: _obf, zakToken: _zak, ...shown }: ZoomOptions): object {
  return shown;
}

import * as z from 'zod';

/** What a Zoom meeting of the simulator can vary. The real web client varies in the same ways, per meeting and per build. */
export const zoomOptionsSchema = z.strictObject({
  /** `react` answers at `/wc/<id>/join`, `classic` looks as `/wc/join/<id>` did; either answers at both addresses. */
  client: z.enum(['react', 'classic']).default('react'),
  /** The client sits in a frame of its own page. */
  framed: z.boolean().default(false),
  cookieBanner: z.boolean().default(false),
  terms: z.boolean().default(false),
  /** The page asks for camera and microphone, one after the other. */
  mediaPrompt: z.enum(['none', 'modal', 'element']).default('modal'),
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
  /** Frames that say how loud each person is. */
  levels: z.boolean().default(true),
  /** A challenge that a person would have to solve, on the page before joining. */
  captcha: z.boolean().default(false),
  /** Hints and notices that a guest acknowledges, before and in the call. */
  tips: z.boolean().default(false),
  /** Something invisible lies over the join button: the keyboard gets through, the mouse does not. */
  coveredJoin: z.boolean().default(false),
});

export type ZoomOptions = z.infer<typeof zoomOptionsSchema>;

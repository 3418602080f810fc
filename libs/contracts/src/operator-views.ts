import { z } from 'zod';
import { botId, instant, meetingPlatform } from './shapes.ts';

/** How a page was not recognised on which a bot ended. */
export const unrecognisedKinds = ['waiting', 'refused', 'unusable'] as const;
export type UnrecognisedKind = (typeof unrecognisedKinds)[number];

/** The page packs of a deployment, for its operators. */
export const pagePackView = z.object({
  platforms: z.array(
    z.object({
      platform: meetingPlatform,
      /** suspended: the newest one did worse, and bots use the one before. */
      state: z.enum(['built-in', 'overlay', 'suspended']),
      /** In use. */
      version: z.string(),
      /** Percent of bots; the others use `previous_version`. Null: no overlay is in use. */
      share: z.number().nullable(),
      previous_version: z.string().nullable(),
      /** When the newest change of the source was taken; null: there was none. */
      accepted_at: instant.nullable(),
      suspended: z.object({ version: z.string(), at: instant, message: z.string() }).nullable(),
    }),
  ),
  /** The newest reading of the source, where it was refused; the last good page packs stay in use. */
  refused: z.object({ reason: z.string(), message: z.string(), at: instant }).nullable(),
  /** Pages of the last week on which bots ended because nothing, or too little, is known of them; the most frequent first. */
  unrecognised: z.array(
    z.object({
      platform: meetingPlatform,
      /** waiting: the bot waited there in vain. refused: the page refuses in unknown words. unusable: it could not be operated. */
      kind: z.enum(unrecognisedKinds),
      /** Identifies the structure of the page (`pageShape`). */
      shape: z.string(),
      /** The page's own sentence that most of these bots read; null: none. */
      said: z.string().nullable(),
      bots: z.int().positive(),
      since: instant,
      last: instant,
      /** The newest bots, each with the key of its `page.json` below its own in the object store. */
      examples: z.array(z.object({ bot_id: botId, page: z.string() })),
      /** What an overlay may add to know the page: a text to a rule of the page pack; null: an element is missing. */
      entry: z.object({ rule: z.string(), text: z.string() }).nullable(),
    }),
  ),
});
export type PagePackView = z.infer<typeof pagePackView>;

/** What a canary checks, in this order. */
export const canarySteps = [
  'login',
  'page',
  'lobby',
  'call',
  'name',
  'roster',
  'audio',
  'chat',
  'captions',
  'leave',
] as const;
export const canaryStep = z.enum(canarySteps);
export type CanaryStep = z.infer<typeof canaryStep>;

/**
 * warning: every step passed, one by a candidate of the page pack that is late in its list. skipped: the page was not
 * checked, because of the meeting or of this deployment.
 */
export const canaryOutcome = z.enum(['passed', 'warning', 'failed', 'skipped']);
export type CanaryOutcome = z.infer<typeof canaryOutcome>;

export const canaryResult = z.object({
  /** One sentence. */
  message: z.string(),
  page_pack_version: z.string().nullable(),
  steps: z.array(
    z.object({
      step: canaryStep,
      /** not-reached: an earlier step ended the canary. not-expected: the configuration does not expect it. */
      result: z.enum(['passed', 'warning', 'failed', 'not-reached', 'not-expected']),
      /** The element of the page pack that decided the step; null: no element did. */
      element: z.string().nullable(),
      /** The candidate by which the element was found, from 0; null: none found it. */
      candidate: z.object({ index: z.int().nonnegative(), of: z.int().positive() }).nullable(),
      message: z.string().nullable(),
    }),
  ),
});
export type CanaryResult = z.infer<typeof canaryResult>;

const canaryRunView = z.object({
  bot_id: botId,
  started_at: instant,
  ended_at: instant.nullable(),
  /** Null while it runs. */
  outcome: canaryOutcome.nullable(),
  failed_step: canaryStep.nullable(),
  result: canaryResult.nullable(),
});

/** The canaries of a deployment, for its operators. */
export const canaryList = z.object({
  canaries: z.array(
    z.object({
      name: z.string(),
      platform: meetingPlatform,
      interval_seconds: z.int().positive(),
      next_run_at: instant,
      running: z.boolean(),
      /** The newest runs that ended, the newest first. */
      runs: z.array(canaryRunView),
    }),
  ),
});
export type CanaryList = z.infer<typeof canaryList>;

export const canaryRunRequest = z.object({ name: z.string().min(1).max(64) });

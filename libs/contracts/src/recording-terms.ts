/** Terms of recorder, runner and integrity report for capture strategies and gaps. */

/** Capture strategies for video, cheapest first: decoded tracks, encoded once (`tracks`); the painted page (`tab`). */
export const videoStrategies = ['tracks', 'tab'] as const;
export type VideoStrategyName = (typeof videoStrategies)[number];

/**
 * Source of the audio: the source's tracks, those of elements that play in the page, or the audio output of the page.
 */
export const audioStrategies = ['tracks', 'played', 'tab'] as const;
export type AudioStrategyName = (typeof audioStrategies)[number];

/** Capture strategies of a recording; `audio`: without video. */
export const captureStrategies = [...videoStrategies, 'audio'] as const;
export type CaptureStrategy = (typeof captureStrategies)[number];

/** Why a strategy was selected, or switched. */
export const strategyReasons = [
  /** The cheapest that this page supports. */
  'chosen',
  /** The deployment pins it. */
  'pinned',
  /** It is not available here, or the page revoked it. */
  'refused',
  'no_frames',
  'black',
  /** The page shows a video that its media source does not provide. */
  'not_offered',
  'not_readable',
  'silent',
  /** The cause of its failure may be over. */
  'tried_again',
  'offered_again',
] as const;
export type StrategyReason = (typeof strategyReasons)[number];

/** Why a video that the page shows is not recorded. */
export const missingVideoReasons = [
  'no_frames',
  'black',
  'not_offered',
  'not_readable',
] as const satisfies StrategyReason[];
export type MissingVideoReason = (typeof missingVideoReasons)[number];

/**
 * What a recording gives up while its bot gets less CPU than it needs, in this order and one after the other: frames of
 * the video, their size, and the video that the page receives. Audio is given up last.
 */
export const degradationSteps = ['frame_rate', 'frame_size', 'incoming_video'] as const;
export type DegradationStep = (typeof degradationSteps)[number];

/** Why the audio of a span is impaired although the page played it. */
export const audioImpairments = [
  /** Packets were missing or late: the browser filled the gap. */
  'concealed',
  /** The browser played slower or faster than the participants spoke. */
  'stretched',
  /** The page was late: audio that it decodes or plays itself may have gaps. */
  'page_late',
  /** Audio arrived too late to be mixed. */
  'late',
] as const;
export type AudioImpairment = (typeof audioImpairments)[number];

/** Its page was lost and replaced, or the capture was restarted in the same page. */
export const captureBreaks = ['page_lost', 'capture_restarted'] as const;
export type CaptureBreak = (typeof captureBreaks)[number];

/** Why a recording lacks a span of its time. */
export const gapReasons = [
  ...captureBreaks,
  'storage_slow',
  'storage_failed',
  'missing_fragments',
  'damaged_fragments',
  /** The audio exists; the video frames depend on others that are lost. */
  'undecodable_video',
  'between_attempts',
  'other_format',
] as const;
export type GapReason = (typeof gapReasons)[number];

/** The words that recorder, runner and integrity report have for how a recording was taken and for what it lacks. */

/** How the video is captured, the cheapest first: decoded tracks, encoded once (`tracks`); the painted page (`tab`). */
export const videoStrategies = ['tracks', 'tab'] as const;
export type VideoStrategyName = (typeof videoStrategies)[number];

/** Where the audio comes from: the source's tracks, those of elements that play in the page, or the audio output of the page. */
export const audioStrategies = ['tracks', 'played', 'tab'] as const;
export type AudioStrategyName = (typeof audioStrategies)[number];

/** By which a recording was made; `audio`: without video. */
export const captureStrategies = [...videoStrategies, 'audio'] as const;
export type CaptureStrategy = (typeof captureStrategies)[number];

/** Why a strategy was chosen, or left for another. */
export const strategyReasons = [
  /** The cheapest that this page allows. */
  'chosen',
  /** The deployment requests it. */
  'pinned',
  /** It cannot be had here, or the page took it away. */
  'refused',
  'no_frames',
  'black',
  /** The page shows a video that its media source does not offer. */
  'not_offered',
  'not_readable',
  'silent',
  /** What made it fail may be over. */
  'tried_again',
  'offered_again',
] as const;
export type StrategyReason = (typeof strategyReasons)[number];

/** Its page was lost and another one took its place, or the capture was begun anew in the same page. */
export const captureBreaks = ['page_lost', 'capture_restarted'] as const;
export type CaptureBreak = (typeof captureBreaks)[number];

/** Why a recording does not hold a span of its time. */
export const gapReasons = [
  ...captureBreaks,
  'storage_slow',
  'storage_failed',
  'missing_fragments',
  'damaged_fragments',
  /** The audio is there; the video frames need others that are lost. */
  'undecodable_video',
  'between_attempts',
  'other_format',
] as const;
export type GapReason = (typeof gapReasons)[number];

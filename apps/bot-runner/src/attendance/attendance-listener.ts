import type { CodedEnd } from './end-codes.ts';

/**
 * Something that goes along with an attendance and is told how it stands: what the bot shows, what it streams. Nothing
 * here may throw or hold the meeting up; what fails is the companion's own affair, except before joining.
 */
export interface AttendanceListener {
  /**
   * Before the page is opened; gets ready what the meeting needs from the first second. Resolves with an end when the bot
   * must not join at all, else null. Given up with the signal.
   */
  ready?(signal: AbortSignal): Promise<CodedEnd | null>;
  joined?(): void;
  /**
   * The meeting's page was lost and the bot is in the call again, with a new page behind the same session. What the old one
   * showed or said is gone with it.
   */
  rejoined?(): void;
  recordingStarted?(): void;
  recordingPaused?(): void;
  recordingResumed?(): void;
  /** The attendance ends: gives back what it holds within a second. Called once, also when it never joined. */
  over?(): Promise<void>;
}

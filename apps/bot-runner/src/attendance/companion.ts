import type { CodedEnd } from './end-codes.ts';

/**
 * Something that goes along with an attendance and is told how it stands: what the bot shows, what it streams. Nothing
 * here may throw or hold the meeting up; what fails is the companion's own affair, except before joining.
 */
export interface Companion {
  /**
   * Before the page is opened; gets ready what the meeting needs from the first second. Resolves with an end when the bot
   * must not join at all, else null. Given up with the signal.
   */
  ready?(signal: AbortSignal): Promise<CodedEnd | null>;
  joined?(): void;
  recordingStarted?(): void;
  recordingPaused?(): void;
  recordingResumed?(): void;
  /** The attendance ends: gives back what it holds within a second. Called once, also when it never joined. */
  over?(): Promise<void>;
}

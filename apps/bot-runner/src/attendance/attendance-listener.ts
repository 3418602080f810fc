import type { CodedEnd } from './end-codes.ts';

/**
 * A component that is notified of the steps of an attendance, such as the bot's images and streams. Its methods must
 * not throw or delay the meeting; its failures are its own, except before joining.
 */
export interface AttendanceListener {
  /**
   * Before the page is opened; prepares what the meeting needs from the first second. Resolves with an end when the bot
   * must not join, else null. Cancelled by the signal.
   */
  ready?(signal: AbortSignal): Promise<CodedEnd | null>;
  joined?(): void;
  /**
   * The meeting's page was lost and the bot is in the call again, with a new page behind the same session. The images
   * and audio of the lost page are gone.
   */
  rejoined?(): void;
  recordingStarted?(): void;
  recordingPaused?(): void;
  recordingResumed?(): void;
  /** The attendance ends: releases its resources within a second. Called once, also when the bot never joined. */
  over?(): Promise<void>;
}

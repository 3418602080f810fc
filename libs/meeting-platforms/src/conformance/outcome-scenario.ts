import type { SessionEndReason } from '../platform.ts';
import type { PageState } from '../web-client/page-state.ts';
import type { HarnessRoom, RoomWishes } from './harness.ts';

/**
 * The states and outcomes that every platform's driver must produce. Data, so that a new platform or variant is one
 * line. `then` runs once the bot is in the state `reaches`.
 */
export interface OutcomeScenario {
  readonly name: string;
  readonly room: RoomWishes | 'unknown-meeting';
  /** Another address than the room's own. */
  readonly link?: (room: HarnessRoom) => string;
  readonly reaches: 'waiting-for-authorized-user' | 'waiting-for-host' | 'waiting-room' | 'in-call' | 'nothing';
  readonly then?: (room: HarnessRoom, botName: string) => Promise<void>;
  /** `in-call`: let in and still there. */
  readonly ends: SessionEndReason | 'in-call';
  /** Crashes the page's process once the bot is in the state `reaches`. */
  readonly crashes?: boolean;
  /** How long the bot must stay in the call to have come through. */
  readonly staysMs?: number;
  /** How long the end may take to be noticed; 30 s when left out. */
  readonly endsWithinMs?: number;
  /** States of the page that it goes through, besides those that follow from where it goes and how it ends. */
  readonly states?: readonly PageState[];
  /**
   * Excluded from regular runs by its length or by its likeness to another scenario: only `npm run conformance` runs
   * it.
   */
  readonly longFormOnly?: boolean;
  /** What the bot joins with, in words of the platform's harness. */
  readonly brings?: string;
  /** Only for platforms whose simulator has the variant. */
  readonly platforms?: readonly string[];
}

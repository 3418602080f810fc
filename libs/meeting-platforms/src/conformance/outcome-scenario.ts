import type { SessionEndReason } from '../platform.ts';
import type { PageState } from '../web-client/page-state.ts';
import type { HarnessRoom, RoomWishes } from './harness.ts';

/**
 * What every platform's bot must get right at the driver and at the end: data, so that a new platform or a new variant
 * is a line. `then` is done once the bot stands where `reaches` says.
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
  /** The page's process is crashed once the bot stands where `reaches` says. */
  readonly crashes?: boolean;
  /** How long the bot must stay in the call to have come through. */
  readonly staysMs?: number;
  /** How long the end may take to be noticed; 30 s when left out. */
  readonly endsWithinMs?: number;
  /** States of the page that it goes through, besides those that follow from where it goes and how it ends. */
  readonly states?: readonly PageState[];
  /** Too long, or too like another, for every run: only `npm run conformance` goes through it. */
  readonly longFormOnly?: boolean;
  /** What the bot joins with, in words of the platform's harness. */
  readonly brings?: string;
  /** Only for platforms whose simulator knows the variant. */
  readonly platforms?: readonly string[];
}

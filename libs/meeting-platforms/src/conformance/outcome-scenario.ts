import type { SessionEndReason } from '../platform.ts';
import type { PageState } from '../web-client/page-state.ts';
import type { HarnessRoom, RoomOptions } from './harness.ts';

/**
 * The states and outcomes that every platform's driver must produce. Data, so that a new platform or variant is one
 * line. `then` runs once the bot is in the state `reaches`.
 */
export interface OutcomeScenario {
  readonly name: string;
  readonly room: RoomOptions | 'unknown-meeting';
  /** An address other than the room's own. */
  readonly link?: (room: HarnessRoom) => string;
  readonly reaches: 'waiting-for-authorized-user' | 'waiting-for-host' | 'waiting-room' | 'in-call' | 'nothing';
  readonly then?: (room: HarnessRoom, botName: string) => Promise<void>;
  /** `in-call`: admitted and still in the call. */
  readonly ends: SessionEndReason | 'in-call';
  /** Crashes the page's process once the bot is in the state `reaches`. */
  readonly crashes?: boolean;
  /** Minimum time in the call for the scenario to pass. */
  readonly staysMs?: number;
  /** Time limit for detecting the end; omitted: 30 s. */
  readonly endsWithinMs?: number;
  /** Further states of the page that the scenario covers, besides those implied by its path and its end. */
  readonly states?: readonly PageState[];
  /** Too long, or too similar to another, for every run: only `npm run conformance` runs it. */
  readonly longFormOnly?: boolean;
  /** Name of the join's credentials in the platform's harness. */
  readonly brings?: string;
  /** The overlay of this name in `tools/simulator/page-changes` is laid over the built-in page pack. */
  readonly overlay?: string;
  /** The bot writes in the chat once it is in the call. */
  readonly chats?: true;
  /** Only for platforms whose simulator has the variant. */
  readonly platforms?: readonly string[];
}

import type { VisitEndReason } from '../platform.ts';
import type { HarnessRoom, RoomWishes } from './harness.ts';

/**
 * What every platform's bot must get right at the door and at the end: data, so that a new platform or a new variant
 * is a line. `then` is done once the bot stands where `reaches` says.
 */
export interface OutcomeScenario {
  readonly name: string;
  readonly room: RoomWishes | 'unknown-meeting';
  readonly reaches: 'waiting-room' | 'in-call' | 'nothing';
  readonly then?: (room: HarnessRoom, botName: string) => Promise<void>;
  /** `in-call`: let in and still there. */
  readonly ends: VisitEndReason | 'in-call';
  /** Only for platforms whose simulator knows the variant. */
  readonly platforms?: readonly string[];
}

const meetOnly = ['meet'] as const;

export const outcomeScenarios: readonly OutcomeScenario[] = [
  {
    name: 'the host lets the bot in',
    room: { lobby: 'wait' },
    reaches: 'waiting-room',
    then: (room) => room.admit(),
    ends: 'in-call',
  },
  {
    name: 'the host lets the bot in from the classic lobby',
    room: { lobby: 'wait', variant: { lobbyShape: 'classic' } },
    reaches: 'waiting-room',
    then: (room) => room.admit(),
    ends: 'in-call',
    platforms: meetOnly,
  },
  {
    name: 'every dialog that the page can put in the way',
    room: { variant: { permissionSheet: true, gotIt: true, recordingNotice: true } },
    reaches: 'in-call',
    ends: 'in-call',
    platforms: meetOnly,
  },
  { name: 'the host refuses', room: { lobby: 'refuse' }, reaches: 'waiting-room', ends: 'denied' },
  {
    name: 'the host refuses from the classic lobby',
    room: { lobby: 'refuse', variant: { lobbyShape: 'classic' } },
    reaches: 'waiting-room',
    ends: 'denied',
    platforms: meetOnly,
  },
  {
    name: 'nobody answers',
    room: { lobby: 'wait', lobbyTimeoutMs: 1_500 },
    reaches: 'waiting-room',
    ends: 'no-answer',
  },
  { name: 'the link leads nowhere', room: 'unknown-meeting', reaches: 'nothing', ends: 'not-found' },
  {
    name: 'the host removes the bot',
    room: {},
    reaches: 'in-call',
    then: (room, botName) => room.remove(botName),
    ends: 'removed',
  },
  {
    name: 'the host ends the meeting',
    room: {},
    reaches: 'in-call',
    then: (room) => room.endForEveryone(),
    ends: 'ended-by-host',
  },
  {
    name: 'the meeting ends while the bot waits',
    room: { lobby: 'wait' },
    reaches: 'waiting-room',
    then: (room) => room.endForEveryone(),
    ends: 'ended-by-host',
  },
];

import { describe, expect, test } from '@jest/globals';
import { createFakeClock } from '../fake-clock.ts';
import { RoomFaults, faultSchema } from './faults.ts';
import type { Fault } from './faults.ts';
import { plannedSchema, Timetable } from './timetable.ts';

function setUp() {
  const clock = createFakeClock(1_000_000);
  const happened: string[] = [];
  const faults = new RoomFaults({
    clock,
    lateness: 1,
    targets: {
      everyoneLeaves: () => happened.push('everyone left'),
      hostEnds: () => happened.push('ended'),
      struck: ({ kind }) => happened.push(kind),
    },
  });
  return { clock, faults, happened };
}

const planned = (given: unknown) => plannedSchema<Fault>(faultSchema).safeParse(given);

describe('a fault', () => {
  test('of the page reaches every page that is there, and no page that has gone', () => {
    const { faults } = setUp();
    const kinds: string[] = [];
    const stop = faults.listen(({ kind }) => kinds.push(kind));
    faults.strike({ kind: 'reload' });
    stop();
    faults.strike({ kind: 'reload' });
    expect(kinds).toEqual(['reload']);
  });

  test('of the meeting happens to the meeting, and is in its log', () => {
    const { faults, happened } = setUp();
    faults.strike({ kind: 'everyone-leaves' });
    faults.strike({ kind: 'host-ends' });
    expect(happened).toEqual(['everyone-leaves', 'everyone left', 'host-ends', 'ended']);
  });

  test('of the service refuses requests for the page, for its time', () => {
    const { clock, faults } = setUp();
    faults.strike({ kind: 'server-error', seconds: 3 });
    expect(faults.refusesOpening).toBe(true);
    clock.advance(3_000);
    expect(faults.refusesOpening).toBe(false);
  });

  test('that makes the page slow holds for pages that open later too', () => {
    const { faults } = setUp();
    faults.strike({ kind: 'slow', factor: 4 });
    expect(faults.lateness).toBe(4);
  });
});

describe('a timetable', () => {
  test('does each thing at its second, or when the first browser gets there', () => {
    const { clock } = setUp();
    const done: string[] = [];
    const table = new Timetable(
      clock,
      [
        { atSecond: 2, on: undefined, afterSeconds: 1, what: 'at three' },
        { atSecond: undefined, on: 'requested', afterSeconds: 1, what: 'after the join request' },
      ],
      (what) => done.push(what),
    );
    clock.advance(2_900);
    expect(done).toEqual([]);
    clock.advance(100);
    table.reached('opened');
    table.reached('requested');
    table.reached('requested');
    clock.advance(1_000);
    expect(done).toEqual(['at three', 'after the join request']);
  });

  test('does nothing any more once stopped', () => {
    const { clock } = setUp();
    const done: string[] = [];
    const table = new Timetable(clock, [{ atSecond: 1, on: undefined, afterSeconds: 0, what: 'x' }], (what) =>
      done.push(what),
    );
    table.stop();
    clock.advance(5_000);
    expect(done).toEqual([]);
  });

  test('is refused with the field that is wrong', () => {
    expect(planned({ atSecond: 1, kind: 'reload' }).data?.what).toEqual({ kind: 'reload' });
    expect(planned({ kind: 'reload' }).error?.issues[0]?.path).toEqual(['atSecond']);
    expect(planned({ atSecond: 1, kind: 'popup', seconds: -1 }).error?.issues[0]?.path).toEqual(['seconds']);
    expect(planned({ atSecond: 1, kind: 'earthquake' }).error?.issues[0]?.path).toEqual(['kind']);
  });
});

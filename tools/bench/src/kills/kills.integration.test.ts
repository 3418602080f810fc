import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { SimulatedMeetings } from '@rapporteur/bot-runner/testing';
import { openStage } from '../recorder/bench-room.ts';
import type { Stage } from '../recorder/bench-room.ts';
import { judgeFault, planOf } from './judge-fault.ts';
import { injectFault } from './inject-fault.ts';

// The short form of `kills` and `drains`: the same checks, one trial each. A runner that is killed later is in
// tools/e2e, a browser that crashes in rejoin.integration.test.ts of the runner, and fifty of each in the soak campaign
// `kills`.

let stage: Stage;
let meetings: SimulatedMeetings;

beforeAll(async () => {
  stage = await openStage('kills-test');
  meetings = await stage.meetings();
}, 120_000);
afterAll(() => stage.stop());

describe('a recording that is killed at a sampled moment', () => {
  test.each([
    // Before the first fragment is stored.
    planOf('runner', 7),
    planOf('drain', 8),
  ])(
    'keeps all but four seconds: $fault, seed $seed',
    async (plan) => {
      const outcome = await injectFault(plan, { meetings, runner: stage.runner });
      expect({ outcome, ...judgeFault(outcome) }).toMatchObject({ problems: [] });
    },
    240_000,
  );
});

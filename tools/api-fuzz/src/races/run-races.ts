import { Operator } from '../stack/operator.ts';
import { startServiceStack } from '../stack/service-stack.ts';
import { Races } from './rounds.ts';
import type { RaceResult } from './rounds.ts';

/** Runs every race so many times against two gateways; reports each result as it comes. */
export async function runRaces(options: {
  readonly rounds: number;
  readonly say: (text: string) => void;
  readonly onResult: (result: RaceResult) => void;
}): Promise<void> {
  const stack = await startServiceStack({ gateways: 2, say: options.say });
  try {
    const operator = await Operator.open(stack);
    const races = await Races.open(stack, operator);
    try {
      for (let round = 0; round < options.rounds; round += 1) {
        for (const race of [
          () => races.oneBotPerMeeting(),
          () => races.dailyCap(),
          () => races.tokens(),
          () => races.rateLimit(),
          () => races.revokedKey(),
        ]) {
          options.onResult(await race());
        }
      }
    } finally {
      races.close();
      await operator.close();
    }
  } finally {
    await stack.stop();
  }
}

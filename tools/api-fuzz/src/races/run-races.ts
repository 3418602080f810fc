import { Operator } from '../stack/operator.ts';
import type { ServiceStack } from '../stack/service-stack.ts';
import { Races } from './rounds.ts';
import type { RaceResult } from './rounds.ts';

/** Runs every race so many times against all gateways of the stack; reports each result at once. */
export async function runRaces(
  stack: ServiceStack,
  options: { readonly rounds: number; readonly onResult: (result: RaceResult) => void },
): Promise<void> {
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
}

import { one } from './command.ts';
import type { Command } from './command.ts';
import { limitsIn, limitsSentence, wholeNumber } from './limit-options.ts';
import { tableOf, UsageError } from './sentences.ts';

export const planCommands: Readonly<Record<string, Command>> = {
  'plans list': async ({ api }) =>
    tableOf(
      ['NAME', 'REQUESTS/S', 'BOTS/DAY', 'KEPT DAYS', 'TEAMS'],
      (await api.listPlans()).map((plan) => [
        plan.name,
        String(plan.requests_per_second),
        String(plan.daily_bot_cap),
        String(plan.retention_days),
        String(plan.teams),
      ]),
    ),
  'plans create': async ({ api, options, operands }) => {
    const name = one(operands, 'What is the plan called? npm run rapporteur -- plans create NAME');
    const { requests_per_second, daily_bot_cap, retention_days } = limitsIn(options, wholeNumber);
    if (requests_per_second === undefined || daily_bot_cap === undefined || retention_days === undefined) {
      throw new UsageError('A plan needs --requests-per-second, --daily-bot-cap and --retention-days.');
    }
    const plan = await api.createPlan({ name, requests_per_second, daily_bot_cap, retention_days });
    return `The plan ${plan.name} is there: ${limitsSentence(plan)}.`;
  },
  'plans change': async ({ api, options, operands }) => {
    const name = one(
      operands,
      'Which plan? npm run rapporteur -- plans change NAME (see npm run rapporteur -- plans list).',
    );
    const change = limitsIn(options, wholeNumber);
    if (Object.keys(change).length === 0) {
      throw new UsageError('What to change? Say --requests-per-second, --daily-bot-cap or --retention-days.');
    }
    const plan = await api.changePlan(name, change);
    const teams = plan.teams === 1 ? 'one team has' : `${plan.teams} teams have`;
    return `The plan ${plan.name} is now: ${limitsSentence(plan)}. Its ${teams} it at once, but for limits of their own.`;
  },
};

import { one } from '../command.ts';
import type { CommandDefinition, CommandGroup } from '../command.ts';
import { limitFlags, limitsIn, limitsSentence, wholeNumber } from '../limit-options.ts';
import { tableOf, UsageError } from '../sentences.ts';
import { program } from '../program.ts';

const list: CommandDefinition = {
  summary: 'every plan with its limits',
  example: 'plans list',
  run: async ({ api }) => {
    const plans = await api.listPlans();
    const text = tableOf(
      ['NAME', 'REQUESTS/S', 'BOTS/DAY', 'KEPT DAYS', 'TEAMS'],
      plans.map((plan) => [
        plan.name,
        String(plan.requests_per_second),
        String(plan.daily_bot_cap),
        String(plan.retention_days),
        String(plan.teams),
      ]),
    );
    return { text, data: plans };
  },
};

const create: CommandDefinition = {
  summary: 'make a plan; all three limits are needed',
  example: 'plans create club --requests-per-second 4 --daily-bot-cap 40 --retention-days 4',
  operands: '[name]',
  options: limitFlags,
  run: async ({ api, options, operands }) => {
    const name = one(operands, `What is the plan called? ${program} plans create NAME`);
    const { requests_per_second, daily_bot_cap, retention_days } = limitsIn(options, wholeNumber);
    if (requests_per_second === undefined || daily_bot_cap === undefined || retention_days === undefined)
      throw new UsageError('A plan needs --requests-per-second, --daily-bot-cap and --retention-days.');
    const plan = await api.createPlan({ name, requests_per_second, daily_bot_cap, retention_days });
    return { text: `The plan ${plan.name} is there: ${limitsSentence(plan)}.`, data: plan };
  },
};

const change: CommandDefinition = {
  summary: 'change a plan for every team on it',
  example: 'plans change club --daily-bot-cap 60',
  operands: '[name]',
  options: limitFlags,
  run: async ({ api, options, operands }) => {
    const name = one(operands, `Which plan? ${program} plans change NAME (see ${program} plans list).`);
    const change = limitsIn(options, wholeNumber);
    if (Object.keys(change).length === 0)
      throw new UsageError('What to change? Say --requests-per-second, --daily-bot-cap or --retention-days.');
    const plan = await api.changePlan(name, change);
    const having = plan.teams === 1 ? 'one team has' : `${plan.teams} teams have`;
    const text = `The plan ${plan.name} is now: ${limitsSentence(plan)}. Its ${having} it at once, but for limits of their own.`;
    return { text, data: plan };
  },
};

export const plans: CommandGroup = {
  noun: 'plans',
  summary: 'plans and their limits',
  commands: { list, create, change },
};

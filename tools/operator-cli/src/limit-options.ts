import type { Limits } from './admin-api.ts';
import type { CommandOptions } from './command.ts';
import { UsageError } from './sentences.ts';

const optionOf = {
  requests_per_second: ['requestsPerSecond', '--requests-per-second'],
  daily_bot_cap: ['dailyBotCap', '--daily-bot-cap'],
  retention_days: ['retentionDays', '--retention-days'],
} as const satisfies Record<keyof Limits, readonly [string, string]>;

export const limitFlags = {
  '--requests-per-second <n>': 'not counting GET, 1 to 1000',
  '--daily-bot-cap <n>': 'bots in any 24 hours',
  '--retention-days <n>': 'how long recordings are kept',
} as const;

/** The given limits, as whole numbers; null represents `plan` where that is allowed. */
export function limitsIn<T extends number | null>(
  options: CommandOptions,
  like: (option: string, text: string) => T,
): Partial<Record<keyof Limits, T>> {
  const said: Partial<Record<keyof Limits, T>> = {};
  for (const name of Object.keys(optionOf) as (keyof Limits)[]) {
    const [option, flag] = optionOf[name];
    const text = options[option];
    if (text !== undefined) said[name] = like(flag, text);
  }
  return said;
}

export function wholeNumber(option: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`${option} must be a whole number above zero, not ${text}.`);
  return Number(text);
}

/** A number, or the word `plan`: removes the team's own limit, so that its plan's applies. */
export function numberOrPlan(option: string, text: string): number | null {
  return text === 'plan' ? null : wholeNumber(`${option} (or the word plan)`, text);
}

export function limitsSentence(limits: Limits): string {
  return `${limits.requests_per_second} requests a second, ${limits.daily_bot_cap} bots a day, recordings kept ${limits.retention_days} days`;
}

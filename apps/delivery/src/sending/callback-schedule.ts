import { attemptPausesMs, nextStep } from './schedule.ts';
import type { AttemptResult, NextStep } from './schedule.ts';
import type { CallbackKind } from '../schema/entities.ts';

const quickPausesMs: readonly number[] = [0, 1_000, 5_000, 15_000];
/** Pauses before the attempts of one callback: the quick ones, then those of webhooks from 5 minutes on. */
export const callbackPausesMs: readonly number[] = [...quickPausesMs, ...attemptPausesMs.filter((ms) => ms >= 60_000)];

/**
 * The next step of a delivery to an address of an owner after an attempt. A callback is repeated only without a
 * response or after a 5xx; the address of a legacy bot gets the schedule of webhooks.
 * @param tries attempts so far, this one included.
 * @param spread a random number from 0 to 1.
 */
export function nextCallbackStep(kind: CallbackKind, result: AttemptResult, tries: number, spread: number): NextStep {
  if (result.succeeded) return { state: 'succeeded' };
  if (result.hopeless === true) return { state: 'failed' };
  // There is no endpoint that 410 could disable: the address is removed permanently.
  if (kind === 'legacy') return result.statusCode === 410 ? { state: 'failed' } : nextStep(result, tries, spread);
  const again = result.statusCode === null || result.statusCode >= 500;
  const pauseMs = callbackPausesMs[tries];
  if (!again || pauseMs === undefined) return { state: 'failed' };
  const spreadMs = tries < quickPausesMs.length ? pauseMs : Math.round(pauseMs * (0.8 + 0.4 * spread));
  return { state: 'pending', pauseMs: spreadMs };
}

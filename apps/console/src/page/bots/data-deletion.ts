import { timeText } from '../elements/time.tsx';
import type { Bot } from './bot.ts';

/** Shown in place of the data while its deletion is not confirmed. */
export function deletionSentence({ reason, next_attempt_at }: NonNullable<Bot['data_deletion']>): string {
  const why = reason === null ? '' : ` ${reason}`;
  const next = timeText(next_attempt_at);
  return `The data of this bot is not shown any more. The object store has not confirmed its deletion.${why} Next attempt: ${next}.`;
}

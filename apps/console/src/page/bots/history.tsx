import { useQuery } from '@tanstack/react-query';
import { readArtifact } from '../api/client.ts';
import { durationOf } from '../elements/duration.ts';
import { statusText } from '../elements/status-text.ts';
import { Time } from '../elements/time.tsx';
import { noLosses, parseLosses } from '../recording/artifact-documents.ts';
import type { Losses } from '../recording/artifact-documents.ts';
import type { Bot } from './explanation.tsx';

export interface Step {
  readonly name: string;
  readonly at: string;
  /** Why, in a sentence. */
  readonly reason: string | null;
  /** Since the step before; null for the first. */
  readonly afterSeconds: number | null;
}

/** Every status that the bot had, and where its recording was interrupted. */
export function stepsOf({ status_changes: changes }: Pick<Bot, 'status_changes'>, { gaps }: Losses): Step[] {
  const startSeconds = changes.find(({ start_time }) => start_time !== undefined)?.start_time;
  const interruptions =
    startSeconds === undefined
      ? []
      : gaps.flatMap(({ start, end }) =>
          [['Recording interrupted', start] as const, ['Recording continued', end] as const].map(([name, second]) => ({
            name,
            at: new Date((startSeconds + second) * 1_000).toISOString(),
            reason: null,
          })),
        );
  const steps = changes.map(({ code, created_at, error_message, delay_message }) => ({
    name: statusText(code),
    at: created_at,
    reason: error_message ?? delay_message ?? null,
  }));
  return [...steps, ...interruptions]
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
    .map((step, index, all) => {
      const before = all[index - 1];
      const afterSeconds = before === undefined ? null : (Date.parse(step.at) - Date.parse(before.at)) / 1_000;
      return { ...step, afterSeconds };
    });
}

/** The losses of a stored recording. */
export function useLosses(bot: Bot): Losses {
  const integrity = useQuery({
    queryKey: ['artifact', bot.bot_id, 'integrity'],
    queryFn: async ({ signal }) => parseLosses(await readArtifact(bot.bot_id, 'integrity', signal)),
    enabled: bot.integrity !== null,
    staleTime: Infinity,
  });
  return integrity.data ?? noLosses;
}

export function History({ bot }: { readonly bot: Bot }) {
  return (
    <ol className="history" aria-label="History of the bot">
      {stepsOf(bot, useLosses(bot)).map(({ name, at, reason, afterSeconds }, index) => (
        <li key={index}>
          <Time at={at} seconds />
          <span>
            <strong>{name}</strong>
            {afterSeconds !== null && <span className="hint"> after {durationOf(afterSeconds)}</span>}
            {reason !== null && <span className="hint block">{reason}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}

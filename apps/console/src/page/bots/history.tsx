import { useQueries, useQuery } from '@tanstack/react-query';
import { api, readArtifact } from '../api/client.ts';
import { durationOf, Time } from '../elements/time.tsx';
import { statusText } from '../elements/status.tsx';
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

/** An event of the bot at one address. */
export interface Delivery {
  readonly event: string;
  readonly to: string;
  readonly state: string;
  readonly attempts: number;
  readonly last_attempt_at: string | null;
  readonly error: string | null;
}

/** The final event, and what an address did not take. */
function stepOf({ event, to, state, attempts, last_attempt_at: at, error }: Delivery) {
  if (at === null || (state === 'succeeded' && event !== 'bot.completed' && event !== 'bot.failed')) return [];
  const tries = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  if (state === 'succeeded') return [{ name: `${event} delivered`, at, reason: `${to}, ${tries}` }];
  const name = `${event} not delivered${state === 'failed' ? '' : ' yet'}`;
  return [{ name, at, reason: [`${to}, ${tries}`, error ?? []].flat().join(': ') }];
}

/** Every status that the bot had, where its recording was interrupted, and what became of its events. */
export function stepsOf(
  { status_changes: changes }: Pick<Bot, 'status_changes'>,
  { gaps }: Losses,
  deliveries: readonly Delivery[] = [],
): Step[] {
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
  return [...steps, ...interruptions, ...deliveries.flatMap(stepOf)]
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

function useDeliveries({ bot_id, callback_config }: Bot): readonly Delivery[] {
  const endpoints = useQuery({
    queryKey: ['endpoints'],
    queryFn: ({ signal }) => api.listWebhookEndpoints({}, { signal }),
  });
  const messages = useQueries({
    queries: (endpoints.data ?? []).map(({ endpoint_id, name, url }) => {
      const query = { endpoint_id, bot_id, limit: 100 };
      return {
        queryKey: ['messages', query],
        queryFn: ({ signal }: { readonly signal: AbortSignal }) => api.listWebhookMessages(query, { signal }),
        select: ({ data }: Awaited<ReturnType<typeof api.listWebhookMessages>>) =>
          data.map((message) => ({ ...message, to: name ?? url, error: message.last_error })),
      };
    }),
  });
  const callbacks = useQuery({
    queryKey: ['callbacks', bot_id],
    queryFn: ({ signal }) => api.listBotCallbacks({ bot_id }, { signal }),
    enabled: callback_config !== null,
  });
  const called = (callbacks.data ?? []).map((one) => ({
    ...one,
    to: one.url,
    error: one.callback_error?.error ?? null,
  }));
  return [...messages.flatMap(({ data }) => data ?? []), ...called];
}

export function History({ bot }: { readonly bot: Bot }) {
  const deliveries = useDeliveries(bot);
  return (
    <ol className="history" aria-label="History of the bot">
      {stepsOf(bot, useLosses(bot), deliveries).map(({ name, at, reason, afterSeconds }, index) => (
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

import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../api/client.ts';
import { Action } from '../elements/action.tsx';
import { EmptyState, QueryResult } from '../elements/page.tsx';
import { State, isFinal } from '../elements/status.tsx';
import { Time } from '../elements/time.tsx';
import { MessageTable } from '../webhooks/webhooks.tsx';
import type { Bot } from './explanation.tsx';

const liveMs = 4_000;

/** Every event of a bot for each webhook endpoint, and its callbacks, with their attempts. */
export function Deliveries({ bot }: { readonly bot: Bot }) {
  const endpoints = useQuery({
    queryKey: ['endpoints'],
    queryFn: ({ signal }) => api.listWebhookEndpoints({}, { signal }),
  });
  return (
    <>
      <QueryResult query={endpoints}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title="No webhook endpoint">
              <Link href="/webhooks">Add an endpoint</Link>, and the events of every bot are delivered to it and listed
              here.
            </EmptyState>
          ) : (
            list.map((endpoint) => <EndpointEvents key={endpoint.endpoint_id} bot={bot} endpoint={endpoint} />)
          )
        }
      </QueryResult>
      {bot.callback_config !== null && <Callbacks bot={bot} />}
    </>
  );
}

type Endpoint = Awaited<ReturnType<typeof api.listWebhookEndpoints>>[number];

function EndpointEvents({ bot, endpoint }: { readonly bot: Bot; readonly endpoint: Endpoint }) {
  const query = { endpoint_id: endpoint.endpoint_id, bot_id: bot.bot_id, limit: 100 };
  const messages = useQuery({
    queryKey: ['messages', query],
    queryFn: ({ signal }) => api.listWebhookMessages(query, { signal }),
    refetchInterval: ({ state }) =>
      isFinal(bot.status) && state.data?.data.every((message) => message.state !== 'pending') === true ? false : liveMs,
  });
  return (
    <section>
      <h2 className="breaks">{endpoint.name ?? endpoint.url}</h2>
      <QueryResult query={messages}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="hint">No event of this bot was sent to this endpoint.</p>
          ) : (
            <MessageTable messages={data} endpointId={endpoint.endpoint_id} />
          )
        }
      </QueryResult>
    </section>
  );
}

function Callbacks({ bot }: { readonly bot: Bot }) {
  const id = { bot_id: bot.bot_id };
  const callbacks = useQuery({
    queryKey: ['callbacks', bot.bot_id],
    queryFn: ({ signal }) => api.listBotCallbacks(id, { signal }),
  });
  return (
    <section>
      <h2>Callback</h2>
      <QueryResult query={callbacks}>
        {(list) => (
          <>
            <ul className="attempts">
              {list.map((callback) => (
                <li key={callback.callback_id}>
                  <State state={callback.state} /> <code className="breaks">{callback.url}</code>{' '}
                  {callback.attempts === 1 ? '1 attempt' : `${callback.attempts} attempts`}, last{' '}
                  <Time at={callback.last_attempt_at} seconds />
                  {callback.callback_error !== null && (
                    <span className="hint block">
                      {callback.callback_error.error}
                      {callback.callback_error.status_code !== null &&
                        ` (status ${callback.callback_error.status_code})`}
                    </span>
                  )}
                </li>
              ))}
            </ul>
            {list.length === 0 && <p className="hint">It is made when the bot has ended.</p>}
            {isFinal(bot.status) && (
              <Action label="Make the callback again" act={async () => (await api.retryBotCallback(id)).message} />
            )}
          </>
        )}
      </QueryResult>
    </section>
  );
}

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '../api/client.ts';
import { Field } from '../elements/field.tsx';
import { Page } from '../elements/page.tsx';
import { Pager } from '../elements/pager.tsx';
import { EmptyState, QueryResult } from '../elements/query-result.tsx';
import { MessageTable } from './messages.tsx';

const liveMs = 4_000;
const states = ['pending', 'held', 'succeeded', 'failed'] as const;

/** One endpoint and what was sent to it. */
export function EndpointPage({ endpointId }: { readonly endpointId: string }) {
  const [cursor, setCursor] = useState<string | null>(null);
  const [state, setState] = useState<(typeof states)[number] | ''>('');
  const endpoint = useQuery({
    queryKey: ['endpoint', endpointId],
    queryFn: ({ signal }) => api.getWebhookEndpoint({ endpoint_id: endpointId }, { signal }),
  });
  const query = {
    endpoint_id: endpointId,
    limit: 50,
    ...(state === '' ? {} : { state }),
    ...(cursor === null ? {} : { cursor }),
  };
  const messages = useQuery({
    queryKey: ['messages', query],
    queryFn: ({ signal }) => api.listWebhookMessages(query, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: liveMs,
  });
  return (
    <Page title={endpoint.data?.name ?? 'Webhook endpoint'} actions={<Link href="/webhooks">All endpoints</Link>}>
      <p className="hint breaks">{endpoint.data?.url}</p>
      <form className="filters" onSubmit={(event) => event.preventDefault()}>
        <Field label="State">
          <select
            value={state}
            onChange={(event) => {
              setCursor(null);
              setState(event.target.value as typeof state);
            }}
          >
            <option value="">All</option>
            {states.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
      </form>
      <QueryResult query={messages}>
        {(page) =>
          page.data.length === 0 ? (
            <EmptyState title="Nothing was sent yet">
              Send a test event from <Link href="/webhooks">the list of endpoints</Link>, or send a bot.
            </EmptyState>
          ) : (
            <>
              <MessageTable messages={page.data} endpointId={endpointId} />
              <Pager page={page} what="messages" onMove={setCursor} />
            </>
          )
        }
      </QueryResult>
    </Page>
  );
}

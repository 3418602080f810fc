import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../api/client.ts';
import { ChoiceFilter, Filters } from '../elements/filters.tsx';
import { Page } from '../elements/page.tsx';
import { Pager } from '../elements/pager.tsx';
import { EmptyState, QueryResult } from '../elements/query-result.tsx';
import { stateText } from '../elements/status-text.ts';
import { useAddress } from '../elements/use-address.ts';
import { EndpointSettings } from './endpoint-settings.tsx';
import { MessageTable } from './messages.tsx';

const liveMs = 4_000;
const states = ['pending', 'held', 'succeeded', 'failed'] as const;

/** One endpoint and its messages. */
export function EndpointPage({ endpointId }: { readonly endpointId: string }) {
  const address = useAddress();
  const { search, change } = address;
  const [cursor, state] = [search.get('cursor'), states.find((name) => name === search.get('state'))];
  const endpoint = useQuery({
    queryKey: ['endpoint', endpointId],
    queryFn: ({ signal }) => api.getWebhookEndpoint({ endpoint_id: endpointId }, { signal }),
  });
  const query = {
    endpoint_id: endpointId,
    limit: 50,
    ...(state === undefined ? {} : { state }),
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
      {endpoint.data !== undefined && <EndpointSettings endpoint={endpoint.data} />}
      <Filters label="Filter deliveries">
        <ChoiceFilter
          address={address}
          name="state"
          label="State"
          options={states.map((name) => [name, stateText(name)])}
        />
      </Filters>
      <QueryResult query={messages}>
        {(page) =>
          page.data.length === 0 ? (
            <EmptyState title="Nothing was sent yet">
              Send a test event from <Link href="/webhooks">the list of endpoints</Link>, or send a bot.
            </EmptyState>
          ) : (
            <>
              <MessageTable messages={page.data} endpointId={endpointId} />
              <Pager page={page} what="messages" onMove={(next) => change('cursor', next)} />
            </>
          )
        }
      </QueryResult>
    </Page>
  );
}

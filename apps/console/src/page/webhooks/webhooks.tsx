import { useQuery } from '@tanstack/react-query';
import { Link, Route, Switch } from 'wouter';
import { api } from '../api/client.ts';
import { Action } from '../elements/action.tsx';
import { Page } from '../elements/page.tsx';
import { EmptyState, QueryResult } from '../elements/query-result.tsx';
import { State } from '../elements/status.tsx';
import { AddEndpoint } from './add-endpoint.tsx';
import { EndpointPage } from './endpoint-page.tsx';

type Endpoint = Awaited<ReturnType<typeof api.listWebhookEndpoints>>[number];

export function Webhooks() {
  return (
    <Switch>
      <Route path="/webhooks/:endpointId">{({ endpointId }) => <EndpointPage endpointId={endpointId} />}</Route>
      <Route>
        <Endpoints />
      </Route>
    </Switch>
  );
}

function Endpoints() {
  const endpoints = useQuery({
    queryKey: ['endpoints'],
    queryFn: ({ signal }) => api.listWebhookEndpoints({}, { signal }),
  });
  return (
    <Page title="Webhooks">
      <QueryResult query={endpoints}>
        {(list) => (
          <>
            {list.length === 0 ? (
              <EmptyState title="No endpoint yet">
                Add the address of a program that listens. It gets a signed request for every event of every bot.
              </EmptyState>
            ) : (
              list.map((endpoint) => <EndpointCard key={endpoint.endpoint_id} endpoint={endpoint} />)
            )}
            <AddEndpoint />
          </>
        )}
      </QueryResult>
    </Page>
  );
}

function EndpointCard({ endpoint }: { readonly endpoint: Endpoint }) {
  const id = { endpoint_id: endpoint.endpoint_id };
  const name = endpoint.name ?? endpoint.url;
  return (
    <section className="card">
      <div className="card-head">
        <h2 className="breaks">
          <Link href={`/webhooks/${endpoint.endpoint_id}`}>{name}</Link>
        </h2>
        <State state={endpoint.enabled ? 'active' : (endpoint.disabled_reason ?? 'disabled')} />
      </div>
      <p className="hint breaks">{endpoint.url}</p>
      <p className="hint">{endpoint.events.join(', ')}</p>
      <div className="buttons">
        <Action
          label="Send a test event"
          about={name}
          act={async () => {
            await api.testWebhookEndpoint(id);
            return 'The test event is on its way. Its delivery is listed with the endpoint.';
          }}
        />
        <Action
          label={endpoint.enabled ? 'Disable' : 'Enable'}
          about={name}
          act={async () => {
            await api.updateWebhookEndpoint({ ...id, body: { enabled: !endpoint.enabled } });
            return endpoint.enabled ? 'It gets no events now; they are held.' : 'It gets events again.';
          }}
        />
        <Action
          label="Delete"
          about={name}
          kind="danger"
          confirm={{
            title: 'Delete this endpoint?',
            text: 'Its events are not delivered any more, and its list of deliveries is gone.',
            button: 'Delete the endpoint',
          }}
          act={async () => {
            await api.deleteWebhookEndpoint(id);
            return 'The endpoint is deleted.';
          }}
        />
      </div>
    </section>
  );
}

import { useQuery, keepPreviousData } from '@tanstack/react-query';
import { Link, Route, Switch } from 'wouter';
import { api } from '../api/client.ts';
import { Action, Deletion } from '../elements/action.tsx';
import { Reference, Page } from '../elements/page.tsx';
import { EmptyState, List, QueryResult } from '../elements/query-result.tsx';
import { Notice } from '../elements/notice.tsx';
import { State } from '../elements/status.tsx';
import { Time } from '../elements/time.tsx';
import { Form, Secret } from '../elements/form.tsx';
import type { BodyOf, Fields } from '../elements/form.tsx';
import { ChoiceFilter, Filters, Pager } from '../elements/filters.tsx';
import { stateText } from '../elements/status-text.ts';
import { useAddress } from '../elements/use-address.ts';
import { EndpointSettings } from './endpoint-settings.tsx';
import { MessageTable } from './messages.tsx';

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
      <List
        query={endpoints}
        empty={[
          'No endpoint yet',
          <>
            Add the address of a program that listens. It gets a signed request for every event of every bot. See{' '}
            <Reference to="webhooks">the guide</Reference>.
          </>,
        ]}
      >
        {(list) => list.map((endpoint) => <EndpointCard key={endpoint.endpoint_id} endpoint={endpoint} />)}
      </List>
      <AddEndpoint />
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
        <State state={endpointState(endpoint)} />
      </div>
      <p className="hint breaks">{endpoint.url}</p>
      {endpoint.failing_since !== null && (
        <Notice kind="warn">
          Nothing was delivered since <Time at={endpoint.failing_since} />. The deliveries below the name say why.
        </Notice>
      )}
      <p className="hint">{endpoint.events.join(', ')}</p>
      <div className="buttons">
        <Action
          role="admin"
          label="Send a test event"
          about={name}
          act={async () => {
            const { message_id: messageId } = await api.testWebhookEndpoint(id);
            return testResult({ ...id, message_id: messageId });
          }}
        />
        <Action
          role="admin"
          label={endpoint.enabled ? 'Disable' : 'Enable'}
          about={name}
          act={async () => {
            await api.updateWebhookEndpoint({ ...id, body: { enabled: !endpoint.enabled } });
            return endpoint.enabled ? 'It gets no events now; they are held.' : 'It gets events again.';
          }}
        />
        <Deletion
          what="the endpoint"
          name={name}
          text="Its events are not delivered any more, and its list of deliveries is gone."
          act={() => api.deleteWebhookEndpoint(id)}
        />
      </div>
    </section>
  );
}

const fields: Fields<'createWebhookEndpoint'> = [
  { name: 'url', label: 'Address', type: 'url', placeholder: 'https://example.com/hooks/rapporteur' },
  { name: 'name', label: 'Name', placeholder: 'Optional', empty: 'absent' },
];

/** Adds an endpoint for all events, and shows its secret once. */
function AddEndpoint() {
  return (
    <Form
      isOpen
      role="admin"
      title="Add an endpoint"
      button="Add the endpoint"
      fields={fields}
      send={async (body: BodyOf<'createWebhookEndpoint'>) => (
        <Secret
          title="The endpoint is added. Keep its secret now: it is not shown again."
          text={(await api.createWebhookEndpoint({ body })).secret}
        />
      )}
    />
  );
}

const liveMs = 4_000;
const states = ['pending', 'held', 'succeeded', 'failed'] as const;

/** One endpoint and its messages. */
function EndpointPage({ endpointId }: { readonly endpointId: string }) {
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

type EndState = Pick<Endpoint, 'enabled' | 'failing_since'> & { readonly disabled_reason: string | null };

/** An endpoint to which nothing can be delivered is not active, although it is enabled. */
export function endpointState({ enabled, disabled_reason: reason, failing_since: since }: EndState): string {
  if (enabled) return since === null ? 'active' : 'failing';
  return reason === 'failing' ? 'disabled_failing' : (reason ?? 'by_request');
}

const waitMs = 15_000;
const pollMs = 500;

/** Waits for the one attempt of a test event, and returns its result as a sentence. */
async function testResult(id: { readonly endpoint_id: string; readonly message_id: string }): Promise<string> {
  const until = Date.now() + waitMs;
  while (Date.now() < until) {
    const [attempt] = await api.listWebhookAttempts(id);
    if (attempt !== undefined) {
      if (attempt.outcome === 'succeeded') return `The test event arrived: status ${attempt.status_code}.`;
      throw new Error(`The test event did not arrive: ${attempt.error ?? `status ${attempt.status_code}`}.`);
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  return 'The test event is not delivered yet. Its attempt is listed with the endpoint.';
}

import { useQuery, useMutation, useQueryClient, keepPreviousData } from '@tanstack/react-query';
import { Link, Route, Switch } from 'wouter';
import { api, sentenceOf } from '../api/client.ts';
import { Action } from '../elements/action.tsx';
import { Reference, Page } from '../elements/page.tsx';
import { For } from '../session/use-session.tsx';
import { EmptyState, QueryResult } from '../elements/query-result.tsx';
import { Notice } from '../elements/notice.tsx';
import { State } from '../elements/status.tsx';
import { Time } from '../elements/time.tsx';
import { Field, textOf } from '../elements/field.tsx';
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
      <QueryResult query={endpoints}>
        {(list) => (
          <>
            {list.length === 0 ? (
              <EmptyState title="No endpoint yet">
                Add the address of a program that listens. It gets a signed request for every event of every bot. See{' '}
                <Reference to="webhooks">the guide</Reference>.
              </EmptyState>
            ) : (
              list.map((endpoint) => <EndpointCard key={endpoint.endpoint_id} endpoint={endpoint} />)
            )}
            <For role="admin">
              <AddEndpoint />
            </For>
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
        <Action
          role="admin"
          label="Delete"
          about={name}
          kind="danger"
          confirm={{
            title: `Delete the endpoint “${name}”?`,
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

/** Adds an endpoint for all events, and shows its secret once. */
function AddEndpoint() {
  const client = useQueryClient();
  const add = useMutation({
    mutationFn: ({ url, name }: { url: string; name: string }) =>
      api.createWebhookEndpoint({ body: { url, ...(name === '' ? {} : { name }) } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['endpoints'] }),
  });
  return (
    <section className="card">
      <h2>Add an endpoint</h2>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          const given = new FormData(form);
          add.mutate({ url: textOf(given, 'url'), name: textOf(given, 'name') }, { onSuccess: () => form.reset() });
        }}
      >
        <Field label="Address">
          <input name="url" type="url" required placeholder="https://example.com/hooks/rapporteur" />
        </Field>
        <Field label="Name">
          <input name="name" maxLength={100} placeholder="Optional" />
        </Field>
        {add.isError && <Notice kind="fail">{sentenceOf(add.error)}</Notice>}
        {add.isSuccess && (
          <Notice kind="pass" title="The endpoint is added. Keep its secret now: it is not shown again.">
            <code className="breaks">{add.data.secret}</code>
          </Notice>
        )}
        <div className="buttons">
          <button type="submit" className="primary" disabled={add.isPending}>
            Add the endpoint
          </button>
        </div>
      </form>
    </section>
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

import { useQuery, keepPreviousData } from '@tanstack/react-query';
import type { RapporteurClient } from '@rapporteur/sdk';
import { Fragment, useState } from 'react';
import { Link, Route, Switch } from 'wouter';
import { api } from '../api/client.ts';
import { Action, Deletion } from '../elements/action.tsx';
import { Form, Secret } from '../elements/form.tsx';
import type { BodyOf, Fields } from '../elements/form.tsx';
import { localInput, timeText, Time } from '../elements/time.tsx';
import { QueryResult, Reference, Page, Notice, EmptyState, List } from '../elements/page.tsx';
import { State, statusText, stateText } from '../elements/status.tsx';
import { ChoiceFilter, Filters, Pager, useAddress } from '../elements/filters.tsx';

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

export type Message = Awaited<ReturnType<typeof api.listWebhookMessages>>['data'][number];

/** Messages of one endpoint, each with its attempts on request and a resend. */
export function MessageTable({
  messages,
  endpointId,
}: {
  readonly messages: readonly Message[];
  readonly endpointId: string;
}) {
  return (
    <ul className="messages">
      {sameFailures(messages).map(([first, ...others]) => (
        <Fragment key={first.message_id}>
          <MessageRow message={first} endpointId={endpointId} />
          {others.length > 0 && (
            <li>
              <details>
                <summary>{others.length} more failed in the same way</summary>
                <ul className="messages">
                  {others.map((message) => (
                    <MessageRow key={message.message_id} message={message} endpointId={endpointId} />
                  ))}
                </ul>
              </details>
            </li>
          )}
        </Fragment>
      ))}
    </ul>
  );
}

function MessageRow({ message, endpointId }: { readonly message: Message; readonly endpointId: string }) {
  const [isOpen, setOpen] = useState(false);
  const what = eventText(message);
  return (
    <li>
      <div className="message-head">
        <strong>{what}</strong>
        <State state={message.state} />
        <Time at={message.created_at} seconds />
        <Action
          label="Send again"
          about={what}
          act={async () => {
            const id = { message_id: message.message_id, endpoint_id: endpointId };
            return (await api.resendWebhookMessage(id)).message;
          }}
        />
      </div>
      {message.last_error !== null && <p className="hint">{message.last_error}</p>}
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          {message.attempts === 1 ? '1 attempt' : `${message.attempts} attempts`}
          {message.next_attempt_at !== null && (
            <>
              , next <Time at={message.next_attempt_at} seconds />
            </>
          )}
        </summary>
        {isOpen && <Attempts messageId={message.message_id} endpointId={endpointId} />}
        <pre tabIndex={0} aria-label={`Payload of ${what}`}>
          {JSON.stringify(message.payload, null, 2)}
        </pre>
      </details>
    </li>
  );
}

function Attempts({ messageId, endpointId }: { readonly messageId: string; readonly endpointId: string }) {
  const id = { message_id: messageId, endpoint_id: endpointId };
  const attempts = useQuery({
    queryKey: ['attempts', id],
    queryFn: ({ signal }) => api.listWebhookAttempts(id, { signal }),
  });
  return (
    <QueryResult query={attempts}>
      {(list) => (
        <ol className="attempts" reversed>
          {list.map((attempt) => (
            <li key={attempt.attempt_id}>
              <State state={attempt.outcome} /> <Time at={attempt.started_at} seconds />,{' '}
              {attempt.status_code === null ? 'no response' : `status ${attempt.status_code}`}, {attempt.duration_ms} ms
              {attempt.error !== null && <span className="hint block">{attempt.error}</span>}
            </li>
          ))}
        </ol>
      )}
    </QueryResult>
  );
}

/** `bot.status_change: Recording`. */
function eventText({ event, payload }: Message): string {
  if (event !== 'bot.status_change') return event;
  const data = payload['data'] as { status?: { code?: unknown } } | undefined;
  const code = data?.status?.code;
  return typeof code === 'string' ? `${event}: ${statusText(code)}` : event;
}

interface Delivered {
  readonly state: string;
  readonly last_error: string | null;
}

/** Messages in their order; consecutive ones that failed for the same reason are one group. */
export function sameFailures<M extends Delivered>(messages: readonly M[]): [M, ...M[]][] {
  const groups: [M, ...M[]][] = [];
  for (const message of messages) {
    const before = groups.at(-1);
    const isSame =
      message.state === 'failed' && before?.[0].state === 'failed' && before[0].last_error === message.last_error;
    if (isSame) before.push(message);
    else groups.push([message]);
  }
  return groups;
}

/** Changes an endpoint, and resends the messages that it missed. */
export function EndpointSettings({ endpoint }: { readonly endpoint: Endpoint }) {
  const id = { endpoint_id: endpoint.endpoint_id };
  const name = endpoint.name ?? endpoint.url;
  return (
    <section className="card">
      <Change endpoint={endpoint} />
      <Form
        role="admin"
        title="Send again what failed"
        button="Send again"
        fields={[
          {
            name: 'since',
            label: 'Failed since',
            type: 'datetime-local',
            value: localInput(endpoint.failing_since ?? new Date(Date.now() - 86_400_000).toISOString()),
          },
        ]}
        send={async ({ since }: { readonly since: string }) => {
          const { sent, more } = await resendSince(api, endpoint.endpoint_id, Date.parse(since));
          const count = sent === 1 ? '1 message is' : `${sent} messages are`;
          return `${count} sent again.${more ? ' There are more: press again.' : ''}`;
        }}
      />
      <div className="buttons">
        <Action
          role="admin"
          label="Give it a new secret"
          kind="danger"
          confirm={{
            title: `Give “${name}” a new secret?`,
            text: 'For 24 hours deliveries are signed with the old secret as well.',
            button: 'Make a new secret',
          }}
          act={async () =>
            `Keep the new secret now, it is not shown again: ${(await api.rotateWebhookSecret(id)).secret}`
          }
        />
        {endpoint.previous_secret_expires_at !== null && (
          <span className="hint">
            Signed with the old secret, too, until {timeText(endpoint.previous_secret_expires_at)}.
          </span>
        )}
      </div>
    </section>
  );
}

function Change({ endpoint }: { readonly endpoint: Endpoint }) {
  const types = useQuery({
    queryKey: ['event-types'],
    queryFn: ({ signal }) => api.listWebhookEventTypes({}, { signal }),
    staleTime: Infinity,
  });
  const offered = types.data?.map(({ event: name, description }) => ({ name, description })) ?? [];
  return (
    <Form
      key={endpoint.updated_at}
      role="admin"
      title="Change it"
      button="Save"
      keeps
      fields={[
        { name: 'url', label: 'Address', type: 'url', value: endpoint.url },
        { name: 'name', label: 'Name', empty: null, value: endpoint.name },
      ]}
      send={async (body: BodyOf<'updateWebhookEndpoint'>, form) => {
        const events = offered.map(({ name }) => name).filter((name) => form.has(name));
        if (events.length === 0) throw new Error('Choose at least one event.');
        await api.updateWebhookEndpoint({ endpoint_id: endpoint.endpoint_id, body: { ...body, events } });
        return 'The endpoint is changed.';
      }}
    >
      <fieldset>
        <legend>Events</legend>
        {offered.map(({ name, description }) => (
          <label key={name} title={description}>
            <input type="checkbox" name={name} defaultChecked={endpoint.events.includes(name)} /> {name}
          </label>
        ))}
      </fieldset>
    </Form>
  );
}

/** At most this many at a time: each is a request. */
const most = 500;

type Api = Pick<RapporteurClient, 'listWebhookMessages' | 'resendWebhookMessage'>;

/** Resends every failed message of an endpoint since a time, oldest first, so that the receiver gets them in order. */
export async function resendSince(
  api: Api,
  endpointId: string,
  sinceMs: number,
): Promise<{ readonly sent: number; readonly more: boolean }> {
  const failed: string[] = [];
  let cursor: string | null = null;
  do {
    const query = {
      endpoint_id: endpointId,
      state: 'failed',
      limit: 100,
      ...(cursor === null ? {} : { cursor }),
    } as const;
    const page: Awaited<ReturnType<Api['listWebhookMessages']>> = await api.listWebhookMessages(query);
    const recent = page.data.filter(({ created_at: at }) => Date.parse(at) >= sinceMs);
    failed.push(...recent.map(({ message_id: id }) => id));
    cursor = recent.length === page.data.length ? page.cursor : null;
  } while (cursor !== null);
  const chosen = failed.toReversed().slice(0, most);
  for (const id of chosen) await api.resendWebhookMessage({ message_id: id, endpoint_id: endpointId });
  return { sent: chosen.length, more: failed.length > chosen.length };
}

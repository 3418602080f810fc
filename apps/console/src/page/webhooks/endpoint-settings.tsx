import { useQuery } from '@tanstack/react-query';
import type { RapporteurClient } from '@rapporteur/sdk';
import { api } from '../api/client.ts';
import { Action } from '../elements/action.tsx';
import { Form } from '../elements/form.tsx';
import type { BodyOf } from '../elements/form.tsx';
import { localInput, timeText } from '../elements/time.tsx';

type Endpoint = Awaited<ReturnType<typeof api.getWebhookEndpoint>>;

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

import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { api } from '../api/client.ts';
import { Action } from '../elements/action.tsx';
import { Page, EmptyState, QueryResult } from '../elements/page.tsx';
import { State } from '../elements/status.tsx';
import { Table } from '../elements/table.tsx';
import { Time } from '../elements/time.tsx';
import { Form, Secret } from '../elements/form.tsx';
import type { BodyOf, Fields } from '../elements/form.tsx';

type Key = Awaited<ReturnType<typeof api.listApiKeys>>[number];

const permissionNames = { full: 'Full access', sending: 'Sends bots only' } as const;

/** The team's API keys with their permission, creation and expiry. */
export function Keys() {
  const keys = useQuery({ queryKey: ['keys'], queryFn: ({ signal }) => api.listApiKeys({}, { signal }) });
  return (
    <Page title="API keys">
      <QueryResult query={keys}>
        {(list) => {
          const now = Date.now();
          const ended = list.filter((key) => keyState(key, now) !== 'active');
          const active = list.filter((key) => keyState(key, now) === 'active');
          return (
            <>
              {active.length === 0 ? (
                <EmptyState title="No key is active">Create one below.</EmptyState>
              ) : (
                <KeyTable keys={active} label="Active keys" />
              )}
              {ended.length > 0 && (
                <details className="ended">
                  <summary>Revoked and expired keys ({ended.length})</summary>
                  <KeyTable keys={ended} label="Revoked and expired keys" />
                </details>
              )}
            </>
          );
        }}
      </QueryResult>
      <CreateKey />
    </Page>
  );
}

function KeyTable({ keys, label }: { readonly keys: readonly Key[]; readonly label: string }) {
  return (
    <Table
      label={label}
      head={[
        'Name',
        'Permission',
        ['Created', 'wide'],
        ['Last used', 'wide'],
        ['Expires', 'wide'],
        ['State and actions', 'unseen'],
      ]}
      rows={keys.map((key) => [
        <Fragment key={key.key_id}>
          {key.name}
          <span className="hint block">
            <code>{key.key_start}…</code>
            {key.current && ' You are signed in with this key.'}
          </span>
        </Fragment>,
        permissionNames[key.permission],
        <Time at={key.created_at} />,
        <Time at={key.last_used_at} />,
        <Time at={key.expires_at} />,
        <KeyState value={key} />,
      ])}
    />
  );
}

function KeyState({ value: key }: { readonly value: Key }) {
  const state = keyState(key, Date.now());
  return state === 'active' ? <Revoke value={key} /> : <State state={state} />;
}

function Revoke({ value: key }: { readonly value: Key }) {
  return (
    <Action
      role="admin"
      label="Revoke"
      about={key.name}
      kind="danger"
      confirm={{
        title: `Revoke the key “${key.name}”?`,
        text: key.current
          ? 'You are signed in with this key: your session ends. Programs that use it are refused at once, for good.'
          : 'Programs that use it are refused at once, for good.',
        button: 'Revoke the key',
      }}
      act={async () => {
        await api.revokeApiKey({ key_id: key.key_id });
        return 'The key is revoked.';
      }}
    />
  );
}

const fields: Fields<'createApiKey'> = [
  { name: 'name', label: 'Name', hint: 'The program that uses it.', placeholder: 'Website' },
  { name: 'permission', label: 'Permission', options: Object.entries(permissionNames) },
  { name: 'expires_at', label: 'Expires on', hint: 'Left empty: never.', type: 'date', empty: null },
];

/** Creates a key, and shows its text once. */
function CreateKey() {
  return (
    <Form
      isOpen
      role="admin"
      title="Create a key"
      button="Create the key"
      fields={fields}
      send={async (body: BodyOf<'createApiKey'>) => (
        <Secret
          title="The key is created. Copy it now: it is not shown again."
          text={(await api.createApiKey({ body })).api_key}
        />
      )}
    />
  );
}

type KeyState = 'active' | 'expired' | 'revoked';

interface Ends {
  readonly revoked_at: string | null;
  readonly expires_at: string | null;
}

export function keyState({ revoked_at: revoked, expires_at: expires }: Ends, now: number): KeyState {
  if (revoked !== null) return 'revoked';
  return expires !== null && Date.parse(expires) <= now ? 'expired' : 'active';
}

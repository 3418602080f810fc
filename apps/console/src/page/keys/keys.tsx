import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { api } from '../api/client.ts';
import { Action } from '../elements/action.tsx';
import { Page } from '../elements/page.tsx';
import { EmptyState, QueryResult } from '../elements/query-result.tsx';
import { State } from '../elements/status.tsx';
import { Table } from '../elements/table.tsx';
import { Time } from '../elements/time.tsx';
import { CreateKey } from './create-key.tsx';
import { keyState } from './key-state.ts';

type Key = Awaited<ReturnType<typeof api.listApiKeys>>[number];

export const permissionNames = { full: 'Full access', sending: 'Sends bots only' } as const;

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
